/** Runs a program with limits: a process group of its own, no network where the system allows it, watched memory. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { machineFault } from "../../../ports/machine-faults.ts";
import { openMemoryProbe } from "../pool/resident-memory.ts";
import { yieldProcessors } from "../pool/spawn.ts";
import type { KillReason } from "../pool/worker-killed.ts";
import { findProgram } from "../program-search.ts";

/** Milliseconds between two samples of the program's memory. */
const WATCH_INTERVAL_MS = 50;
const PROBE_TIMEOUT_MS = 5_000;
/** The shell counts files in blocks of 512 bytes (POSIX, ulimit). */
const BLOCK_BYTES = 512;

export interface ProgramLimits {
  memoryBytes: number;
  /** Limit of processor time; it holds also when the service is gone. */
  cpuSeconds: number;
  /** The largest file that it may write. */
  fileBytes: number;
  /** On the clock of performance.now(). */
  deadline: number;
}

/** The end of a program: its exit code, or the reason for which it was killed. */
export type ProgramEnd = { code: number | null; killed?: undefined } | { killed: KillReason };

/** Ends a process and all that it started. */
export function killGroup(child: ChildProcess): void {
  try {
    if (process.platform !== "win32" && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // The group is gone already.
  }
}

/**
 * The command that starts another one without network: a name space of its own (unshare of util-linux), which takes
 * root's rights or the system's permission for every user. Empty where there is neither.
 */
export function withoutNetwork(searchPath: string): readonly string[] {
  const unshare = process.platform === "linux" ? findProgram("unshare", searchPath) : undefined;
  if (unshare === undefined) return [];
  const ways = [
    [unshare, "--net"],
    [unshare, "--map-root-user", "--net"],
  ];
  return ways.find(([program = "", ...options]) => works(program, [...options, "--", "/bin/sh", "-c", ":"])) ?? [];
}

function works(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { env: {}, timeout: PROBE_TIMEOUT_MS, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Adds the limits that the system itself holds. */
function limited(command: readonly string[], { cpuSeconds, fileBytes }: ProgramLimits): readonly string[] {
  if (process.platform === "win32") return command;
  const limits = `ulimit -t ${cpuSeconds} && ulimit -f ${Math.ceil(fileBytes / BLOCK_BYTES)} && ulimit -c 0 && exec "$@"`;
  return ["/bin/sh", "-c", limits, "sh", ...command];
}

/**
 * Runs a command to its end and kills its group at a limit.
 * @param onStart gets the process
 * @throws the machine's fault when it cannot be started
 */
export async function runContained(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  limits: ProgramLimits,
  onStart: (child: ChildProcess) => void,
): Promise<ProgramEnd> {
  const [program = "", ...args] = limited(command, limits);
  const child = spawn(program, args, { env: environment, stdio: "ignore", detached: process.platform !== "win32" });
  const ended = Promise.withResolvers<ProgramEnd>();
  child.on("error", (error) => ended.reject(machineFault(error) ?? error));
  onStart(child);
  yieldProcessors(child.pid);
  const probe = openMemoryProbe(child.pid ?? 0);
  let killed: KillReason | undefined;
  const kill = (reason: KillReason): void => {
    killed ??= reason;
    killGroup(child);
  };
  const watch = setInterval(() => {
    if ((probe.sample() ?? 0) > limits.memoryBytes) kill("memory");
  }, WATCH_INTERVAL_MS);
  const timer = setTimeout(() => kill("deadline"), Math.max(limits.deadline - performance.now(), 0));
  child.on("exit", (code, signal) => {
    // The system ends a program over its processor time by SIGXCPU or SIGKILL.
    if (killed === undefined && (signal === "SIGXCPU" || signal === "SIGKILL")) killed = "deadline";
    ended.resolve(killed === undefined ? { code } : { killed });
  });
  try {
    return await ended.promise;
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
    probe.close();
    killGroup(child); // what it left behind
  }
}
