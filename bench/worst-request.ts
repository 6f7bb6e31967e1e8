/**
 * The worst request: every request of the OpenAPI document, grown along each of its dimensions up to its limit, sent to
 * the whole service. Measures for how long the service's thread serves nobody else, and how the processor time grows.
 * `npm run bench -- worst-request [--only TEXT] [--all]`; `--all` prints every request.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noneFound, requireAll } from "./support/holds.ts";
import { optionOf } from "./support/options.ts";
import { treeUseOf } from "./support/process-tree.ts";
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
/** Growth is judged where a request takes this much: below it, noise is as large. */
const MIN_GROWTH_MS = 200;
/** Times are counted in steps of 10 ms: a smaller one is not told from this. */
const LEAST_TOLD_MS = 40;
/** The largest exponent of size that counts as n log n; between 250 KB and 1 MB, n log n itself has 1.08. */
const MAX_EXPONENT = 1.4;

interface Measured extends Heartbeat {
  status: number;
  bytes: number;
  /** Processor time of the service and its processes until the answer. */
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
  const cpuMs = service.cpuMs() - before;
  const beats = await service.heartbeat();
  if (answer.ok && request.method === "POST") await cancel(service, guid, Buffer.from(bytes));
  return { ...beats, cpuMs, status: answer.status, bytes: (body ?? url).length };
}

/** Ends the run that a request has started, so that it does not work beside the next one. */
async function cancel({ url }: Service, guid: string, body: Buffer): Promise<void> {
  const started = /"guid":"([\w-]{36})"/.exec(body.subarray(0, 1_000).toString())?.[1] ?? guid;
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
  exponent: number | undefined;
  faults: string[];
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
  let exponent: number | undefined;
  if (largest !== undefined && largest.cpuMs >= MIN_GROWTH_MS && found.length === LIMITS.length) {
    const again = (size: number) => least(service, request, size, () => false);
    const [small, large] = [await again(250_000), await again(999_900)];
    const growth = Math.log(large.cpuMs / Math.max(small.cpuMs, LEAST_TOLD_MS)) / Math.log(large.bytes / small.bytes);
    if (large.bytes > 2 * small.bytes) exponent = growth;
    if (large.cpuMs >= MIN_GROWTH_MS && (exponent ?? 0) > MAX_EXPONENT) {
      faults.push(`grows with the power ${exponent?.toFixed(2)} of its size: ${small.cpuMs} to ${large.cpuMs} ms`);
    }
  }
  return { request, found, exponent, faults };
}

function line({ request, found, exponent, faults }: Finding): string {
  const times = found.map(
    ({ blockedMs, cpuMs }) => `${blockedMs.toFixed(0).padStart(5)} / ${cpuMs.toFixed(0).padStart(5)}`,
  );
  const growth = exponent === undefined ? "    " : exponent.toFixed(2);
  const what = `${request.method} ${request.path}, ${request.dimension}`;
  return `${times.join("   ").padEnd(29)} ${growth}  ${found.at(-1)?.status ?? 0}  ${what}${faults.map((fault) => `  ${fault}`).join("")}\n`;
}

export async function run(args: string[]): Promise<void> {
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the processor time of other processes is read from /proc, which is Linux's\n");
    return;
  }
  const only = optionOf(args, "--only") ?? "";
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-worst-"));
  const service = await Service.start(dataDir);
  try {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    const requests = growingRequests(document).filter(({ method, path, dimension }) =>
      `${method} ${path}, ${dimension}`.includes(only),
    );
    if (requests.length === 0) throw new RangeError(`No request's name contains ${JSON.stringify(only)}`);
    process.stdout.write("blocked / CPU ms at 64 KB, 1 MB  power  status  request\n");
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
