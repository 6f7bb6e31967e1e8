import { createReadStream } from "node:fs";
import { access, constants, glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { constants as systemConstants } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { addAbortSignal, type Readable, Writable } from "node:stream";
import { fileReason } from "./file-reasons.ts";
import { Interrupted, type Io, UsageError } from "./io.ts";

/** The Io of this process. Sets handlers for its signals and its streams' errors: make it once. */
export function processIo(): Io {
  const interruption = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => interruption.abort(new Interrupted(systemConstants.signals[name])));
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  const { signal } = interruption;
  return {
    env: process.env,
    stdout: {
      write: (content) => new Promise((done) => process.stdout.write(content, () => done())),
      isTTY: process.stdout.isTTY === true,
      // A terminal without a size says 0.
      columns: process.stdout.columns || undefined,
    },
    stderr: { write: (text) => void process.stderr.write(text), isTTY: process.stderr.isTTY === true },
    ...filesOf(process.cwd(), process.stdin, signal),
    ask: (question) => ask(question, signal),
    fetch: globalThis.fetch,
    signal,
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const silent = new Writable({ write: (_shown, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // The terminal leaves Ctrl-C to the reader of the line.
  lines.on("SIGINT", () => process.emit("SIGINT"));
  process.stderr.write(question);
  try {
    return await lines.question("", { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** The files of an Io, below a working folder. @param input the standard input */
export function filesOf(
  folder: string,
  input: Readable,
  signal: AbortSignal,
): Pick<Io, "read" | "size" | "write" | "list" | "glob" | "secrets"> {
  const at = (file: string): string => (file === "-" ? file : resolve(folder, file));
  return {
    read: (file, mostBytes) => {
      const open = file === "-" ? input : createReadStream(at(file), { end: mostBytes });
      return readStart(file, open, { mostBytes, signal });
    },
    size: (file) => sizeOf(file, at(file)),
    write: (file, content, { secret = false } = {}) => write(file, at(file), content, secret ? SECRET_MODE : undefined),
    list: (named) => list(named, at(named)),
    glob: async (pattern) => {
      const found: string[] = [];
      for await (const entry of glob(pattern, { cwd: folder, withFileTypes: true })) {
        if (!entry.isDirectory()) found.push(relativeTo(folder, pattern, resolve(entry.parentPath, entry.name)));
      }
      return found.sort();
    },
    secrets: { read: readSecret, write: writeSecret },
  };
}

/** A found file as its pattern names it: from the root, or below the working folder. */
const relativeTo = (folder: string, pattern: string, file: string): string =>
  isAbsolute(pattern) ? file : relative(folder, file);

/** Owner alone: a key is in it. */
const SECRET_MODE = 0o600;
const SECRET_FOLDER_MODE = 0o700;
/** Bits of the group and of all others. */
const OTHERS_MASK = 0o077;

async function readSecret(file: string): Promise<{ text: string; othersMayRead: boolean } | undefined> {
  try {
    const text = await readFile(file, "utf8");
    // Windows has no such bits.
    const othersMayRead = process.platform !== "win32" && ((await stat(file)).mode & OTHERS_MASK) !== 0;
    return { text, othersMayRead };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}`);
  }
}

/** A new file takes the old one's place at once, so that no reader sees half of it, or the mode of the old one. */
async function writeSecret(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: SECRET_FOLDER_MODE });
    await writeFile(part, text, { mode: SECRET_MODE, flag: "wx" });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new UsageError(`${file} cannot be written: ${fileReason(error)}`);
  }
}

async function readStart(
  file: string,
  stream: Readable,
  { mostBytes, signal }: { mostBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of addAbortSignal(signal, stream)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new UsageError(`${file === "-" ? "Standard input" : file} cannot be read: ${fileReason(error)}`);
  }
  return Buffer.concat(chunks).subarray(0, mostBytes + 1);
}

/** Opens no file: a pipe would lose its writer. */
async function sizeOf(file: string, path: string): Promise<number | undefined> {
  if (file === "-") return undefined;
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new UsageError(`${file} cannot be read: it is a directory`);
    await access(path, constants.R_OK);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}`);
  }
}

/** @param mode of a new file; default: the user's own */
async function write(file: string, path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode });
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${fileReason(error)}`);
  }
}

async function list(folder: string, path: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw new UsageError(`${folder} cannot be read: ${fileReason(error)}`);
  }
}
