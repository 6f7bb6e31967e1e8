/** Resource use of a process and its descendants on Linux (proc(5)). */
import { readdirSync, readFileSync } from "node:fs";

export interface TreeUse {
  /** Time of running processes, and of ended children that were waited for. */
  cpuSeconds: number;
  /** Resident now; shared pages count for each process. */
  residentBytes: number;
}

/** The unit of CPU times on Linux machines that run Node. */
const CLOCK_TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

interface ProcessStat {
  pid: number;
  parent: number;
  ticks: number;
  pages: number;
}

/** Fields of /proc/PID/stat after the name in parentheses, which may hold spaces; undefined for an ended process. */
function processStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (field: number): number => fields[field - 3] ?? 0;
  return { pid, parent: at(4), ticks: at(14) + at(15) + at(16) + at(17), pages: at(24) };
}

/** CPU seconds of all processes of this machine since its start. */
export function machineCpuSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? ""
  )
    .split(" ")
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / CLOCK_TICKS_PER_SECOND;
}

/** @param root id of a process on this machine, which must have /proc */
export function treeUseOf(root: number): TreeUse {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processStat(Number(name)) ?? []);
  const inside = new Set([root]);
  for (let grown = 0; grown !== inside.size; ) {
    grown = inside.size;
    for (const { pid, parent } of all) if (inside.has(parent)) inside.add(pid);
  }
  const tree = all.filter(({ pid }) => inside.has(pid));
  return {
    cpuSeconds: tree.reduce((sum, { ticks }) => sum + ticks, 0) / CLOCK_TICKS_PER_SECOND,
    residentBytes: tree.reduce((sum, { pages }) => sum + pages, 0) * PAGE_BYTES,
  };
}
