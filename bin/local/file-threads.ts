/**
 * Threads that Node.js uses for files. Import it before everything else: the number is read with the first use. By
 * default there are 4, and as many syncs of a slow disk would make every read wait; a thread that waits costs no CPU.
 */
const FILE_THREADS = 16;

process.env.UV_THREADPOOL_SIZE ??= String(FILE_THREADS);
