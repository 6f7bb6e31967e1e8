/**
 * Resident memory of another process, read from outside, because a process that spins or thrashes cannot report it.
 *
 * Linux: /proc/{pid}/status (man 5 proc), VmRSS + VmSwap, so that swapped memory still counts.
 * Other POSIX systems: `ps -o rss=` (1,024-byte units), at most ten times a second, because every sample starts a
 * process.
 * Windows has neither: only the process's own watchdog thread, which reads its working set every 25 ms, enforces the
 * limit
 * (its hard limit, 1.1 times this one); deadlines work everywhere, SIGKILL being TerminateProcess.
 */
import { execFile } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";

export interface MemoryProbe {
  /** Bytes at the last sample; undefined while unknown and when the process is gone. */
  sample(): number | undefined;
  close(): void;
}

/** Milliseconds between two samples by `ps`. */
const SAMPLE_INTERVAL_MS = 100;

/** An open descriptor keeps naming this process, even when its pid is reused. */
function openProc(pid: number): MemoryProbe {
  let descriptor: number | undefined = openSync(`/proc/${pid}/status`, "r");
  const text = Buffer.alloc(4_096);
  return {
    sample() {
      if (descriptor === undefined) return undefined;
      try {
        const status = text.toString("latin1", 0, readSync(descriptor, text, 0, text.length, 0));
        const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
        const swapped = /^VmSwap:\s+(\d+) kB$/m.exec(status)?.[1];
        return resident === undefined ? undefined : (Number(resident) + Number(swapped ?? 0)) * 1_024;
      } catch {
        return undefined; // ESRCH: the process has ended
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Exported for the test, which also runs it on Linux. */
export function openPs(pid: number): MemoryProbe {
  let latest: number | undefined;
  let asking = false;
  let open = true;
  let nextAsk = 0;
  const ask = (): void => {
    if (asking || !open || performance.now() < nextAsk) return;
    asking = true;
    nextAsk = performance.now() + SAMPLE_INTERVAL_MS;
    execFile("ps", ["-o", "rss=", "-p", String(pid)], { timeout: 1_000 }, (error, answer) => {
      asking = false;
      const kilobytes = Number.parseInt(answer, 10);
      latest = error !== null || Number.isNaN(kilobytes) ? undefined : kilobytes * 1_024;
    });
  };
  return {
    sample() {
      ask();
      return latest;
    },
    close() {
      open = false;
      latest = undefined;
    },
  };
}

const NO_PROBE: MemoryProbe = { sample: () => undefined, close: () => undefined };

/** Opens the best probe of this system. Never throws; a process that is gone has no samples. */
export function openMemoryProbe(pid: number): MemoryProbe {
  if (process.platform === "win32") return NO_PROBE;
  if (process.platform !== "linux") return openPs(pid);
  try {
    return openProc(pid);
  } catch {
    return openPs(pid); // no /proc here
  }
}
