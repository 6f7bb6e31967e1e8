/** The descendants of this process and their memory, on Linux (proc(5)). */
import { readFileSync } from "node:fs";

/** Children, their children and so on; none on other systems. */
export function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}

/** Peak resident memory of a process in bytes; 0 when it is gone. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export interface MemoryWatch {
  /** The highest peak of any single descendant so far, in bytes. */
  peak(): number;
  close(): void;
}

/** Polls every 20 ms. */
export function watchDescendants(): MemoryWatch {
  let peak = 0;
  const look = (): void => {
    for (const pid of descendants(process.pid)) peak = Math.max(peak, peakOf(pid));
  };
  const timer = setInterval(look, 20);
  return {
    peak() {
      look();
      return peak;
    },
    close: () => clearInterval(timer),
  };
}
