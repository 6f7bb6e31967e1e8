/** Runs the service's own steps over one document with one model, and compares the outcome with the truth. */
import { performance } from "node:perf_hooks";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { loadTasks } from "../../functions/adapters/local/load-tasks.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { Receipt } from "../../functions/engine/completeness/completeness-report.ts";
import { locateTask } from "../../functions/engine/tasks/locate.ts";
import { receiptTask } from "../../functions/engine/tasks/receipt.ts";
import type { Engine, Task } from "../../functions/ports/engine.ts";
import type { Json } from "../../functions/ports/json.ts";
import { extractWithModel } from "../../functions/service/extraction/extract-with-model.ts";
import { ModelCalls } from "../../functions/service/extraction/model-calls.ts";
import { rowsFound } from "./compare-rows.ts";
import type { GeneratedDocument } from "./documents.ts";
import { type Faults, LosingModel, openSchema } from "./losing-model.ts";
import type { ModelServer } from "./model-server.ts";
import { rowsAt } from "./nesting.ts";

const TIMEOUT_SECONDS = 600;
const MODEL = "gpt-4.1";

const tasks = await loadTasks();
/** Runs the engine's tasks in this process. */
export const engine: Engine = {
  async run<Input, Output>(task: Task<Input, Output>, payload: Input): Promise<Output> {
    const runnable = tasks.get(task.name);
    if (runnable === undefined) throw new Error(`There is no task ${task.name}`);
    return (await runnable.run(payload as never)) as Output;
  },
  close: async () => undefined,
};

const clock = systemClock();

export interface Outcome {
  /** FAILED comes with an error message. */
  status: "COMPLETED" | "PARTIAL" | "FAILED";
  error?: string;
  /** Share of the true rows in the result: each once, in any order. */
  recall: number;
  /** Number of true rows missing in the result, and their pages. */
  lost: number;
  lostPages: number[];
  /** Number of items that are no true row, or repeat one more often than it is printed. */
  extra: number;
  receipt: Receipt | undefined;
  calls: number;
  milliseconds: number;
}

/** Compares a result with the true rows. */
function compareWithTruth(document: GeneratedDocument, data: Record<string, unknown>) {
  let [found, all, extra] = [0, 0, 0];
  const lostPages = new Set<number>();
  for (const [name, truth] of Object.entries(document.truth)) {
    const given = rowsAt(data, name) as Json[];
    const kept = rowsFound(
      truth.map(({ row }) => row as Json),
      given,
    );
    for (const [at, { page }] of truth.entries()) if (!kept.has(at)) lostPages.add(page);
    all += truth.length;
    found += kept.size;
    extra += given.length - kept.size;
  }
  return { recall: all === 0 ? 1 : found / all, lost: all - found, lostPages: [...lostPages], extra };
}

/** Runs the service's extraction. @param layout file written by the reader */
export async function measureExtraction(
  document: GeneratedDocument,
  layout: Uint8Array,
  faults: Faults,
  seed: number,
  server: ModelServer,
): Promise<Outcome> {
  const losing = new LosingModel(document, faults, seed);
  server.play((asked) => losing.answer(asked));
  const model = openOpenAi({
    clock,
    apiKey: "bench",
    baseUrl: server.url,
    models: { NANO: null, MINI: null, DEFAULT: MODEL, HIGH: null },
  });
  const limits = { deadline: clock.now() + TIMEOUT_SECONDS * 1000, timeoutSeconds: TIMEOUT_SECONDS };
  const calls = new ModelCalls({ model, clock, tier: "DEFAULT", jobId: "bench", limits });
  const started = performance.now();
  const { prompts, standIn } = faults;
  const schema = standIn === undefined ? document.schema : openSchema(document.schema);
  const told = prompts === undefined ? {} : { prompt: prompts[seed % prompts.length] ?? "" };
  try {
    const done = await extractWithModel({ layout, schema, ...told }, { calls, engine, countsRows: true }, limits);
    const located = await engine.run(
      locateTask,
      { layout, result: done.data, request: { granularity: "auto", schema } },
      limits,
    );
    const request = { granularity: "auto" as const, schema, ...told, declined: done.declined };
    const { receipt, short } = await engine.run(
      receiptTask,
      { layout, result: done.data, sources: located.sources, request },
      limits,
    );
    const data = JSON.parse(Buffer.from(done.data).toString("utf8")) as Record<string, Json>;
    return {
      status: short || done.status === "PARTIAL" ? "PARTIAL" : "COMPLETED",
      ...compareWithTruth(document, data),
      receipt,
      calls: losing.calls,
      milliseconds: performance.now() - started,
    };
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    const none = { recall: 0, lost: 0, lostPages: [], extra: 0, receipt: undefined };
    return { status: "FAILED", error: told, ...none, calls: losing.calls, milliseconds: performance.now() - started };
  }
}

/** The yardstick: the result of a single call for everything. @returns its recall */
export const plainRecall = (document: GeneratedDocument, faults: Faults, seed: number): number =>
  compareWithTruth(document, new LosingModel(document, faults, seed).whole()).recall;
