/**
 * The MiniStack emulator of AWS services, for tests that want a service's own behaviour over real HTTP. It is a Python
 * package: its virtual environment is made once, under node_modules/.cache, and each test file starts a process of its
 * own on a free port of this machine.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** All pinned: the emulator has a release every few days, and each answers a little differently. */
const REQUIREMENTS = ["ministack==1.5.33", "boto3==1.43.106", "botocore==1.43.106", "cryptography"];
const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/sheaf/ministack");
const INSTALLING_MILLISECONDS = 300_000;
const STARTING_MILLISECONDS = 30_000;

/** Ends the emulator with all that it started when its standard input closes, as it does however the test run ends. */
const LAUNCHER = `
import os, signal, sys, threading
def follow():
    sys.stdin.buffer.read()
    os.killpg(0, signal.SIGKILL)
threading.Thread(target=follow, daemon=True).start()
from ministack.app import main
sys.argv = ["ministack"]
main()
`;

export interface Ministack {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  /** What every client of it is made with. */
  clientOptions: {
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** Resolves when the process is gone. */
  close(): Promise<void>;
}

/** Why there is no emulator here, in one line. */
class Unavailable extends Error {}

async function run(command: string, ...parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, parameters, { timeout: INSTALLING_MILLISECONDS });
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : "";
    throw new Unavailable(`${command} ${parameters.slice(0, 3).join(" ")} … failed: ${said}`);
  }
}

/** The virtual environment's Python; the environment is made when it is not there. */
async function pythonWithMinistack(): Promise<string> {
  if (process.platform === "win32") throw new Unavailable("the emulator's launcher needs process groups");
  // Other versions are other environments: nothing is replaced under one that runs.
  const home = join(CACHE, createHash("sha256").update(REQUIREMENTS.join("\n")).digest("hex").slice(0, 12));
  const python = join(home, "bin", "python");
  if (existsSync(python)) return python;
  mkdirSync(CACHE, { recursive: true });
  // Made under another name and renamed when it is complete: test files run beside each other.
  const making = mkdtempSync(join(CACHE, "making-"));
  try {
    await run("python3", "-m", "venv", making);
    await run(join(making, "bin", "python"), "-m", "pip", "install", "--quiet", ...REQUIREMENTS);
    renameSync(making, home);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another test file may have been faster.
    if (!existsSync(python)) throw error;
  }
  return python;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("A server has no port");
  return address.port;
}

async function untilHealthy(url: string, hasEnded: () => boolean): Promise<boolean> {
  for (const end = performance.now() + STARTING_MILLISECONDS; performance.now() < end && !hasEnded(); ) {
    const healthy = await fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return true;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return false;
}

async function launch(python: string, enforceAuth: boolean): Promise<Ministack> {
  const directory = mkdtempSync(join(tmpdir(), "sheaf-ministack-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(directory, "log"), "w");
  const child = spawn(python, ["-c", LAUNCHER], {
    detached: true,
    stdio: ["pipe", log, log],
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      TMPDIR: directory,
      S3_DATA_DIR: join(directory, "s3"),
      STATE_DIR: join(directory, "state"),
      BIND_HOST: "127.0.0.1",
      // Not 127.0.0.1, which makes broken addresses of APIs.
      MINISTACK_HOST: "localhost",
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: "0",
      LAMBDA_EXECUTOR: "local",
      LOG_LEVEL: "WARNING",
      AUTH: String(enforceAuth),
    },
  });
  closeSync(log);
  let ended = false;
  const end = new Promise<void>((gone) => {
    child.once("error", () => gone());
    child.once("exit", () => gone());
  }).then(() => {
    ended = true;
  });
  child.stdin?.on("error", () => {});
  // A test file that never closes it is not kept from ending by it, and takes it along.
  child.unref();
  const close = async () => {
    child.ref();
    child.stdin?.end();
    await end;
    rmSync(directory, { recursive: true, force: true });
  };
  if (await untilHealthy(url, () => ended)) {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    return { url, clientOptions: { endpoint: url, region: "us-east-1", credentials }, close };
  }
  const said = readFileSync(join(directory, "log"), "utf8").trim().split("\n").slice(-3).join(" | ");
  await close();
  throw new Unavailable(`the emulator did not start: ${said}`);
}

/**
 * Starts the emulator, which is empty then. Call it at the top of a test file, and `close` in an `afterAll`.
 * @param options with `enforceAuth` it refuses what is not signed, or not granted; without, it takes everything
 * @returns undefined, after a line on the console that says why, where there is no Python or nothing to install it from
 */
export async function startMinistack({ enforceAuth = false } = {}): Promise<Ministack | undefined> {
  try {
    return await launch(await pythonWithMinistack(), enforceAuth);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`SKIPPED: the suites on the MiniStack emulator do not run here: ${error.message}`);
    return undefined;
  }
}
