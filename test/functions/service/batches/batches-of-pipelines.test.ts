/** Batches of pipelines: concurrency as configured, and one end per document, whatever happens. */
import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import { openBatchRun, openDocument } from "../../../../functions/service/batches/batch-runs.ts";
import { countDocuments } from "../../../../functions/service/batches/document-counts.ts";
import { closeDocument } from "../../../../functions/service/lifecycle/settle-batch.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes, viewResults } from "../../../../functions/service/pipelines/node-statuses.ts";
import type { RunCommand } from "../../../../functions/service/runs/run-command.ts";
import { makeSteps } from "../../../../functions/steps/index.ts";
import { easyTasks, type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { threeScans } from "../../../support/recognition.ts";
import { batchOf, COMMAND, listOf, read } from "./support.ts";

let at: TestPlatform;
afterEach(() => at.close());

const NODES = [
  { id: "one", type: "extract", source: "$document.fileName", schema: { a: "number" } },
  { id: "two", type: "extract", source: "$document.fileName", schema: { a: "number" } },
  { id: "end", type: "final", output: ["$nodes.one.result.a", "$document.fileName"] },
];
const command = (pipeline: Json = { nodes: NODES }): RunCommand => ({ ...COMMAND, mode: "PIPELINE", pipeline });

/** The final node of a document. */
const FINAL = { nodes: [{ id: "end", type: "final", output: "$document.fileName" }] };

const statesOf = async (guid: string): Promise<unknown[]> => {
  const nodes = await loadNodes(at.org, guid, 1);
  return nodes === undefined ? [] : viewResults(nodes, "COMPLETED").map(({ status }) => status);
};

/** A batch's run without an execution, its first document opened. */
async function opened(pipeline: Json) {
  const guid = await batchOf(at.org, ["a"]);
  await openBatchRun(withLostStarts(at.org), guid, command(pipeline), {});
  const document = await openDocument(at.org, guid, 1, 0);
  if (!document.open) throw new Error("It is open");
  const call = (step: keyof ReturnType<typeof makeSteps>, more: { [member: string]: Json } = {}) =>
    makeSteps(() => at.org)[step]({ ...document.input, ...more } as Json, { executionName: document.name });
  return { guid, document, call };
}

describe("a batch of pipelines", () => {
  it("processes at most maxConcurrency documents at once, whatever their nodes, and counts each once", async () => {
    let most = 0;
    let guid = "";
    const [documents, engine] = threeScans(read);
    const extract = async () => {
      const { started, completed, failed } = await countDocuments(at.org, guid, 1);
      most = Math.max(most, started - completed - failed);
      return easyTasks.extract();
    };
    at = testPlatform({ ...documents, extract }, engine);
    const texts = ["a", "b", "c", "bad", "d", "e", "f"];
    guid = await batchOf(at.org, texts);
    await openBatchRun(at.org, guid, command(), {});
    expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "PARTIAL", error: "1 of 7 documents failed" });
    expect(most).toBe(3);
    expect(await countDocuments(at.org, guid, 1)).toMatchObject({ started: 7, completed: 6, failed: 1, ocrPages: 18 });
    expect(await listOf(at.org, guid)).toEqual(
      texts.map((text) => (text === "bad" ? "Processing failed: Text extraction failed" : [1, `${text}.txt`])),
    );
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("continues when a document's run was started by another", async () => {
    at = testPlatform(...threeScans());
    const guid = await batchOf(at.org, ["a", "b"]);
    await openBatchRun(withLostStarts(at.org), guid, command(FINAL), {});
    const first = await openDocument(at.org, guid, 1, 0);
    expect(first).toMatchObject({ open: true, input: { run: 1, mode: "PIPELINE" } });
    expect(await openDocument(at.org, guid, 1, 0)).toEqual(first);
    // Executions of the document's run, on its pipeline's machine, and of the batch's.
    expect(await sweep(at.platform, at.system)).toBe(2);
    expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "COMPLETED", ocrPages: 6 });
    expect(await listOf(at.org, guid)).toEqual(["a.txt", "b.txt"]);
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("keeps a document's result when its machine died after the last node", async () => {
    at = testPlatform(...threeScans());
    const { guid, document, call } = await opened(FINAL);
    await call("recognize");
    await call("begin-nodes");
    await call("compute-node", { node: "end" });
    const fallen = JSON.stringify({ Status: "FAILED", Cause: "Task timed out after 30.00 seconds" });
    expect(await closeDocument(at.org, guid, 1, 0, fallen)).toEqual({ open: false });
    expect(await closeDocument(at.org, guid, 1, 0, fallen)).toEqual({ open: false });
    expect(await listOf(at.org, guid)).toEqual(["a.txt"]);
    expect(await countDocuments(at.org, guid, 1)).toMatchObject({ completed: 1, failed: 0, ocrPages: 3 });
    expect(await statesOf(document.input.guid)).toEqual(["COMPLETED"]);
  });

  it("fails a document whose machine died earlier, and shows the statuses of its nodes", async () => {
    at = testPlatform();
    const { guid, document, call } = await opened({ nodes: NODES });
    await call("recognize");
    await call("begin-nodes");
    await call("extract-node", { node: "one" });
    await closeDocument(at.org, guid, 1, 0, JSON.stringify({ Status: "TIMED_OUT" }));
    expect(await listOf(at.org, guid)).toEqual(["Processing timeout after 300 seconds"]);
    expect(await statesOf(document.input.guid)).toEqual(["COMPLETED", "PENDING", "PENDING"]);
    await expect(call("compute-node", { node: "end" })).rejects.toThrow(/ended/);
  });
});
