/** Queued nodes whose workers die: delivered again, and counted once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_RECEIVES, NODE_QUEUES, type QueueMessage } from "../../../functions/ports/queue.ts";
import type { Records } from "../../../functions/ports/records.ts";
import { processMessage } from "../../../functions/service/lifecycle/dispatch.ts";
import { viewJob } from "../../../functions/service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { groupOf } from "../../../functions/service/organizations/engine-group.ts";
import { loadJob } from "../../../functions/service/runs/job-store.ts";
import { nodeWork } from "../../../functions/steps/queued-node.ts";
import { withMethods } from "../../support/changed.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, type ModelServer, startModelServer } from "../../support/model-server.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";

/** Within the 300 s of a run, so that the work can be repeated. */
const HOLD_SECONDS = 45;
const QUEUE = NODE_QUEUES.mini;
const READ = { id: "read", type: "extract", schema: { total: "number" }, llm: { tier: "mini" } };
const END = { id: "end", type: "final", output: { total: "$nodes.read.result.total", state: "$nodes.read.status" } };

let server: ModelServer;
let at: TestPlatform;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  at = modelPlatform(server.url);
  server.play([answerJson({ total: 12 })]);
});
afterEach(() => at.close());
afterAll(() => server.close());

const TEXT = { bytes: Buffer.from("Total: 12"), mimeType: "text/plain" };
const started = (read: object = READ): Promise<string> =>
  startPipeline(at, TEXT, { execution: { mode: "queue" }, nodes: [read, END] });

/** A message that a worker has received and holds. */
async function taken(): Promise<QueueMessage> {
  const [message] = await at.platform.queue.receive(QUEUE, { visibilitySeconds: HOLD_SECONDS, waitSeconds: 10 });
  if (message === undefined) throw new Error("There is no work");
  return message;
}

/** The message that is delivered again after its worker died. */
async function takenAgain(): Promise<QueueMessage> {
  at.pass(HOLD_SECONDS + 1);
  return taken();
}

async function carried(message: QueueMessage, records: Records = at.platform.records): Promise<void> {
  await processMessage({ ...at.platform, records }, message, { handlers: nodeWork, tokens: at.tokens });
  await at.platform.queue.done(message);
}

/** The ended job, with a single end whichever worker did the work. */
async function expectDoneOnce(guid: string, calls: number): Promise<void> {
  const job = await waitForEnd(at.org, guid, 20);
  expect(job).toMatchObject({ status: "COMPLETED", error: null, llmTokens: 120 });
  expect(await fileOf(at, guid, "result.json")).toEqual({ total: 12, state: "COMPLETED" });
  expect(server.requests).toHaveLength(calls);
  expect(await at.platform.queue.receive(QUEUE)).toEqual([]);
  expect(await at.platform.queue.deadLetters(QUEUE)).toEqual([]);
}

const nodeOf = async (guid: string) => {
  const { pipeline } = await viewJob(at.org, (await loadJob(at.org, guid)).value);
  const { nodes } = pipeline as { nodes: { status: string; queuedTaskId?: string }[] };
  return nodes[0];
};

/** Records of a worker that dies while it writes its node's outcome. */
function dyingAt(sort: string): Records {
  const { records } = at.platform;
  return withMethods(records, {
    transact(operations, options) {
      const dies = operations.some((one) => "key" in one && one.key.sort.includes(sort));
      return dies ? new Promise(() => undefined) : records.transact(operations, options);
    },
  });
}

it("a queued node is a message of its organization's group", async () => {
  await started();
  expect(await taken()).toMatchObject({ group: groupOf(at.org.id), body: { organizationId: at.org.id } });
});

describe("a queued node whose worker dies", () => {
  beforeEach(() => {
    server.requests.length = 0;
  });

  it("before any work is delivered again, under the same id", async () => {
    const guid = await started();
    await taken();
    const again = await takenAgain();
    expect(again.receives).toBe(2);
    await carried(again);
    await expectDoneOnce(guid, 1);
    expect(await nodeOf(guid)).toMatchObject({
      status: "COMPLETED",
      queuedTaskId: expect.stringMatching(/^[\da-f]{32}$/),
    });
  });

  it("during its work stays RUNNING until the next delivery, which takes the recorded answers", async () => {
    const guid = await started();
    const first = await taken();
    void carried(first, dyingAt("nodes/done/"));
    const answers = () => at.org.blobs.list(`jobs/${guid}/1/answers/node/`);
    await expect.poll(async () => (await answers()).blobs.length, { timeout: 10_000 }).toBe(1);
    const running = await nodeOf(guid);
    expect(running).toMatchObject({ status: "RUNNING", queuedTaskId: expect.any(String) });
    await carried(await takenAgain());
    await expectDoneOnce(guid, 1);
    expect((await nodeOf(guid))?.queuedTaskId).toBe(running?.queuedTaskId);
  });

  it("before its answer is not run again, and its Task continues", async () => {
    const guid = await started();
    const { body } = await taken();
    await nodeWork["extract-node"](at.org, body as Parameters<(typeof nodeWork)["extract-node"]>[1]);
    expect(server.requests).toHaveLength(1);
    await carried(await takenAgain());
    await expectDoneOnce(guid, 1);
  });

  it("only seemingly changes nothing when it finishes after all", async () => {
    const guid = await started();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.play(async ({ index }) => {
      if (index === 0) await promise;
      return answerJson({ total: index === 0 ? 99 : 12 });
    });
    const slow = carried(await taken());
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
    await carried(await takenAgain());
    await expectDoneOnce(guid, 2);
    resolve();
    await slow;
    await expectDoneOnce(guid, 2);
  });

  it("at each delivery ends among the dead letters, and the node's timeout ends its run", async () => {
    const guid = await started({ ...READ, timeoutSeconds: 1 });
    await taken();
    for (let receives = 2; receives <= MAX_RECEIVES; receives += 1)
      expect((await takenAgain()).receives).toBe(receives);
    at.pass(HOLD_SECONDS + 1);
    expect(await at.platform.queue.receive(QUEUE)).toEqual([]);
    expect(await at.platform.queue.deadLetters(QUEUE)).toMatchObject([{ receives: MAX_RECEIVES }]);
    const job = await waitForEnd(at.org, guid, 20);
    expect(job).toMatchObject({
      status: "FAILED",
      error: 'Processing failed: The node "read" took longer than its 1 seconds',
      llmTokens: 0,
    });
    expect(await nodeOf(guid)).toMatchObject({ status: "FAILED" });
    expect(server.requests).toHaveLength(0);
  });

  it("is never enqueued when the document cannot be read", async () => {
    const pipeline = { execution: { mode: "queue" }, nodes: [READ, END] };
    const guid = await startPipeline(at, { bytes: Buffer.from(" \n \n"), mimeType: "text/plain" }, pipeline);
    const job = await waitForEnd(at.org, guid, 20);
    expect(job).toMatchObject({ status: "FAILED", error: "Processing failed: Text extraction failed", llmTokens: 0 });
    expect(await nodeOf(guid)).toMatchObject({ status: "PENDING", warnings: [], startedAt: null, completedAt: null });
    expect(await at.platform.queue.receive(QUEUE)).toEqual([]);
  });
});
