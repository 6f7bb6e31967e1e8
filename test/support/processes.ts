import { readFileSync } from "node:fs";

/** True for a running process, but not for one that has ended and was not yet waited for (a zombie). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

/** Waits until none of them runs. @throws Error naming those that still run */
export async function untilGone(pids: readonly number[], milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (pids.some(isRunning)) {
    if (performance.now() > end) throw new Error(`Still running: ${pids.filter(isRunning).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
