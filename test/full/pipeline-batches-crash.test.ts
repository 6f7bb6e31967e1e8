/** kill -9 in the middle of a batch of pipelines: every document ends as it would have, and is charged once. */
import { afterEach, describe, expect, it } from "vitest";
import { ChaosService } from "../support/chaos.ts";
import { answerJson, type ModelServer, startModelServer } from "../support/model-server.ts";

let service: ChaosService;
afterEach(() => service.close());

const DOCUMENTS = ["Invoice number: K-0", "Invoice number: K-1", " \n \n", "Invoice number: K-3"];
const EXPECTED = [{ number: "K-0" }, { number: "K-1" }, "Processing failed: Text extraction failed", { number: "K-3" }];
const NODES = [
  { id: "read", type: "extract", schema: { number: "string" } },
  { id: "end", type: "final", output: { number: "$nodes.read.result.number" } },
];

const modelServer = (): Promise<ModelServer> =>
  startModelServer(({ user }) => answerJson({ number: /K-\d/.exec(user)?.[0] ?? "none" }));

/** Runs the whole batch, each request with an idempotency key. */
async function batchThrough(mode: string): Promise<ReturnType<typeof JSON.parse>> {
  const json = (key: string, value: object) => ({
    body: () => JSON.stringify(value),
    headers: { "idempotency-key": key, "content-type": "application/json" },
  });
  const { guid } = await service.call("POST", "/document/batch", json("create", { maxConcurrency: 2 }));
  for (const [index, text] of DOCUMENTS.entries()) {
    const body = (): FormData => {
      const form = new FormData();
      form.append("document", new Blob([text], { type: "text/plain" }), `${index}.txt`);
      return form;
    };
    const headers = { "idempotency-key": `upload-${index}` };
    await service.call("POST", `/document/batch/${guid}/upload`, { body, headers });
  }
  const command = { extractionMode: "PIPELINE", pipeline: { execution: { mode }, nodes: NODES } };
  await service.call("POST", `/document/batch/${guid}/process`, json("process", command));
  for (let round = 0; round < 40; round++) {
    const job = await service.call("GET", `/job/status/${guid}?waitSeconds=5`);
    if (["PENDING", "PROCESSING"].includes(job.status)) continue;
    const nodes = DOCUMENTS.map((_, index) => service.call("GET", `/job/pipeline/${guid}/nodes?batchIndex=${index}`));
    return { ...job, list: await service.call("GET", `/job/result/${guid}`), nodes: await Promise.all(nodes) };
  }
  throw new Error(`Batch ${guid} did not end`);
}

describe("a batch of pipelines survives kill -9", () => {
  // A sample over the run: at its opening, between the documents, within their nodes, and at the settling of the batch.
  it.each([
    ["inline", "40:after"],
    ["inline", "90:before"],
    ["inline", "150:after"],
    ["inline", "230:before"],
    ["queue", "120:after"],
    ["queue", "200:before"],
  ])("in the mode %s, at port call %s", async (mode, point) => {
    await using server = await modelServer();
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    service = new ChaosService(env);
    await service.start(point);
    const job = await batchThrough(mode);
    expect(job).toMatchObject({
      status: "PARTIAL",
      error: "1 of 4 documents failed",
      completedDocs: 3,
      failedDocs: 1,
      usage: { ocrPages: 0, llmTokens: 360 },
      list: EXPECTED,
    });
    expect(job.runs).toHaveLength(1);
    for (const [index, nodes] of job.nodes.entries()) {
      const status = index === 2 ? "PENDING" : "COMPLETED";
      expect(nodes.map((node: { status: string }) => node.status)).toEqual([status, status]);
    }
    expect(service.starts).toBe(2);
    // Two documents at once: the model may have been asked about each when the process died.
    expect(server.requests.length).toBeLessThanOrEqual(3 + 2);
  });
});
