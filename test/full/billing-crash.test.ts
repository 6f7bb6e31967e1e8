/**
 * kill -9 before every write of billed jobs, batches, pipelines and operations: what a job cost is what it cost
 * undisturbed, and no hold stays open.
 */
import { describe, expect, it } from "vitest";
import type { ChaosService } from "../support/chaos.ts";
import { CrashSweep, type Swept } from "../support/crash-sweep.ts";
import { answerJson, answerText, type ModelScript, startModelServer } from "../support/model-server.ts";
import { command } from "../support/router.ts";

/** Per answer of the model server. */
const TOKENS_PER_ANSWER = 120;
const DOCUMENT = Buffer.from("Invoice number: K-7\nTotal: 12.50 EUR");
const WISH = { schema: { number: "string" } };

const answers: ModelScript = async ({ body, user }) => {
  // Long enough for other work to run at the same time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (JSON.stringify(body).includes("limerick")) return answerText("There once was a bill");
  return answerJson({ number: /K-\d/.exec(user)?.[0] ?? "none" });
};

const json = (key: string, value: object) => ({
  body: () => JSON.stringify(value),
  headers: { "idempotency-key": key, "content-type": "application/json" },
});

/** A status once the job has ended. */
async function ended(service: ChaosService, guid: string): Promise<ReturnType<typeof JSON.parse>> {
  for (let round = 0; round < 40; round++) {
    const job = await service.call("GET", `/job/status/${guid}?waitSeconds=5`);
    if (!["PENDING", "PROCESSING"].includes(job.status)) return job;
  }
  throw new Error(`Job ${guid} did not end`);
}

const TEXTS = ["Invoice number: K-0", "Invoice number: K-1", " \n \n"];

/** A batch of three documents, of which one fails. */
async function batch(service: ChaosService, name: string): Promise<Record<string, unknown>> {
  const { guid } = await service.call("POST", "/document/batch", json(`${name}-create`, { maxConcurrency: 2 }));
  for (const [index, text] of TEXTS.entries()) {
    const body = (): FormData => {
      const form = new FormData();
      form.append("document", new Blob([text], { type: "text/plain" }), `${index}.txt`);
      return form;
    };
    const headers = { "idempotency-key": `${name}-upload-${index}` };
    await service.call("POST", `/document/batch/${guid}/upload`, { body, headers });
  }
  await service.call("POST", `/document/batch/${guid}/process`, json(`${name}-process`, WISH));
  const { status, usage } = await ended(service, guid);
  return { status, usage, list: await service.call("GET", `/job/result/${guid}`) };
}

/** An operation on a job of its own. */
async function operation(service: ChaosService, name: string): Promise<Record<string, unknown>> {
  const { guid } = await service.job(name, DOCUMENT, WISH);
  const wish = { prompt: "Write a limerick" };
  const { jobGuid } = await service.call("POST", `/operation/${guid}/generative-task`, json(`${name}-poem`, wish));
  const { status, usage } = await ended(service, jobGuid);
  return { status, usage };
}

const none = { document: DOCUMENT, wish: WISH, billed: true as const };
const DOCUMENT_JOB: Swept = { ...none, name: "a billed document" };
const BATCH: Swept = { ...none, name: "a billed batch", work: batch, from: /ledger/ };
const OPERATION: Swept = { ...none, name: "a billed operation", work: operation, from: /operation/ };
const PIPELINE: Swept = {
  ...none,
  name: "a billed pipeline",
  wish: command({
    nodes: [
      { id: "read", type: "extract", schema: { number: "string" } },
      {
        id: "poem",
        type: "operation",
        operation: "generative-task",
        dependsOn: ["read"],
        config: { prompt: "Write a limerick" },
      },
      { id: "end", type: "final", output: { number: "$nodes.read.result.number" } },
    ],
  }),
  from: /ledger/,
};

/** @param spent tokens of the undisturbed job */
async function sweep(swept: Swept, spent: number): Promise<void> {
  await using server = await startModelServer(answers);
  await using crashes = new CrashSweep(swept, server);
  const points = await crashes.points();
  expect(crashes.undisturbed.end).toMatchObject({ spent, held: 0 });
  const { missed, again } = await crashes.run(points);
  console.info(`${swept.name}: ${points.length - missed.length} kills, ${again} calls of the model made again`);
  expect(missed, missed.join("; ")).toEqual([]);
}

describe("what a job costs survives kill -9 before every write", () => {
  it("of a document", { timeout: 1_200_000 }, () => sweep(DOCUMENT_JOB, TOKENS_PER_ANSWER));
  it("of a batch with a document that fails", { timeout: 2_400_000 }, () => sweep(BATCH, 2 * TOKENS_PER_ANSWER));
  it("of a pipeline, whose operation draws on its hold", { timeout: 2_400_000 }, () =>
    sweep(PIPELINE, 2 * TOKENS_PER_ANSWER),
  );
  it("of an operation on a finished job", { timeout: 1_200_000 }, () => sweep(OPERATION, 2 * TOKENS_PER_ANSWER));
});
