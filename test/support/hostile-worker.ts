/** Tasks of a process that misbehaves in every known way, and of one that behaves. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { JobFailure, UnsupportedMediaType } from "../../functions/ports/errors.ts";

/** The used part of the WebAssembly interface, which the compiler's server libraries leave out. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
type WasmMemoryConstructor = new (limits: { initial: number; maximum: number }) => WasmMemory;
const { Memory } = Reflect.get(globalThis, "WebAssembly") as { Memory: WasmMemoryConstructor };

const MEGABYTE = 2 ** 20;
const kept: unknown[] = [];

/** Reserved memory costs nothing until a page is written. */
function touch(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 4_096) bytes[index] = 1;
}

const sendRaw = (message: unknown): void => {
  process.send?.(message);
};

/** @returns the error's code, or "done" */
function attempt(deed: () => unknown): unknown {
  try {
    deed();
    return "done";
  } catch (error) {
    return Reflect.get(Object(error), "code");
  }
}

const spin = (): never => {
  for (;;) kept.length = 0;
};

export const tasks = {
  echo: (payload: unknown) => payload,
  pid: () => process.pid,
  environment: () => process.env,
  wait: ({ milliseconds }: { milliseconds: number }) => new Promise((resolve) => setTimeout(resolve, milliseconds)),

  buffers(): void {
    for (let eaten = 0; eaten < 2_048; eaten += 16) {
      const buffer = Buffer.allocUnsafeSlow(16 * MEGABYTE);
      touch(buffer);
      kept.push(buffer);
    }
  },
  webAssembly(): void {
    const memory = new Memory({ initial: 16, maximum: 32_768 });
    for (let pages = 16; pages < 32_768; pages += 256) {
      memory.grow(Math.min(256, 32_768 - pages));
      touch(new Uint8Array(memory.buffer).subarray(pages * 65_536));
    }
    kept.push(memory);
  },
  heap(): void {
    for (;;) kept.push({ text: `${kept.length}`.padStart(200, "x") });
  },
  /** Keeps memory after its answer. */
  hoard({ megabytes }: { megabytes: number }): void {
    const buffer = Buffer.allocUnsafeSlow(megabytes * MEGABYTE);
    touch(buffer);
    kept.push(buffer);
  },
  refusedAllocation: () => new ArrayBuffer(2 ** 52),

  spin,
  exit: () => process.exit(3),
  abort: () => process.abort(),
  segfault: async () => {
    process.kill(process.pid, "SIGSEGV");
    await new Promise(() => undefined);
  },
  exitLater: () => {
    setTimeout(() => process.exit(4), 20);
  },

  throw: () => {
    throw new SyntaxError("Unexpected token in the SECRET TEXT of the document");
  },
  throwJobFailure: () => {
    throw new JobFailure("Processing failed: Document is password protected", { retryable: true });
  },
  throwUnsupported: () => {
    throw new UnsupportedMediaType("Nobody reads this");
  },
  throwNothing: () => Promise.reject(undefined),

  hangUp: () => {
    process.removeAllListeners("disconnect");
    process.disconnect();
    return new Promise(() => setTimeout(spin, 10));
  },
  garbage: async () => {
    sendRaw({ type: "answer", id: "1", value: "forged" });
    await new Promise(() => undefined);
  },
  garbageText: async () => {
    sendRaw("ready?");
    await new Promise(() => undefined);
  },
  garbageError: async ({ id }: { id: number }) => {
    sendRaw({ type: "failure", id, error: { type: "app", name: 7, status: "x" } });
    await new Promise(() => undefined);
  },
  answerTwice: ({ id }: { id: number }) => {
    sendRaw({ type: "answer", id, value: "first" });
    return "second";
  },
  readFile: ({ path }: { path: string }) => attempt(() => readFileSync(path)),
  writeFile: ({ path }: { path: string }) => attempt(() => writeFileSync(path, "mine now")),
  startProgram: () => attempt(() => execFileSync("id")),
  noise: () => {
    writeSync(2, "x".repeat(1_000_000));
    return "said";
  },
  notCloneable: () => () => "a function",
};
