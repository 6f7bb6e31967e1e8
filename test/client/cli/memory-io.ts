import { basename, dirname, matchesGlob } from "node:path";
import { type Io, UsageError } from "../../../client/cli/io.ts";
import { type CommandModule, runCommandLine } from "../../../client/cli/main.ts";

export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Written contents by file. */
  written: Record<string, string | Uint8Array>;
  /** Written files that are their owner's alone. */
  secrets: string[];
}

export interface World {
  env?: Record<string, string>;
  files?: Record<string, string | Uint8Array>;
  /** Standard error is a terminal. */
  isTTY?: boolean;
  /** Standard output is a terminal of so many columns. */
  columns?: number;
  /** Others than the owner may read the files of secrets. */
  othersMayRead?: boolean;
  /** Typed at the terminal. */
  typed?: string;
  /** No file can be written. */
  isReadOnly?: boolean;
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
}

/** Runs the command line with files, streams and an environment in memory. */
export async function sheaf(argv: string[], world: World = {}, more: readonly CommandModule[] = []): Promise<Outcome> {
  const outcome: Outcome = { exitCode: -1, stdout: "", stderr: "", written: {}, secrets: [] };
  const io: Io = {
    env: world.env ?? {},
    stdout: {
      async write(content) {
        outcome.stdout += typeof content === "string" ? content : Buffer.from(content).toString("latin1");
      },
      isTTY: world.columns !== undefined,
      columns: world.columns,
    },
    stderr: {
      write(text) {
        outcome.stderr += text;
      },
      isTTY: world.isTTY ?? false,
    },
    async read(file, mostBytes) {
      const content = world.files?.[file];
      if (content === undefined) throw new UsageError(`${file} cannot be read: there is no such file`);
      return (typeof content === "string" ? Buffer.from(content) : content).subarray(0, mostBytes + 1);
    },
    async size(file) {
      const content = world.files?.[file];
      if (content === undefined) throw new UsageError(`${file} cannot be read: there is no such file`);
      return file === "-" ? undefined : Buffer.byteLength(content);
    },
    async write(file, content, { secret = false } = {}) {
      if (world.isReadOnly === true) throw new UsageError(`${file} cannot be written: the disk is read-only`);
      outcome.written[file] = content;
      if (secret) outcome.secrets.push(file);
    },
    async list(folder) {
      if (world.files?.[folder] !== undefined) return undefined;
      const below = Object.keys(world.files ?? {}).filter((file) => dirname(file) === folder);
      if (below.length === 0) throw new UsageError(`${folder} cannot be read: there is no such file`);
      return below.map((file) => basename(file)).sort();
    },
    async glob(pattern) {
      return Object.keys(world.files ?? {}).filter((file) => matchesGlob(file, pattern));
    },
    secrets: {
      async read(file) {
        const content = outcome.written[file] ?? world.files?.[file];
        return content === undefined
          ? undefined
          : { text: String(content), othersMayRead: world.othersMayRead ?? false };
      },
      async write(file, text) {
        outcome.written[file] = text;
        outcome.secrets.push(file);
      },
    },
    async ask(question) {
      if (world.typed !== undefined) outcome.stderr += question;
      return world.typed;
    },
    fetch: world.fetch ?? globalThis.fetch,
    signal: world.signal ?? new AbortController().signal,
  };
  outcome.exitCode = await runCommandLine(io, argv, "1.2.3", more);
  return outcome;
}
