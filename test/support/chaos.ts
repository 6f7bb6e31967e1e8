/** Starts, kills and restarts the service as a process, and repeats idempotent requests until they are answered. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Body } from "./api.ts";
import { bundledWorker } from "./bundled-worker.ts";
import { KEYS } from "./keys.ts";

type Parsed = ReturnType<typeof JSON.parse>;

export interface ChaosOptions {
  /** An existing folder, which stays after close. */
  dataDir?: string;
  /** Most file handles of the process (`ulimit -n`). */
  openFiles?: number;
  /** Has all document processes of a service; otherwise one, because each start of one takes most of a second. */
  allProcesses?: true;
  /** Receives what the process writes to stderr; default: the test's own. */
  log?: (text: string) => void;
}

/** The process' main module, bundled at the first start. */
let program: Promise<URL> | undefined;

export class ChaosService implements AsyncDisposable {
  /** Additional environment of the process. */
  readonly #env: Record<string, string>;
  readonly #options: ChaosOptions;
  readonly dataDir: string;
  #child: ChildProcess | undefined;
  #lines: Interface | undefined;
  url = "";
  starts = 0;
  /** Called before each start of the process. */
  starting: () => void = () => undefined;

  #starting: Promise<void> | undefined;

  constructor(env: Record<string, string> = {}, options: ChaosOptions = {}) {
    this.#env = env;
    this.#options = options;
    this.dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "sheaf-chaos-"));
  }

  /** Starts the process unless it runs; concurrent callers share one start. */
  async up(): Promise<void> {
    if (this.alive && this.#starting === undefined) return;
    this.#starting ??= this.start().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Starts the process, with an optional fail point; returns its URL when it is ready. */
  async start(point?: string): Promise<void> {
    this.starts += 1;
    this.starting();
    const { openFiles, log, allProcesses } = this.#options;
    program ??= bundledWorker("chaos-service");
    const script = fileURLToPath(await program);
    const node = [process.execPath, "--disable-warning=ExperimentalWarning", script, this.dataDir];
    const limited = openFiles === undefined ? [] : ["sh", "-c", `ulimit -n ${openFiles} && exec "$@"`, "sh"];
    const [command = "", ...args] = [...limited, ...node, ...(point ? [point] : [])];
    const child = spawn(command, args, {
      stdio: ["pipe", "pipe", log === undefined ? "inherit" : "pipe"],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(dirname(script), "compiled"),
        ...(allProcesses === true ? { CHAOS_ALL_PROCESSES: "1" } : {}),
        ...this.#env,
      },
    });
    child.stderr?.on("data", (chunk) => log?.(String(chunk)));
    child.stdin?.on("error", () => undefined); // it ended meanwhile
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout as Readable });
    const [line] = (await Promise.race([
      once(this.#lines, "line"),
      once(child, "exit").then(() => {
        throw new Error("The service ended before it was ready");
      }),
    ])) as [string];
    this.url = JSON.parse(line).url;
  }

  /** Sends a line to the process. @returns its answer */
  async #say(line: string): Promise<Parsed> {
    const answer = once(this.#lines as Interface, "line");
    this.#child?.stdin?.write(`${line}\n`);
    const [text] = (await answer) as [string];
    return JSON.parse(text);
  }

  /** Sends a line to the process, if it runs; a process that ends meanwhile does not matter. */
  async tell(line: string): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.alive || this.#starting !== undefined) return;
    await Promise.race([this.#say(line), once(child, "exit")]);
  }

  /** The process' id; undefined while there is none. */
  get pid(): number | undefined {
    return this.alive ? this.#child?.pid : undefined;
  }

  /** The port calls since the start, or since a point was armed. */
  async calls(): Promise<string[]> {
    return (await this.#say("calls")).calls;
  }

  /** Sets the call at which the running process dies, and counts anew. */
  async arm(point = ""): Promise<void> {
    await this.up();
    await this.#say(`arm ${point}`);
  }

  get alive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.alive) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    if (this.#options.dataDir === undefined) rmSync(this.dataDir, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Repeats a request until it is answered; restarts a dead service without a fail point. */
  async call(
    method: string,
    path: string,
    init: { body?: () => Body; headers?: Record<string, string> } = {},
  ): Promise<Parsed> {
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        await this.up();
        const headers = { authorization: `Bearer ${KEYS.one}`, ...init.headers };
        const body = init.body?.();
        const response = await fetch(this.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
        const answer: Parsed = await response.json();
        if (response.ok) return answer;
        throw new Refused(`${method} ${path}: ${response.status} ${answer.message}`);
      } catch (error) {
        if (error instanceof Refused) throw error;
        // The process may die a moment after its connection.
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
    throw new Error(`${method} ${path} was never answered`);
  }

  /** One document from upload to end, with keys that make every try the same request. */
  async job(
    name: string,
    document: Uint8Array,
    wish: object = { schema: { invoice_number: "string", total: "number" } },
  ): Promise<Parsed> {
    const key = (step: string): Record<string, string> => ({ "idempotency-key": `${name}-${step}` });
    const upload = (): FormData => {
      const body = new FormData();
      body.append("document", new Blob([Buffer.from(document)]), "invoice.pdf");
      return body;
    };
    const { guid } = await this.call("POST", "/document/upload", { body: upload, headers: key("upload") });
    const headers = { ...key("process"), "content-type": "application/json" };
    const command = JSON.stringify(wish);
    await this.call("POST", `/document/process/${guid}`, { body: () => command, headers });
    for (let round = 0; round < 40; round++) {
      const job = await this.call("GET", `/job/status/${guid}?waitSeconds=5`);
      if (["PENDING", "PROCESSING"].includes(job.status)) continue;
      return { ...job, result: job.status === "FAILED" ? null : await this.call("GET", `/job/result/${guid}`) };
    }
    throw new Error(`Job ${guid} did not end`);
  }
}

class Refused extends Error {}
