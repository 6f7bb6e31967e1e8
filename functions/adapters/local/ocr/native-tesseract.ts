/**
 * Tesseract as a program of this machine: takes a picture, gives its table of words; its memory and time are watched
 * from outside.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import { ServiceUnavailable } from "../../../ports/errors.ts";
import { machineFault } from "../../../ports/machine-faults.ts";
import { openMemoryProbe } from "../pool/resident-memory.ts";
import { type KillReason, WorkerKilled } from "../pool/worker-killed.ts";
import { findProgram } from "../program-search.ts";
import { toPgm, toTiff } from "./picture-files.ts";
import { type Mode, VARIABLES } from "./recognition-tools.ts";
import { parseTsv, type ReadWord } from "./tesseract-tsv.ts";

export interface NativeTesseract {
  /** First line of `tesseract --version`, such as `tesseract 5.3.0`. */
  version: string;
  /** @param deadline on the clock of performance.now() @throws WorkerKilled, ServiceUnavailable */
  recognize(gray: GrayImage, dpi: number, mode: Mode, deadline: number): Promise<ReadWord[]>;
  /** Ends running programs. */
  close(): void;
}

export interface NativeOptions {
  langs: readonly string[];
  memoryLimitBytes: number;
  /** Folders that are searched for the program, in the form of PATH. */
  searchPath: string;
}

const STOPPING_SENTENCE = "The service is stopping; try again when it is back";
/**
 * Milliseconds between two samples of the program's memory; the longer interval holds while it uses no more than
 * CALM_MEMORY_SHARE of its limit.
 */
const WATCH_INTERVAL_MS = 25;
const CALM_WATCH_INTERVAL_MS = 100;
const CALM_MEMORY_SHARE = 0.25;
/** Bytes of output; a table of words is small, and a program that writes more is killed. */
const MAX_OUTPUT_BYTES = 32 * 2 ** 20;
const QUERY_TIMEOUT_MS = 10_000;
const INSTALL_ADVICE = "install it (apt-get install tesseract-ocr, brew install tesseract) or use the embedded engine";

function findTesseract(searchPath: string): string {
  const found = findProgram("tesseract", searchPath);
  if (found === undefined) throw new Error(`The program tesseract is not on the PATH: ${INSTALL_ADVICE}`);
  return found;
}

/**
 * Environment of the program: one thread, because pictures run in parallel; nothing else of the service's environment
 * is passed on.
 */
const environment = (): NodeJS.ProcessEnv => ({
  OMP_THREAD_LIMIT: "1",
  LANG: "C.UTF-8",
  ...(process.env.TESSDATA_PREFIX === undefined ? {} : { TESSDATA_PREFIX: process.env.TESSDATA_PREFIX }),
});

function queryProgram(program: string, argument: string): string {
  try {
    return execFileSync(program, [argument], {
      env: environment(),
      encoding: "utf8",
      timeout: QUERY_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (cause) {
    throw new Error(`The program ${program} does not work as Tesseract 4 or later does: ${INSTALL_ADVICE}`, { cause });
  }
}

/** Input of the program: the name of its file, and what is connected to its stdin. */
interface ProgramInput {
  name: string;
  stdin: "pipe" | number;
}

/**
 * Opens the program's input. It reads a pipe by single bytes, which takes a twentieth of a second for a page. Where a
 * process can open its input by name it gets a file, which is unlinked already: nothing stays behind, whatever ends
 * first.
 */
function openInput(picture: readonly Uint8Array[]): ProgramInput {
  if (process.platform !== "linux") return { name: "stdin", stdin: "pipe" };
  const file = path.join(tmpdir(), `sheaf-page-${randomUUID()}`);
  const stdin = openSync(file, "wx+", 0o600);
  unlinkSync(file);
  try {
    // Written by position, so that the program begins at the start however it reads.
    let place = 0;
    for (const part of picture) {
      for (let at = 0; at < part.length; ) {
        const written = writeSync(stdin, part, at, part.length - at, place);
        at += written;
        place += written;
      }
    }
  } catch (error) {
    closeSync(stdin);
    throw error;
  }
  return { name: "/proc/self/fd/0", stdin };
}

/** Runs the program once. @param picture the parts of a file */
function runProgram(
  program: string,
  options: string[],
  picture: readonly Uint8Array[],
  limits: RunLimits,
): Promise<string> {
  const input = openInput(picture);
  const args = [input.name, "stdout", ...options];
  const child = spawn(program, args, { env: environment(), stdio: [input.stdin, "pipe", "ignore"] });
  if (typeof input.stdin === "number") closeSync(input.stdin); // the program has it open
  limits.running.add(child);
  const answer = Promise.withResolvers<string>();
  const probe = openMemoryProbe(child.pid ?? 0);
  let reason: KillReason | undefined;
  const kill = (why: KillReason): void => {
    reason = why;
    child.kill("SIGKILL");
  };
  const sampleMemory = (): void => {
    const share = (probe.sample() ?? limits.memoryLimitBytes) / limits.memoryLimitBytes;
    if (share > 1) kill("memory");
    else watch = setTimeout(sampleMemory, share > CALM_MEMORY_SHARE ? WATCH_INTERVAL_MS : CALM_WATCH_INTERVAL_MS);
  };
  let watch = setTimeout(sampleMemory, WATCH_INTERVAL_MS);
  const timer = setTimeout(() => kill("deadline"), Math.max(limits.deadline - performance.now(), 0));
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_OUTPUT_BYTES) kill("memory");
  });
  child.stdin?.on("error", () => undefined); // it ended before it had read all; "close" tells why
  for (const part of picture) child.stdin?.write(part);
  child.stdin?.end();
  child.on("error", (error) => answer.reject(machineFault(error) ?? new WorkerKilled("crashed")));
  child.on("close", (code, signal) => {
    clearTimeout(watch);
    clearTimeout(timer);
    probe.close();
    limits.running.delete(child);
    if (limits.isClosed()) answer.reject(new ServiceUnavailable(STOPPING_SENTENCE));
    else if (code === 0) answer.resolve(Buffer.concat(chunks).toString("utf8"));
    else answer.reject(new WorkerKilled(reason ?? (signal === "SIGKILL" ? "outside" : "crashed")));
  });
  return answer.promise;
}

interface RunLimits {
  memoryLimitBytes: number;
  deadline: number;
  running: Set<ReturnType<typeof spawn>>;
  isClosed(): boolean;
}

/**
 * Finds the program and checks its languages.
 * @throws Error with a sentence for the operator: the program or the data of a language is missing
 */
export function openNative({ langs, memoryLimitBytes, searchPath }: NativeOptions): NativeTesseract {
  const program = findTesseract(searchPath);
  const about = queryProgram(program, "--version");
  const version = /^tesseract v?\S+/m.exec(about)?.[0] ?? "tesseract";
  // The program lists the libraries it was built with; few are built without libtiff.
  const toFile = about.includes("libtiff") ? toTiff : (gray: GrayImage) => [toPgm(gray)];
  const known = new Set(queryProgram(program, "--list-langs").split(/\s+/));
  const missing = langs.find((lang) => !known.has(lang));
  if (missing !== undefined) {
    const name = `tesseract-ocr-${missing.replaceAll("_", "-")}`;
    throw new Error(`The program ${program} has no data for "${missing}": install them (apt-get install ${name})`);
  }
  const running: RunLimits["running"] = new Set();
  let closed = false;
  return {
    version,
    async recognize(gray, dpi, mode, deadline) {
      const options = ["--dpi", String(Math.round(dpi)), "--psm", String(mode), "-l", langs.join("+")];
      const variables = Object.entries(VARIABLES).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const limits = { memoryLimitBytes, deadline, running, isClosed: () => closed };
      return parseTsv(await runProgram(program, [...options, ...variables, "tsv"], toFile(gray), limits), dpi);
    },
    close() {
      closed = true;
      for (const child of running) child.kill("SIGKILL");
    },
  };
}
