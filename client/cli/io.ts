/** The world as a command sees it; a test needs no process. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Resolves once written; a closed reader is not an error. */
  stdout: {
    write(content: string | Uint8Array): Promise<void>;
    /** True for a terminal, where people read: results are tables there. */
    isTTY: boolean;
    /** Width of the terminal in characters. */
    columns?: number | undefined;
  };
  stderr: { write(text: string): void; isTTY: boolean };
  /** The first `mostBytes` + 1 bytes of a file, or of standard input for `-`. @throws UsageError */
  read(file: string, mostBytes: number): Promise<Uint8Array>;
  /**
   * The size of a file in bytes, without reading it; undefined for standard input and pipes, which tell it by being read.
   * @throws UsageError for a missing file, one that cannot be read, and a folder
   */
  size(file: string): Promise<number | undefined>;
  /** Writes a file and creates missing folders. @param options `secret`: a new file is its owner's alone @throws UsageError */
  write(file: string, content: string | Uint8Array, options?: { secret?: boolean }): Promise<void>;
  /** The names of a folder's files, sorted; undefined when it is not a folder. @throws UsageError */
  list(folder: string): Promise<string[] | undefined>;
  /** The files whose paths match a pattern such as `scans/*.pdf`, sorted. */
  glob(pattern: string): Promise<string[]>;
  /** Files that hold a key. */
  secrets: {
    /** @returns undefined when there is no such file @throws UsageError */
    read(file: string): Promise<{ text: string; othersMayRead: boolean } | undefined>;
    /** Replaces a file, and lets only its owner read it. @throws UsageError */
    write(file: string, text: string): Promise<void>;
  };
  /** The settings that `sheaf configure` saved, once they are loaded. @throws UsageError for a spoilt file */
  saved?(): SavedSettings;
  /** Asks on the terminal for a line that is not shown. @returns undefined without a terminal */
  ask?(question: string): Promise<string | undefined>;
  fetch: typeof globalThis.fetch;
  /** Aborted with an Interrupted. */
  signal: AbortSignal;
}

/** A service and its key, as kept in the user's own folder. */
export interface SavedSettings {
  apiUrl?: string | undefined;
  token?: string | undefined;
}

/** Runs a command once its arguments are parsed: passes it the world and takes its exit code. */
export type Perform = (run: (io: Io) => Promise<number>) => Promise<void>;

/** The exit codes; --help explains them. */
export const EXIT_CODES = {
  success: 0,
  failed: 1,
  usage: 2,
  timedOut: 3,
  unreachable: 4,
  partial: 5,
  notFound: 6,
  paymentRequired: 7,
} as const;

/** Wrong usage: nothing was sent. */
export class UsageError extends Error {}

/** Ctrl-C or another signal ended the command. */
export class Interrupted extends Error {
  /** 128 plus the signal's number, as in shells. */
  readonly exitCode: number;

  constructor(signalNumber: number) {
    super("Interrupted");
    this.exitCode = 128 + signalNumber;
  }
}
