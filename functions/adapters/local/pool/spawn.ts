/** How a pooled process is made: what it may see, read and take. */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The process's own watchdog kills at this multiple of the limit that the service watches. */
const HARD_LIMIT = 1.1;
/** JavaScript's heap gets this share of the limit; the rest is for Buffers, WebAssembly memory and the runtime itself. */
const HEAP_SHARE = 0.6;
/**
 * Megabytes of half the young generation. Left alone, V8 lets it grow until a long document's process takes 100 MB more,
 * which buys some 10 % of time on such documents and nothing on short ones.
 */
const SEMI_SPACE = 16;

const PROJECT = new URL("../../../../", import.meta.url);
/** The project's code and the packages; not the data that may lie beside them. */
const READABLE = ["functions/", "statemachines/", "node_modules/", "package.json"];

/** No keys, no paths, no proxies: a process gets what its runtime needs, and one time zone and language everywhere. */
function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { TZ: "UTC", LANG: "en_US.UTF-8" };
  for (const name of ["SystemRoot", "windir", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/**
 * Node's permission model: read the code, write nothing, start no program. Threads (the watchdog) and native packages
 * (sharp) must be allowed, so this is a fence around mistakes and not a wall against native code.
 */
function permissionFlags(module: URL): string[] {
  const paths = [...READABLE.map((name) => new URL(name, PROJECT)), new URL("./", module)]
    .map((url) => fileURLToPath(url))
    .filter((path) => existsSync(path));
  const readable = new Set(paths.flatMap((path) => [path, realpathSync(path)])); // node_modules may be a link
  return [
    "--permission",
    "--allow-worker",
    "--allow-addons",
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
  ];
}

/** Forks child.ts for a tasks' module. The process is not ready until it says so. */
export function spawnProcess(module: URL, memoryLimitBytes: number): ChildProcess {
  const heapMegabytes = Math.max(32, Math.floor((memoryLimitBytes * HEAP_SHARE) / 2 ** 20));
  const hardLimitBytes = Math.floor(memoryLimitBytes * HARD_LIMIT);
  return fork(
    fileURLToPath(new URL("./child.ts", import.meta.url)),
    [module.href, String(process.pid), String(hardLimitBytes)],
    {
      serialization: "advanced",
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        "--disable-warning=SecurityWarning",
        `--max-old-space-size=${heapMegabytes}`,
        `--max-semi-space-size=${SEMI_SPACE}`,
        ...permissionFlags(module),
      ],
      env: childEnvironment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
}
