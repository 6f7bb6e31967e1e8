/** What a command sees of the world, so that a test needs no process. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Resolves once written; a reader that has gone away is no error. */
  stdout: { write(content: string | Uint8Array): Promise<void> };
  stderr: { write(text: string): void; isTTY: boolean };
  /** The first `mostBytes` + 1 bytes of a file, or of standard input for `-`. @throws UsageError */
  read(file: string, mostBytes: number): Promise<Uint8Array>;
  /** Writes a file, and the folders it stands in where they are missing. @throws UsageError */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** The names of a folder's files, in order; undefined for what is no folder. @throws UsageError */
  list(folder: string): Promise<string[] | undefined>;
  fetch: typeof globalThis.fetch;
  /** Aborted with an Interrupted. */
  signal: AbortSignal;
}

/** How a command's arguments, once read, become a run: it is given the world and gives back the exit code. */
export type Perform = (run: (io: Io) => Promise<number>) => Promise<void>;

/** The exit codes, as --help explains them. */
export const EXIT = { success: 0, failed: 1, usage: 2, timedOut: 3, unreachable: 4, partial: 5 } as const;

/** What was asked for cannot be done, and nothing was sent. */
export class UsageError extends Error {}

/** Somebody pressed Ctrl-C, or ended the process otherwise. */
export class Interrupted extends Error {
  /** As shells have it: 128 and the signal's number. */
  readonly exitCode: number;

  constructor(signalNumber: number) {
    super("Interrupted");
    this.exitCode = 128 + signalNumber;
  }
}
