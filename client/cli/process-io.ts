import { createReadStream } from "node:fs";
import { access, constants, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { constants as systemConstants } from "node:os";
import { dirname } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
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
    stdout: { write: (content) => new Promise((resolve) => process.stdout.write(content, () => resolve())) },
    stderr: { write: (text) => void process.stderr.write(text), isTTY: process.stderr.isTTY === true },
    read: (file, mostBytes) => readStart(file, mostBytes, signal),
    size: sizeOf,
    write,
    list,
    fetch: globalThis.fetch,
    signal,
  };
}

async function readStart(file: string, mostBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const stream: Readable = file === "-" ? process.stdin : createReadStream(file, { end: mostBytes });
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
async function sizeOf(file: string): Promise<number | undefined> {
  if (file === "-") return undefined;
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new UsageError(`${file} cannot be read: it is a directory`);
    await access(file, constants.R_OK);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}`);
  }
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${fileReason(error)}`);
  }
}

async function list(folder: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw new UsageError(`${folder} cannot be read: ${fileReason(error)}`);
  }
}
