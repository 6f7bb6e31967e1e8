/** Spawns a pooled process with restricted environment, file access and memory. */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CODE_FOLDER, PACKAGE_FOLDERS } from "../code-place.ts";

/** Multiple of the service's memory limit at which the process's own watchdog kills it. */
const HARD_LIMIT_RATIO = 1.1;
/** Share of the limit for JavaScript's heap; the rest is for Buffers, WebAssembly memory and the runtime itself. */
const HEAP_SHARE = 0.6;
/**
 * Megabytes of half the young generation. By default V8 lets it grow until a long document's process takes 100 MB more,
 * for about 10 % less time on such documents and no gain on short ones.
 */
const SEMI_SPACE_MEGABYTES = 16;

/** The code and its packages, not the data that may lie beside them. */
const READABLE_PATHS = [
  ...["functions/", "statemachines/", "package.json"].map((name) => join(CODE_FOLDER, name)),
  ...PACKAGE_FOLDERS.map((folder) => join(folder, "/")),
];

/**
 * Lets glibc give freed memory back to the system (mallopt(3); other C libraries pass these over). By itself it keeps
 * an arena for each of libvips' threads, and raises both thresholds to the largest block freed. Measured with three
 * readings and page pictures of 24 PDFs: 325 MB resident instead of 400 to 484, for 1 % more processor time; at
 * thresholds of 128 KiB 280 MB, for 3 to 5 %.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: String(16 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(16 * 2 ** 20),
};

/**
 * No keys, no paths, no proxies: a process gets only the variables its runtime needs, and a fixed time zone and
 * language.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { TZ: "UTC", LANG: "en_US.UTF-8", ...ALLOCATOR };
  for (const name of ["SystemRoot", "windir", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/**
 * Node's permission model: read the code, write nothing, start no program. Threads (the watchdog) and native packages
 * (sharp) must be allowed, so this protects against mistakes, not against native code.
 */
function permissionFlags(code: readonly URL[]): string[] {
  const folders = code.map((file) => fileURLToPath(new URL("./", file)));
  const paths = [...READABLE_PATHS, ...folders].filter((path) => existsSync(path));
  const readable = new Set(paths.flatMap((path) => [path, realpathSync(path)])); // node_modules may be a symbolic link
  return [
    "--permission",
    "--allow-worker",
    "--allow-addons",
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
  ];
}

/**
 * Niceness of processes for long work, above the service's: where processors are short, the service's own thread and
 * the process for short tasks get about three times as much as such a process (Linux weighs a step as 1.25).
 */
const LONG_WORK_NICENESS = 5;

/** Lets a process yield the processors to the service. A system without priorities treats all alike. */
export function yieldProcessors(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(getPriority() + LONG_WORK_NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // The process is gone already, or the system refuses.
  }
}

/** Code of a process. */
export interface ProcessCode {
  /** Module that exports `tasks`. */
  module: URL;
  /** One file with the module and everything else that the process runs. Without it, or when it is gone: child.ts. */
  bundled?: URL;
}

/** Forks a process for the tasks of a module. The process reports when it is ready. */
export function spawnProcess({ module, bundled }: ProcessCode, memoryLimitBytes: number): ChildProcess {
  const script = bundled !== undefined && existsSync(bundled) ? bundled : new URL("./child.ts", import.meta.url);
  const heapMegabytes = Math.max(32, Math.floor((memoryLimitBytes * HEAP_SHARE) / 2 ** 20));
  const hardLimitBytes = Math.floor(memoryLimitBytes * HARD_LIMIT_RATIO);
  return fork(fileURLToPath(script), [module.href, String(process.pid), String(hardLimitBytes)], {
    serialization: "advanced",
    execArgv: [
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
      `--max-old-space-size=${heapMegabytes}`,
      `--max-semi-space-size=${SEMI_SPACE_MEGABYTES}`,
      ...permissionFlags([module, script]),
    ],
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}
