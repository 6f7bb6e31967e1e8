/**
 * The worst request: every request of the OpenAPI document, grown along each of its dimensions up to its limit, sent to
 * the whole service. Measures for how long the service's thread serves nobody else, and how the processor time grows.
 * `npm run bench -- worst-request [--only TEXT] [--part K/N] [--all]`: the requests whose names hold a text, one of N
 * equal parts of them; `--all` prints every request.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noneFound, requireAll } from "./support/holds.ts";
import { optionOf } from "./support/options.ts";
import { treeUseOf } from "./support/process-tree.ts";
import { growsTooFast, powerOf, type Sample, yardstickPower } from "./worst-request/growth.ts";
import { type GrowingRequest, growingRequests, type OpenApi } from "./worst-request/requests.ts";
import type { Heartbeat } from "./worst-request/service.ts";

const KEY = "bench-worst-request-key";
const HEADERS = { authorization: `Bearer ${KEY}` };
/** Most milliseconds that a request of up to so many bytes may keep the thread. */
const LIMITS: readonly { bytes: number; blockedMs: number }[] = [
  { bytes: 64_000, blockedMs: 100 },
  { bytes: 1_000_000, blockedMs: 500 },
];
/** Tries of a request over a limit: other load of the machine only makes a try longer. */
const TRIES = 3;
/** Time for a run that a request starts; the longest, of a text of a megabyte, takes two. */
const MAX_RUN_SECONDS = 10;
/** Growth is judged where a request takes this much: below it, noise is as large. */
const MIN_GROWTH_MS = 200;
/** Sizes between which growth is judged. */
const GROWTH_BYTES = { small: 250_000, large: 999_900 };
/** So many small requests are timed together: times are counted in steps of 10 ms. */
const SMALL_TOGETHER = 4;

interface Measured extends Heartbeat {
  status: number;
  bytes: number;
  /** Processor time of the service and its processes until the answer, and until the end of a run that it starts. */
  cpuMs: number;
}

class Service {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(dataDir: string): Promise<Service> {
    const env = { ...process.env, PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: `1:${KEY}:read+write+admin` };
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "worst-request/service.ts")],
      { env, stdio: ["ignore", "inherit", "inherit", "ipc"] },
    );
    const [{ url }] = (await once(child, "message")) as [{ url: string }];
    return new Service(child, url);
  }

  async heartbeat(): Promise<Heartbeat> {
    const answer = once(this.#child, "message");
    this.#child.send("read");
    return ((await answer) as [Heartbeat])[0];
  }

  cpuMs(): number {
    return treeUseOf(this.#child.pid ?? 0).cpuSeconds * 1000;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.send("end");
    await ended;
  }
}

async function upload({ url }: Service): Promise<string> {
  const body = new FormData();
  body.append("document", new Blob(["Total: 12.50 EUR"]), "a.txt");
  const answer = await fetch(`${url}/document/upload`, { method: "POST", headers: HEADERS, body });
  return ((await answer.json()) as { guid: string }).guid;
}

async function makeBatch({ url }: Service): Promise<string> {
  const answer = await fetch(`${url}/document/batch`, { method: "POST", headers: HEADERS });
  return ((await answer.json()) as { guid: string }).guid;
}

/** Fills the path's parameters: a job of its own for each request, so that none is refused for another's run. */
async function pathOf(service: Service, { path, method }: GrowingRequest, given: Record<string, string>) {
  const fresh = path.includes("/batch/") ? makeBatch : upload;
  const needsJob = method !== "GET" && /\{(guid|jobGuid|parentJobId)\}/.test(path);
  const guid = needsJob ? await fresh(service) : "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? (/name/.test(name) ? "worst" : guid));
  return { guid, filled };
}

async function measure(service: Service, request: GrowingRequest, size: number): Promise<Measured> {
  const { query, parameters = {}, body, type } = request.make(size);
  const { guid, filled } = await pathOf(service, request, parameters);
  const url = `${service.url}${filled}${query === undefined ? "" : `?${query}`}${filled.includes("configuration/") ? "?overwrite=true" : ""}`;
  const headers = { ...HEADERS, ...(type === undefined ? {} : { "content-type": type }) };
  await service.heartbeat();
  const before = service.cpuMs();
  const answer = await fetch(url, { method: request.method, headers, ...(body === undefined ? {} : { body }) });
  const bytes = await answer.arrayBuffer();
  // A run works on after the answer: how much of it comes before the answer is chance.
  if (answer.ok && request.method === "POST") await endOfRun(service, guid, Buffer.from(bytes));
  const cpuMs = service.cpuMs() - before;
  const beats = await service.heartbeat();
  return { ...beats, cpuMs, status: answer.status, bytes: (body ?? url).length };
}

/** Waits for the run that a request has started; one that waits for something else, or takes long, is cancelled. */
async function endOfRun({ url }: Service, guid: string, body: Buffer): Promise<void> {
  const started = /"guid":"([\w-]{36})"/.exec(body.subarray(0, 1_000).toString())?.[1] ?? guid;
  const job = `${url}/job/status/${started}`;
  const isRunning = async (query: string): Promise<boolean> => {
    const answer = await fetch(`${job}${query}`, { headers: HEADERS });
    const { status = "", runs = [] } = answer.ok ? ((await answer.json()) as { status: string; runs: unknown[] }) : {};
    return runs.length > 0 && ["PENDING", "PROCESSING"].includes(status);
  };
  if ((await isRunning("")) && (await isRunning(`?waitSeconds=${MAX_RUN_SECONDS}`)))
    await fetch(`${url}/job/${started}/cancel`, { method: "POST", headers: HEADERS }).catch(() => undefined);
}

/** The least of some tries; the first that keeps the limit ends them. */
async function least(service: Service, request: GrowingRequest, size: number, enough: (one: Measured) => boolean) {
  let best: Measured | undefined;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const one = await measure(service, request, size);
    if (best === undefined || one.blockedMs < best.blockedMs)
      best = { ...one, cpuMs: Math.min(one.cpuMs, best?.cpuMs ?? one.cpuMs) };
    else best = { ...best, cpuMs: Math.min(one.cpuMs, best.cpuMs) };
    if (enough(one)) break;
  }
  return best as Measured;
}

interface Finding {
  request: GrowingRequest;
  found: Measured[];
  /** Exponent of the size in the growth of the processor time; undefined where the time is too short to tell. */
  power: number | undefined;
  /** The same of bare JSON; undefined where it was not needed. */
  yardstick: number | undefined;
  faults: string[];
}

/** The least processor time of a small and of a large request. */
async function growthSamples(service: Service, request: GrowingRequest): Promise<[small: Sample, large: Sample]> {
  const timed = async (size: number, together: number): Promise<Sample> => {
    const sums: number[] = [];
    let bytes = 0;
    for (let tried = 0; tried < TRIES; tried += 1) {
      let sum = 0;
      for (let count = 0; count < together; count += 1) {
        const one = await measure(service, request, size);
        sum += one.cpuMs;
        bytes = one.bytes;
      }
      sums.push(sum / together);
    }
    return { bytes, cpuMs: Math.min(...sums) };
  };
  return [await timed(GROWTH_BYTES.small, SMALL_TOGETHER), await timed(GROWTH_BYTES.large, 1)];
}

async function judge(service: Service, request: GrowingRequest): Promise<Finding> {
  const faults: string[] = [];
  const found: Measured[] = [];
  for (const { bytes, blockedMs } of LIMITS) {
    const size = Math.min(bytes, request.limit);
    const one = await least(service, request, size - 100, (tried) => tried.blockedMs <= blockedMs);
    found.push(one);
    if (one.blockedMs > blockedMs) faults.push(`blocks for ${one.blockedMs.toFixed(0)} ms at ${size} bytes`);
    if (one.status >= 500) faults.push(`answers ${one.status} at ${size} bytes`);
    if (size < bytes) break;
  }
  const largest = found.at(-1);
  let power: number | undefined;
  let yardstick: number | undefined;
  if (largest !== undefined && largest.cpuMs >= MIN_GROWTH_MS && found.length === LIMITS.length) {
    const [small, large] = await growthSamples(service, request);
    power = powerOf(small, large);
    const bare = () => {
      const body = (size: number): string => request.make(size).body ?? "";
      yardstick = yardstickPower(body(GROWTH_BYTES.small), body(GROWTH_BYTES.large));
      return yardstick;
    };
    if (large.cpuMs >= MIN_GROWTH_MS && power !== undefined && growsTooFast(power, bare)) {
      const times = `${small.cpuMs.toFixed(0)} to ${large.cpuMs.toFixed(0)} ms`;
      faults.push(`grows with the power ${power.toFixed(2)} of its size: ${times}`);
    }
  }
  return { request, found, power, yardstick, faults };
}

function line({ request, found, power, yardstick, faults }: Finding): string {
  const times = found.map(
    ({ blockedMs, cpuMs }) => `${blockedMs.toFixed(0).padStart(5)} / ${cpuMs.toFixed(0).padStart(5)}`,
  );
  const shown = (one: number | undefined): string => (one === undefined ? "    " : one.toFixed(2));
  const what = `${request.method} ${request.path}, ${request.dimension}`;
  return `${times.join("   ").padEnd(29)} ${shown(power)}  ${shown(yardstick)}  ${found.at(-1)?.status ?? 0}  ${what}${faults.map((fault) => `  ${fault}`).join("")}\n`;
}

/** Reads `K/N`: the K-th of N equal parts. @throws RangeError */
function partOf(text: string): <One>(all: readonly One[]) => One[] {
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > parts) throw new RangeError("--part must be K/N, such as 1/4");
  return (all) => all.slice(Math.floor((all.length * (part - 1)) / parts), Math.floor((all.length * part) / parts));
}

export async function run(args: string[]): Promise<void> {
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the processor time of other processes is read from /proc, which is Linux's\n");
    return;
  }
  const only = optionOf(args, "--only") ?? "";
  const part = partOf(optionOf(args, "--part") ?? "1/1");
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-worst-"));
  const service = await Service.start(dataDir);
  try {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    const named = growingRequests(document).filter(({ method, path, dimension }) =>
      `${method} ${path}, ${dimension}`.includes(only),
    );
    const requests = part(named);
    if (requests.length === 0) throw new RangeError(`No request's name contains ${JSON.stringify(only)}`);
    process.stdout.write("blocked / CPU ms at 64 KB, 1 MB  power  bare  status  request\n");
    const findings: Finding[] = [];
    for (const request of requests) {
      const finding = await judge(service, request);
      findings.push(finding);
      if (args.includes("--all") || finding.faults.length > 0) process.stdout.write(line(finding));
    }
    report(findings);
  } finally {
    await service.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const SHOWN = 15;

function report(findings: readonly Finding[]): void {
  const blockedAt = ({ found }: Finding, at: number): number => found[at]?.blockedMs ?? 0;
  LIMITS.forEach(({ bytes }, at) => {
    process.stdout.write(`\nThe longest blocks of requests up to ${bytes.toLocaleString("en-US")} bytes\n`);
    const worst = findings.toSorted((a, b) => blockedAt(b, at) - blockedAt(a, at)).slice(0, SHOWN);
    for (const finding of worst) process.stdout.write(line(finding));
  });
  const broken = (words: string): number =>
    findings.filter(({ faults }) => faults.some((fault) => fault.startsWith(words))).length;
  requireAll([
    noneFound(`requests that block for long, of ${findings.length}`, broken("blocks")),
    noneFound("requests whose processor time grows faster than n log n", broken("grows")),
    noneFound("requests that are answered by a fault of the service", broken("answers")),
  ]);
}
