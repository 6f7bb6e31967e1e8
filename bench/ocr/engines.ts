/** The readers: our two engines and the program tesseract itself, one page at a time with one thread each. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { parseTsv } from "../../functions/adapters/local/ocr/tesseract-tsv.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { OcrFrame, OcrLevel } from "../../functions/ports/ocr.ts";
import type { PlacedText } from "../support/match.ts";

export interface Answer {
  words: PlacedText[];
  /** Seconds of wall time and of CPU time, of the reader's processes and our own. NaN when unknown. */
  wall: number;
  cpu: number;
}

export interface Reader {
  name: string;
  read(picture: Uint8Array, frame: OcrFrame): Promise<Answer>;
  /** Peak memory of one of its processes in megabytes; NaN when unknown. */
  peak(): number;
  close(): Promise<void>;
}

const CLOCK_TICKS_PER_SECOND = 100;
const KILOBYTES_PER_MEGABYTE = 1024;

/** CPU seconds of a process and of the children it waited for (proc(5), fields 14 to 17). */
function cpuSeconds(pid: number | "self"): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

function peakMegabytes(pid: number): number {
  try {
    return (
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / KILOBYTES_PER_MEGABYTE
    );
  } catch {
    return Number.NaN;
  }
}

async function measureReading(pids: () => number[], work: () => Promise<PlacedText[]>): Promise<Answer> {
  const times = (): number => cpuSeconds("self") + pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const [startedAt, used] = [performance.now(), times()];
  const words = await work();
  return { words, wall: (performance.now() - startedAt) / 1000, cpu: times() - used };
}

/** Reads a blank picture, so that processes start before the measurement. */
const warmUp = (reader: Reader, picture: Uint8Array, frame: OcrFrame): Promise<unknown> => reader.read(picture, frame);

/** Our engine with one process. @throws Error when its program or data are missing */
export async function openReader(
  engine: "embedded" | "native",
  level: OcrLevel,
  first: { picture: Uint8Array; frame: OcrFrame },
): Promise<Reader> {
  const clock = systemClock();
  let pid: number | undefined;
  let most = 0;
  const ocr = openLocalOcr({
    clock,
    jobTimeoutSeconds: 300,
    langs: ["eng"],
    engine,
    size: 1,
    onEvent: (event) => {
      if (event.kind === "start") pid = event.pid;
    },
  });
  const pids = (): number[] => (pid === undefined ? [] : [pid]);
  const reader: Reader = {
    name: `ours, ${engine}${level === "DEFAULT" ? "" : `, ${level}`}`,
    async read(bytes, frame) {
      const answer = await measureReading(pids, async () => {
        const limits = { deadline: clock.now() + 300_000 };
        const { page } = await ocr.recognize({ bytes, pageNumber: 1, frame }, level, limits);
        return pageWords(page.page);
      });
      most = Math.max(most, ...pids().map(peakMegabytes));
      return answer;
    },
    peak: () => most,
    close: () => ocr.close(),
  };
  await warmUp(reader, first.picture, first.frame);
  return reader;
}

function runProgram(picture: Uint8Array, onMemory: (megabytes: number) => void): Promise<string> {
  const child = spawn("tesseract", ["stdin", "stdout", "tsv"], {
    env: { ...process.env, OMP_THREAD_LIMIT: "1" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const watch = setInterval(() => onMemory(child.pid === undefined ? Number.NaN : peakMegabytes(child.pid)), 50);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      clearInterval(watch);
      resolve(text);
    });
    child.stdin.end(picture);
  });
}

/** The resolution of a PNG or JPEG from its width and its frame. */
const dpiOf = (frame: OcrFrame, width: number): number => width / frame.width;

/** The yardstick: the program with its own defaults; undefined when it is not installed. */
export function openYardstick(widthOf: (picture: Uint8Array) => Promise<number>): Reader | undefined {
  const version = spawnSync("tesseract", ["--version"], { encoding: "utf8" });
  if (version.status !== 0) return undefined;
  let most = 0;
  return {
    name: version.stdout.split("\n")[0] ?? "tesseract",
    async read(picture, frame) {
      const dpi = dpiOf(frame, await widthOf(picture));
      return measureReading(
        () => [],
        async () =>
          parseTsv(
            await runProgram(picture, (megabytes) => {
              if (megabytes > most) most = megabytes;
            }),
            dpi,
          ),
      );
    },
    peak: () => most,
    close: async () => undefined,
  };
}
