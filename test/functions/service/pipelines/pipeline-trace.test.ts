/** The trace of a pipeline: an entry for every node, also without a model, with the reason for a missing result. */

import { afterEach, describe, expect, it } from "vitest";
import { extractTask } from "../../../../functions/engine/tasks/extract.ts";
import { cancelJob } from "../../../../functions/service/lifecycle/cancel-job.ts";
import { settleDeadExecution, sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes } from "../../../../functions/service/pipelines/node-statuses.ts";
import { executionName } from "../../../../functions/service/runs/job-records.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { findTrace } from "../../../../functions/service/runs/run-results.ts";
import { withMethods } from "../../../support/changed.ts";
import { type FakeOf, fakeEngine } from "../../../support/engines.ts";
import { modelPlatform } from "../../../support/model-platform.ts";
import { startPipeline } from "../../../support/pipeline-run.ts";
import type { TestPlatform } from "../../../support/platform.ts";

const DOCUMENT = {
  bytes: Buffer.from("Invoice number: SH-2026-0117\nNet total: 431.00 EUR\n"),
  mimeType: "text/plain",
};
const READ = { id: "read", type: "extract", prompt: "Mind the pennies", schema: { invoice_number: "string" } };

interface Event {
  type: string;
  name: string;
  timestamp: string;
  duration_ms: number | null;
  response: string;
}

let at: TestPlatform;
afterEach(() => at.close());

const started = (nodes: object[], more: object = {}): Promise<string> => {
  at = modelPlatform();
  return startPipeline(at, DOCUMENT, { nodes, ...more }, {}, { trace: true });
};

async function traceOf(guid: string) {
  const { key } = await findTrace(at.org, guid);
  const text = Buffer.from((await at.org.blobs.get(key)) ?? "").toString("utf8");
  const trace = JSON.parse(text) as { status: string; events: Event[] };
  // Beside the nodes stand the steps of extractions without a model, which have other responses.
  const ofNodes = trace.events.filter(({ response }) => /^\{"(node|status)":/.test(response));
  const of = (type: string) =>
    Object.fromEntries(
      ofNodes.filter((event) => event.type === type).map(({ name, response }) => [name, JSON.parse(response)]),
    );
  return { text, trace, ofNodes, began: of("chain_start"), ended: of("chain_end") };
}

async function endedTrace(nodes: object[], more: object = {}) {
  const guid = await started(nodes, more);
  await waitForEnd(at.org, guid, 20);
  return traceOf(guid);
}

const final = (id: string, output: unknown, more: object = {}) => ({ id, type: "final", output, ...more });

describe("a pipeline's trace without a model", () => {
  const never = { eq: ["$nodes.read.result.invoice_number", "none"] };
  const nodes = [
    READ,
    { id: "all", type: "transform", transform: "merge", input: ["read", { secret: "sk-1234567890abcdef1234" }] },
    {
      id: "note",
      type: "transform",
      transform: "template",
      input: "all",
      config: { text: "{{$nodes.read.invoice_number}}" },
    },
    { id: "size", type: "validate", validator: "bucket", input: "$document.pageCount", config: { buckets: [] } },
    { id: "fixed", type: "OCR_CORRECT" },
    { id: "unwanted", type: "extract", when: never },
    { id: "behind", type: "transform", transform: "pick", input: "unwanted", config: { fields: ["a"] } },
    { id: "odd", type: "transform", transform: "sort", input: "read", config: { by: "a" }, onError: "continue" },
    final("end", { note: "$nodes.note", odd: "$nodes.odd" }),
    final("other", "SH-literal"),
  ];

  it("has inputs, task, duration and size of every node", async () => {
    const { trace, ofNodes, began, ended } = await endedTrace(nodes);
    expect(trace).toMatchObject({ status: "COMPLETED", extraction_mode: "PIPELINE", total_llm_calls: 0 });
    const ids = nodes.map(({ id }) => id);
    expect([Object.keys(began), Object.keys(ended)]).toEqual([ids, ids]);
    expect(began.note).toEqual({
      node: "transform",
      transform: "template",
      inputs: [
        { path: "$nodes.all.result", node: "all", bytes: ended.all.resultBytes },
        { path: "$nodes.read.invoice_number", node: "read", bytes: ended.read.resultBytes },
      ],
    });
    expect(began.fixed).toMatchObject({ sourceMap: "preserve", inputs: [{ path: "$ocr.content" }] });
    expect(began.unwanted).toMatchObject({ when: ["$nodes.read.result.invoice_number"] });
    expect(ended.read).toMatchObject({ status: "COMPLETED", engine: "offline", sources: false });
    expect(ended.all.resultBytes).toBeGreaterThan(20);
    const durations = ofNodes.filter(({ type }) => type === "chain_end").map((event) => event.duration_ms);
    expect(durations.map((duration) => duration !== null && duration >= 0)).toEqual(
      ids.map((id) => !["unwanted", "behind", "other"].includes(id)),
    );
  });

  it("has the reason of a skipped or failed node", async () => {
    const { trace, ended } = await endedTrace(nodes);
    expect(ended.unwanted).toMatchObject({ status: "SKIPPED", why: "Its condition did not hold" });
    expect(ended.behind).toMatchObject({ status: "SKIPPED", why: "Everything that it depends on was skipped" });
    expect(ended.other).toMatchObject({ status: "SKIPPED", why: 'The candidate "end" before it completed' });
    const why = 'Processing failed: The node "odd" needs a list as its input';
    expect(ended.odd).toMatchObject({ status: "FAILED", why });
    expect(trace.events.filter(({ type }) => type === "error")).toEqual([
      expect.objectContaining({ name: "odd", response: why }),
    ]);
  });

  it("contains no text of the document or of the definition", async () => {
    const { text } = await endedTrace(nodes);
    expect(text).not.toMatch(/SH-2026|SH-lit|Net total|pennies|sk-/);
  });
});

describe("the trace of a failed pipeline", () => {
  it("has the run's error for nodes that never began", async () => {
    const bad = { id: "bad", type: "transform", transform: "sort", input: "read", config: { by: "a" } };
    const { trace, ended } = await endedTrace([READ, bad, final("end", "$nodes.bad")]);
    const why = 'Processing failed: The node "bad" needs a list as its input';
    expect(trace.status).toBe("FAILED");
    expect(ended.bad).toMatchObject({ status: "FAILED", why });
    expect(ended.end).toMatchObject({ status: "PENDING", why: `It never began. The run ended: ${why}` });
  });
});

describe("the trace of a pipeline ended from outside", () => {
  /** A run whose extraction hangs. */
  async function hung(): Promise<string> {
    at = modelPlatform();
    const forever = Promise.withResolvers<never>();
    const { engines } = at.platform;
    engines.documents = fakeEngine({ extract: () => forever.promise }, engines.documents);
    const nodes = [READ, final("end", "$nodes.read")];
    const guid = await startPipeline(at, DOCUMENT, { nodes }, {}, { trace: true });
    await expect.poll(async () => (await loadNodes(at.org, guid, 1))?.begun.has("read")).toBe(true);
    return guid;
  }
  const FOUND: Record<string, (guid: string) => Promise<unknown>> = {
    "the sweep": () => {
      at.pass(400);
      return sweep(at.platform, at.system);
    },
    "the event of its execution's end": async (guid) => {
      const name = executionName(guid, 1);
      const execution = await at.org.workflows.describe(name);
      if (execution === undefined) throw new Error("There is no execution");
      await settleDeadExecution(at.platform, { ...execution, status: "TIMED_OUT" });
    },
  };

  it.each(Object.entries(FOUND))("is stored by %s", async (_, find) => {
    const guid = await hung();
    await find(guid);
    const { trace, ended } = await traceOf(guid);
    expect(trace.status).toBe("FAILED");
    expect(ended.read).toMatchObject({
      status: "CANCELLED",
      why: expect.stringContaining("timeout after 300 seconds"),
    });
    expect(ended.end).toMatchObject({ status: "PENDING", why: expect.stringMatching(/^It never began/) });
    // Blobs that the settling calls may write.
    expect((await findTrace(at.org, guid)).key).toBe(`jobs/${guid}/1/pipeline/trace-FAILED.json`);
  });

  it("is missing when it cannot be stored, and the run ends all the same", async () => {
    const guid = await hung();
    const put = () => Promise.reject(new Error("It is refused"));
    at.platform.blobs = withMethods(at.platform.blobs, { put });
    await FOUND["the sweep"]?.(guid);
    expect((await loadJob(at.org, guid)).value).toMatchObject({ status: "FAILED", openRun: null });
    await expect(findTrace(at.org, guid)).rejects.toMatchObject({ kind: "NotFound" });
  });
});

describe("the trace of a cancelled pipeline", () => {
  it("has the cancellation for the running node and those after it", async () => {
    at = modelPlatform();
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { engines } = at.platform;
    const { documents } = engines;
    const extract: FakeOf<typeof extractTask> = async (payload, limits) => {
      await asleep;
      return documents.run(extractTask, payload, limits);
    };
    engines.documents = fakeEngine({ extract }, documents);
    const nodes = [READ, final("end", "$nodes.read")];
    const guid = await startPipeline(at, DOCUMENT, { nodes }, {}, { trace: true });
    const isRunning = async () => (await loadNodes(at.org, guid, 1))?.begun.has("read") === true;
    await expect.poll(isRunning).toBe(true);
    await cancelJob(at.org, guid);
    wake();
    const { trace, ended } = await traceOf(guid);
    expect(trace.status).toBe("CANCELLED");
    expect(ended.read).toMatchObject({ status: "CANCELLED", why: "It was under way. The run was cancelled" });
    expect(ended.end).toMatchObject({ status: "PENDING", why: "It never began. The run was cancelled" });
  });
});

it("is not stored when it was not requested", async () => {
  at = modelPlatform();
  const guid = await startPipeline(at, DOCUMENT, { nodes: [final("end", 1)] });
  await waitForEnd(at.org, guid, 20);
  await expect(findTrace(at.org, guid)).rejects.toMatchObject({ kind: "NotFound" });
});
