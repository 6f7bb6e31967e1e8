/** The operation of a node: a single one, for any number of calls of the node's step. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes, viewPipeline } from "../../../functions/service/pipelines/node-statuses.ts";
import { loadJob } from "../../../functions/service/runs/job-store.ts";
import { withMethods } from "../../support/changed.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerText, type ModelServer, startModelServer } from "../../support/model-server.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";

const TEXT = { bytes: Buffer.from("Total: 12"), mimeType: "text/plain" };
const NODES = [
  { id: "poem", type: "operation", operation: "generative-task", config: { prompt: "Write a limerick" } },
  { id: "end", type: "final", output: "$nodes.poem.result.generated_text" },
];

let server: ModelServer;
let at: TestPlatform;
beforeAll(async () => {
  server = await startModelServer();
  server.play([answerText("There once was a bill [p. 1]")]);
});
beforeEach(() => {
  at = modelPlatform(server.url);
});
afterEach(() => at.close());
afterAll(() => server.close());

/** A concurrent call of the step records its own operation just before this one. */
function beatenBy(childOperationGuid: string): void {
  const { records } = at.platform;
  let beaten = false;
  const transact: typeof records.transact = async (operations, options) => {
    for (const one of operations) {
      const notes = one.kind === "put" && one.key.sort.endsWith("/nodes/begun/poem") && one.value.childOperationGuid;
      if (!notes || beaten) continue;
      beaten = true;
      await records.put(one.key, { ...one.value, childOperationGuid });
    }
    await records.transact(operations, options);
  };
  Object.assign(at.platform, { records: withMethods(records, { transact }) });
}

describe("an operation node whose step is called twice concurrently", () => {
  it("has one operation, the one recorded first", async () => {
    const first = randomUUID();
    beatenBy(first);
    const guid = await startPipeline(at, TEXT, { nodes: NODES });
    const { status, error } = await waitForEnd(at.org, guid, 20);
    expect({ status, error }).toEqual({ status: "COMPLETED", error: null });
    const nodes = await loadNodes(at.org, guid, 1);
    if (nodes === undefined) throw new Error("The run has no nodes");
    const { nodes: shown } = viewPipeline(nodes, status) as { nodes: { childOperationGuid?: string }[] };
    expect(shown[0]?.childOperationGuid).toBe(first);
    expect((await loadJob(at.org, first)).value).toMatchObject({ status: "COMPLETED" });
    const { blobs } = await at.org.blobs.list(`jobs/${guid}/operations/`);
    expect(blobs.map(({ key }) => key)).toEqual([`jobs/${guid}/operations/${first}/result.json`]);
    expect(await fileOf(at, guid, "result.json")).toBe("There once was a bill [p. 1]");
    expect(server.requests).toHaveLength(1);
  });
});
