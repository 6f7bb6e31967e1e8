/** A client that works on one job after the other, and repeats each request until it is answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosService } from "../chaos.ts";
import { KEYS } from "../keys.ts";
import type { ClientJob, History } from "./history.ts";

type Parsed = ReturnType<typeof JSON.parse>;

/** Milliseconds in which a request must be answered, faults included. */
const MAX_UNANSWERED_MS = 150_000;
/** Milliseconds in which a job must end: its run's 300 s and a start. */
const MAX_OPEN_MS = 360_000;
/** Milliseconds for one try. */
const TRY_MS = 30_000;
const PAUSE_MS = 150;

/** Answers that ask for another try; a 409 with `Retry-After` says that the first try is still at work. */
const AGAIN = new Set([429, 503, 507]);

interface CallOptions {
  json?: unknown;
  form?: () => FormData;
  key?: string;
}

/** Repeats a request until it is answered. @throws Error when it is refused, or never answered */
export async function call(
  service: ChaosService,
  history: History,
  method: string,
  path: string,
  { json, form, key }: CallOptions = {},
): Promise<Parsed> {
  const headers: Record<string, string> = { authorization: `Bearer ${KEYS.one}` };
  if (key !== undefined) headers["idempotency-key"] = key;
  if (json !== undefined) headers["content-type"] = "application/json";
  const end = performance.now() + MAX_UNANSWERED_MS;
  let last = "";
  while (performance.now() < end) {
    try {
      await service.up();
      const body = json === undefined ? form?.() : JSON.stringify(json);
      const signal = AbortSignal.timeout(TRY_MS);
      const response = await fetch(service.url + path, { method, headers, signal, ...(body ? { body } : {}) });
      const text = await response.text();
      history.answered(response.status);
      if (response.ok) return path.startsWith("/job/result") ? text : JSON.parse(text);
      last = `${response.status} ${text.slice(0, 300)}`;
      const atWork = response.status === 409 && response.headers.has("retry-after");
      if (!AGAIN.has(response.status) && !atWork) throw new Refused(`${method} ${path}: ${last}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      history.answered(0);
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(PAUSE_MS);
  }
  throw new Refused(`${method} ${path} was never answered: ${last}`);
}

class Refused extends Error {}

const PIPELINE = {
  version: "2026-05",
  execution: { mode: "queue" },
  nodes: [
    { id: "read", type: "extract", schema: { type: "object", properties: { invoice_number: { type: "string" } } } },
    { id: "end", type: "final", dependsOn: ["read"], output: { found: "$nodes.read.result" } },
  ],
};

/** Path and body of the command for a kind of job. */
const COMMANDS = {
  text: (guid: string) => ({ path: `/document/ocr/${guid}`, json: {} }),
  extract: (guid: string) => ({
    path: `/document/process/${guid}`,
    json: { schema: { type: "object", properties: { invoice_number: { type: "string" } } } },
  }),
  queue: (guid: string) => ({ path: `/document/process/${guid}`, json: { mode: "PIPELINE", pipeline: PIPELINE } }),
};

/** One job from upload to result. */
export async function work(service: ChaosService, history: History, job: ClientJob): Promise<void> {
  history.jobs.push(job);
  try {
    const form = (): FormData => {
      const body = new FormData();
      const text = `Invoice number: ${job.word}\nTotal: 12.00 EUR\n`;
      body.append("document", new Blob([text], { type: "text/plain" }), "invoice.txt");
      return body;
    };
    const upload = await call(service, history, "POST", "/document/upload", { form, key: `${job.name}-upload` });
    job.guid = upload.guid as string;
    const { path, json } = COMMANDS[job.kind](job.guid);
    await call(service, history, "POST", path, { json, key: `${job.name}-process` });
    job.processed = true;
    const stuckAt = performance.now() + MAX_OPEN_MS;
    while (performance.now() < stuckAt) {
      const status = await call(service, history, "GET", `/job/status/${job.guid}?waitSeconds=5`);
      if (status.status === "PENDING" || status.status === "PROCESSING") continue;
      job.end = { status: status.status, error: status.error, runs: status.runs.length };
      if (status.status === "COMPLETED") job.result = await call(service, history, "GET", `/job/result/${job.guid}`);
      return;
    }
  } catch (error) {
    history.wrong.push(`${job.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
