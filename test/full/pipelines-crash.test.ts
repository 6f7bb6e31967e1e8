/**
 * kill -9 in the middle of a pipeline: the job ends as it would have, nothing is charged twice, and only unfinished
 * requests to the model are repeated.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { CrashSweep, type Swept } from "../support/crash-sweep.ts";
import { answerJson, answerText, fail, type ModelScript, startModelServer } from "../support/model-server.ts";
import { command, INVOICE_STATES, router, statesOf } from "../support/router.ts";

let invoice: Uint8Array;
beforeAll(async () => {
  invoice = await drawInvoice();
});

/** Per answer of the model server. */
const TOKENS_PER_ANSWER = 120;
const RESULT = { branch: "invoice", data: { invoice_number: "SH-2026-0117", net_total: 431 } };

const LINES = Array.from({ length: 12 }, (_, at) => ({ sku: `KD-${1000 + at * 7}`, amount: 10.5 + at * 3 }));
const STOCK_LIST = Buffer.from(
  [
    "STOCK",
    "",
    `${"Article no.".padEnd(16)}${"Amount".padStart(12)}`,
    ...LINES.map(({ sku, amount }) => `${sku.padEnd(16)}${amount.toFixed(2).padStart(12)}`),
  ].join("\n"),
);
const LIST_SCHEMA = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: { type: "object", properties: { sku: { type: "string" }, amount: { type: "number" } } },
    },
  },
};
const COUNT_SCHEMA = { type: "object", properties: { count: { type: "integer", minimum: 12 } }, required: ["count"] };

/** Twelve lines in two requests, a low count asked again, and one refusal. */
const answers: ModelScript = async ({ body, user }) => {
  // Long enough for other nodes to run at the same time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const text = JSON.stringify(body);
  if (text.includes("REFUSED")) return fail(400);
  if (text.includes("limerick")) return answerText("There once was a stock");
  if (text.includes("document_type")) return answerJson({ document_type: "invoice" });
  if (text.includes("missing_rows")) {
    const asked = [...user.matchAll(/^(\d+)\. page \d+: (\S+)/gm)];
    const rowOf = (sku: string | undefined) => LINES.find((one) => one.sku === sku) ?? null;
    return answerJson({ rows: asked.map(([, line, sku]) => ({ line: Number(line), row: rowOf(sku) })) });
  }
  if (text.includes("invoice_number")) return answerJson(RESULT.data);
  if (text.includes('"count"')) return answerJson({ count: text.includes('"repair"') ? 12 : 3 });
  return answerJson(text.includes('"lines"') ? { lines: LINES.slice(0, 3) } : {});
};

const pipeline = (nodes: object[]) => command({ nodes });
const NODE_RECORDS_PATTERN = /nodes\/begun/;

/** Every kind of node that asks a model, several at once. */
const EVERY_KIND: Swept = {
  name: "nodes of every kind",
  document: STOCK_LIST,
  wish: pipeline([
    { id: "counted", type: "extract", schema: COUNT_SCHEMA },
    { id: "listed", type: "extract", schema: LIST_SCHEMA },
    { id: "refused", type: "extract", schema: { other: "string" }, prompt: "REFUSED", onError: "continue" },
    { id: "text", type: "transform", transform: "template", config: { text: "{{$ocr.content}}" } },
    { id: "correct", type: "OCR_CORRECT", source: "text" },
    {
      id: "poem",
      type: "operation",
      operation: "generative-task",
      dependsOn: ["counted", "listed", "refused", "correct"],
      config: { prompt: "Write a limerick" },
    },
    {
      id: "end",
      type: "final",
      output: {
        count: "$nodes.counted.result.count",
        last: "$nodes.listed.result.lines[11].sku",
        refused: "$nodes.refused.status",
        poem: "$nodes.poem.result.generated_text",
      },
    },
  ]),
  from: NODE_RECORDS_PATTERN,
};
/** A node whose failure ends its run. */
const FATAL_NODE: Swept = {
  name: "a node that fails",
  document: STOCK_LIST,
  wish: pipeline([
    { id: "counted", type: "extract", schema: COUNT_SCHEMA },
    { id: "refused", type: "extract", schema: { other: "string" }, prompt: "REFUSED", dependsOn: ["counted"] },
    { id: "end", type: "final", output: "$nodes.refused.result" },
  ]),
  from: NODE_RECORDS_PATTERN,
};
/** No pipeline: a request for the data, and one for missing rows. */
const PLAIN_DOCUMENT: Swept = {
  name: "a document",
  document: STOCK_LIST,
  wish: { schema: LIST_SCHEMA },
  from: /answers/,
};

const routed = (mode: string): Swept => ({
  name: `the router, ${mode}`,
  document: invoice,
  wish: command(router({ execution: { mode } })),
});

/** @param calls of an undisturbed job @param end its outcome */
async function sweep(swept: Swept, calls: number, end: (end: Record<string, unknown>) => void): Promise<void> {
  const begin = performance.now();
  await using server = await startModelServer(answers);
  await using crashes = new CrashSweep(swept, server);
  const points = await crashes.points();
  expect(crashes.undisturbed.calls).toBe(calls);
  end(crashes.undisturbed.end);
  const { missed, again } = await crashes.run(points);
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  const told = `${points.length - missed.length} kills in ${seconds} s, ${again} calls of the model made again`;
  console.info(`${swept.name}: ${told}; not reached: ${missed.join("; ") || "none"}`);
  expect(points.length).toBeGreaterThan(calls);
  expect(missed, missed.join("; ")).toEqual([]);
}

const statesIn = ({ nodes }: Record<string, unknown>) => statesOf(nodes as { id: string; status: string }[]);

describe.concurrent("a pipeline survives kill -9 before every write", () => {
  it.each(["inline", "queue"])("of the router, %s", { timeout: 2_400_000 }, (mode) =>
    sweep(routed(mode), 2, (end) => {
      const usage = { ocrPages: 0, llmTokens: 2 * TOKENS_PER_ANSWER };
      expect(end).toMatchObject({ status: "COMPLETED", error: null, result: RESULT, usage, runs: 1 });
      expect(statesIn(end)).toEqual(INVOICE_STATES);
    }),
  );
});

describe("a job survives kill -9 before every write", () => {
  it("of nodes of every kind", { timeout: 1_200_000 }, () =>
    sweep(EVERY_KIND, 7, (end) => {
      const result = { count: 12, last: "KD-1077", refused: "FAILED", poem: "There once was a stock" };
      // The operation's answer belongs to its own job.
      expect(end).toMatchObject({
        status: "COMPLETED",
        error: null,
        result,
        usage: { llmTokens: 5 * TOKENS_PER_ANSWER },
      });
      expect(end.operations).toHaveLength(1);
      const others = { text: "COMPLETED", correct: "COMPLETED", poem: "COMPLETED", end: "COMPLETED" };
      expect(statesIn(end)).toEqual({ counted: "COMPLETED", listed: "COMPLETED", refused: "FAILED", ...others });
    }),
  );

  it("of a node that fails", { timeout: 600_000 }, () =>
    sweep(FATAL_NODE, 3, (end) => {
      const error = "Processing failed: AI service refused the request";
      expect(end).toMatchObject({ status: "FAILED", error, usage: { llmTokens: 2 * TOKENS_PER_ANSWER } });
      expect(statesIn(end)).toEqual({ counted: "COMPLETED", refused: "FAILED", end: "PENDING" });
    }),
  );

  it("of a document whose missing rows are requested again", { timeout: 600_000 }, () =>
    sweep(PLAIN_DOCUMENT, 2, (end) => {
      expect(end).toMatchObject({
        status: "COMPLETED",
        result: { lines: LINES },
        usage: { llmTokens: 2 * TOKENS_PER_ANSWER },
      });
    }),
  );
});
