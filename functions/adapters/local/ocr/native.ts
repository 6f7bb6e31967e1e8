/** Tesseract as a program of this machine: a picture in, its table of words out; watched from outside while it runs. */
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { accessSync, closeSync, constants, openSync, statSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Gray } from "../../../engine/imaging/gray-image.ts";
import { ServiceUnavailable } from "../../../ports/errors.ts";
import { openMemoryProbe } from "../pool/resident-memory.ts";
import { type KillReason, WorkerKilled } from "../pool/worker-killed.ts";
import { toPgm, toTiff } from "./pictures.ts";
import { type Mode, VARIABLES } from "./reading.ts";
import { parseTsv, type ReadWord } from "./tsv.ts";

export interface Native {
  /** What `tesseract --version` says first, such as `tesseract 5.3.0`. */
  version: string;
  /** @param deadline on the clock of performance.now() @throws WorkerKilled, ServiceUnavailable */
  recognize(gray: Gray, dpi: number, mode: Mode, deadline: number): Promise<ReadWord[]>;
  /** Ends what runs. */
  close(): void;
}

export interface NativeOptions {
  langs: readonly string[];
  memoryLimitBytes: number;
  /** Folders to look for the program in, as PATH lists them. */
  searchPath: string;
}

const STOPPING = "The service is stopping; try again when it is back";
/** Milliseconds between two looks at its memory; the longer while it has no more than this share of what it may have. */
const WATCH_EVERY = 25;
const WATCH_CALM = 100;
const CALM = 0.25;
/** A table of words is small; a program that writes more is not trusted further. */
const MOST_OUTPUT = 32 * 2 ** 20;
const LONGEST_QUESTION = 10_000;
const INSTALL = "install it (apt-get install tesseract-ocr, brew install tesseract) or use the embedded engine";

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function findProgram(searchPath: string): string {
  const names = process.platform === "win32" ? ["tesseract.exe"] : ["tesseract"];
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isProgram);
  if (found === undefined) throw new Error(`The program tesseract is not on the PATH: ${INSTALL}`);
  return found;
}

/** One thread a picture: pictures run beside each other. Nothing else of the service's environment is its business. */
const environment = (): NodeJS.ProcessEnv => ({
  OMP_THREAD_LIMIT: "1",
  LANG: "C.UTF-8",
  ...(process.env.TESSDATA_PREFIX === undefined ? {} : { TESSDATA_PREFIX: process.env.TESSDATA_PREFIX }),
});

function ask(program: string, argument: string): string {
  try {
    return execFileSync(program, [argument], {
      env: environment(),
      encoding: "utf8",
      timeout: LONGEST_QUESTION,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (cause) {
    throw new Error(`The program ${program} does not work as Tesseract 4 or later does: ${INSTALL}`, { cause });
  }
}

/** What the program reads a picture from: a name for it, and what it is on the other end. */
interface Input {
  name: string;
  stdin: "pipe" | number;
}

/**
 * A pipe the program reads by single bytes, which takes it a twentieth of a second for a page. Where a process can open
 * its input by name it gets a file, which has lost its own name already: nothing stays behind, whatever ends first.
 */
function openInput(picture: readonly Uint8Array[]): Input {
  if (process.platform !== "linux") return { name: "stdin", stdin: "pipe" };
  const file = path.join(tmpdir(), `sheaf-page-${randomUUID()}`);
  const stdin = openSync(file, "wx+", 0o600);
  unlinkSync(file);
  try {
    // By place, so that the program begins at the start however it reads.
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

/** Runs the program once. @param picture a file's parts */
function run(program: string, options: string[], picture: readonly Uint8Array[], limits: Limits): Promise<string> {
  const input = openInput(picture);
  const args = [input.name, "stdout", ...options];
  const child = spawn(program, args, { env: environment(), stdio: [input.stdin, "pipe", "ignore"] });
  if (typeof input.stdin === "number") closeSync(input.stdin); // the program has it open
  limits.running.add(child);
  const answer = Promise.withResolvers<string>();
  const probe = openMemoryProbe(child.pid ?? 0);
  let reason: KillReason = "crashed";
  const kill = (why: KillReason): void => {
    reason = why;
    child.kill("SIGKILL");
  };
  const look = (): void => {
    const share = (probe.sample() ?? limits.memoryLimitBytes) / limits.memoryLimitBytes;
    if (share > 1) kill("memory");
    else watch = setTimeout(look, share > CALM ? WATCH_EVERY : WATCH_CALM);
  };
  let watch = setTimeout(look, WATCH_EVERY);
  const timer = setTimeout(() => kill("deadline"), Math.max(limits.deadline - performance.now(), 0));
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_OUTPUT) kill("memory");
  });
  child.stdin?.on("error", () => undefined); // it ended before it had read all; "close" tells why
  for (const part of picture) child.stdin?.write(part);
  child.stdin?.end();
  child.on("error", () => answer.reject(new WorkerKilled("crashed")));
  child.on("close", (code) => {
    clearTimeout(watch);
    clearTimeout(timer);
    probe.close();
    limits.running.delete(child);
    if (limits.isClosed()) answer.reject(new ServiceUnavailable(STOPPING));
    else if (code === 0) answer.resolve(Buffer.concat(chunks).toString("utf8"));
    else answer.reject(new WorkerKilled(reason));
  });
  return answer.promise;
}

interface Limits {
  memoryLimitBytes: number;
  deadline: number;
  running: Set<ReturnType<typeof spawn>>;
  isClosed(): boolean;
}

/** @throws Error with a sentence for whoever configured the service: no such program, or a language that it lacks */
export function openNative({ langs, memoryLimitBytes, searchPath }: NativeOptions): Native {
  const program = findProgram(searchPath);
  const about = ask(program, "--version");
  const version = /^tesseract v?\S+/m.exec(about)?.[0] ?? "tesseract";
  // A program lists the libraries that it was built with; few are built without this one.
  const toFile = about.includes("libtiff") ? toTiff : (gray: Gray) => [toPgm(gray)];
  const known = new Set(ask(program, "--list-langs").split(/\s+/));
  const missing = langs.find((lang) => !known.has(lang));
  if (missing !== undefined) {
    const name = `tesseract-ocr-${missing.replaceAll("_", "-")}`;
    throw new Error(`The program ${program} has no data for "${missing}": install them (apt-get install ${name})`);
  }
  const running: Limits["running"] = new Set();
  let closed = false;
  return {
    version,
    async recognize(gray, dpi, mode, deadline) {
      const options = ["--dpi", String(Math.round(dpi)), "--psm", String(mode), "-l", langs.join("+")];
      const variables = Object.entries(VARIABLES).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const limits = { memoryLimitBytes, deadline, running, isClosed: () => closed };
      return parseTsv(await run(program, [...options, ...variables, "tsv"], toFile(gray), limits), dpi);
    },
    close() {
      closed = true;
      for (const child of running) child.kill("SIGKILL");
    },
  };
}
