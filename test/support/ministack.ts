/**
 * The MiniStack emulator of AWS services, for tests of a service's own behaviour over real HTTP. It is a Python
 * package: its virtual environment is created once, under node_modules/.cache, and each test file starts its own
 * process on a free port.
 */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { LAUNCHER } from "./ministack-launcher.ts";
import { pythonWith, Unavailable } from "./python.ts";

/** All pinned: the emulator has frequent releases with slightly different behaviour. */
const REQUIREMENTS = ["ministack==1.5.33", "boto3==1.43.106", "botocore==1.43.106", "cryptography"];
const START_TIMEOUT_MS = 30_000;

export interface Ministack {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  /** The environment of a process that calls it as AWS. */
  environment: Record<string, string>;
  /** The file of its log. */
  logFile: string;
  /** Options of all its clients. */
  clientOptions: {
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** Resolves when the process is gone. */
  close(): Promise<void>;
}

/** The virtual environment's Python. */
async function pythonWithMinistack(): Promise<string> {
  if (process.platform === "win32") throw new Unavailable("the emulator's launcher needs process groups");
  return pythonWith("ministack", REQUIREMENTS);
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
  for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end && !hasEnded(); ) {
    const healthy = await fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return true;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return false;
}

export interface MinistackOptions {
  /** Refuses unsigned and unauthorized requests; by default it accepts all. */
  enforceAuth?: boolean;
  /** Files of a certificate for localhost and 127.0.0.1, which the caller's process must already trust. */
  tls?: { certificate: string; key: string };
  logLevel?: "INFO" | "WARNING";
  /** Scales the waits of machines. */
  waitScale?: number;
}

/** The environment that turns TLS on and makes every kind of program trust it. */
const tlsEnvironment = ({ certificate, key }: { certificate: string; key: string }): Record<string, string> => ({
  USE_SSL: "1",
  MINISTACK_SSL_CERT: certificate,
  MINISTACK_SSL_KEY: key,
  NODE_EXTRA_CA_CERTS: certificate,
  SSL_CERT_FILE: certificate,
  AWS_CA_BUNDLE: certificate,
});

/** Ends a process and all processes that it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** The emulator's environment; it writes below `directory` only. */
const emulatorEnvironment = (directory: string, port: number, options: MinistackOptions): NodeJS.ProcessEnv => ({
  // Its functions run on the tests' Node.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  HOME: directory,
  TMPDIR: directory,
  S3_DATA_DIR: join(directory, "s3"),
  STATE_DIR: join(directory, "state"),
  BIND_HOST: "127.0.0.1",
  // With 127.0.0.1 it makes broken addresses of APIs.
  MINISTACK_HOST: "localhost",
  GATEWAY_PORT: String(port),
  IOT_MTLS_ENABLED: "0",
  LAMBDA_EXECUTOR: "local",
  LOG_LEVEL: options.logLevel ?? "WARNING",
  AUTH: String(options.enforceAuth ?? false),
  SFN_WAIT_SCALE: String(options.waitScale ?? 1),
  ...(options.tls ? tlsEnvironment(options.tls) : {}),
});

async function launch(python: string, options: MinistackOptions): Promise<Ministack> {
  const directory = mkdtempSync(join(tmpdir(), "sheaf-ministack-"));
  const port = await freePort();
  const url = `${options.tls ? "https" : "http"}://127.0.0.1:${port}`;
  const region = "us-east-1";
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const environment = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: region,
    AWS_ENDPOINT_URL: url,
    AWS_ENDPOINT_URL_S3: url,
    ...(options.tls ? { NODE_EXTRA_CA_CERTS: options.tls.certificate } : {}),
  };
  const logFile = join(directory, "log");
  const log = openSync(logFile, "w");
  const child = spawn(python, ["-c", LAUNCHER], {
    detached: true,
    stdio: ["pipe", log, log],
    env: emulatorEnvironment(directory, port, options),
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
  // A test file that never closes it can still end, and ends it, too.
  child.unref();
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  // When this process ends there is no time to wait for the emulator's end.
  const abandon = () => {
    if (!ended && child.pid !== undefined) killGroup(child.pid);
    remove();
  };
  process.once("exit", abandon);
  const close = async () => {
    child.ref();
    child.stdin?.end();
    await end;
    process.off("exit", abandon);
    remove();
  };
  if (await untilHealthy(url, () => ended)) {
    return { url, environment, clientOptions: { endpoint: url, region, credentials }, logFile, close };
  }
  const reason = readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" | ");
  const why = `the emulator did not start: ${reason}`;
  const broke = ended;
  await close();
  // It exits by itself when its launcher no longer fits: do not mistake that for a machine without Python.
  throw broke ? new Error(why) : new Unavailable(why);
}

/**
 * Starts an empty emulator. Call it at the top of a test file, and `close` in an `afterAll`.
 * @returns undefined, after a line with the reason on the console, without Python or a source for its packages
 */
export async function startMinistack(options: MinistackOptions = {}): Promise<Ministack | undefined> {
  try {
    return await launch(await pythonWithMinistack(), options);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`SKIPPED: the suites on the MiniStack emulator do not run here: ${error.message}`);
    return undefined;
  }
}

/** The actions and resources that the emulator refused for a missing right, from its log. */
export function denialsIn(logFile: string): string[] {
  const denials = readFileSync(logFile, "utf8").matchAll(/^DENIED (.*)$/gm);
  return [...new Set([...denials].map(([, denial = ""]) => denial))];
}

/** The launcher's fixes, and whether the emulator still needs them, from its log. */
export function fixesIn(logFile: string): Record<string, "needed" | "not needed"> {
  const mends = readFileSync(logFile, "utf8").matchAll(/^MEND (needed|not needed) (.*)$/gm);
  return Object.fromEntries([...mends].map(([, held, name]) => [name, held]));
}

/** Errors by which the service's own code ends a run. */
const EXPECTED_ERRORS = new Set(["JobFailure", "RetryableStepError", "RunClosed"]);

/** Functions that failed with any other error, which is a defect: their names and errors. */
export function defectsIn(logFile: string): string[] {
  const failures = readFileSync(logFile, "utf8").matchAll(/^FAILED (\S+) (\S+) (.*)$/gm);
  return [...failures].flatMap(([, name, type = "", message]) =>
    EXPECTED_ERRORS.has(type) ? [] : [`${name}: ${type}: ${message}`],
  );
}

/** True when it is installed or can be; otherwise a line on the console gives the reason. */
export async function canRunMinistack(): Promise<boolean> {
  try {
    await pythonWithMinistack();
    return true;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`SKIPPED: nothing is deployed to the MiniStack emulator here: ${error.message}`);
    return false;
  }
}
