/** What a process and all below it have used, as Linux tells it (proc(5)). */
import { readdirSync, readFileSync } from "node:fs";

export interface TreeUse {
  /** Of what runs, and of children that have ended and were waited for. */
  cpuSeconds: number;
  /** Resident now; pages that processes share count for each. */
  residentBytes: number;
}

/** Linux counts in these on every machine that Node runs on. */
const TICKS_A_SECOND = 100;
const PAGE_BYTES = 4096;

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
  pages: number;
}

/** Fields of /proc/PID/stat behind the name in parentheses, which may hold blanks; undefined for what has ended. */
function statOf(pid: number): Stat | undefined {
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

/** CPU seconds that all processes of this machine have used since it started. */
export function machineCpuSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? ""
  )
    .split(" ")
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_A_SECOND;
}

/** @param root the id of a process on this machine, which must have /proc */
export function useOfTree(root: number): TreeUse {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const inside = new Set([root]);
  for (let grown = 0; grown !== inside.size; ) {
    grown = inside.size;
    for (const { pid, parent } of all) if (inside.has(parent)) inside.add(pid);
  }
  const tree = all.filter(({ pid }) => inside.has(pid));
  return {
    cpuSeconds: tree.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_A_SECOND,
    residentBytes: tree.reduce((sum, { pages }) => sum + pages, 0) * PAGE_BYTES,
  };
}
