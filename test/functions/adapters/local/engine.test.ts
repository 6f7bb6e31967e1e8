import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openEngine } from "../../../../functions/adapters/local/engine.ts";
import { extractTask } from "../../../../functions/engine/tasks/extract.ts";
import { inspectTask } from "../../../../functions/engine/tasks/inspect.ts";
import { readTask } from "../../../../functions/engine/tasks/read.ts";
import { transcribeTask } from "../../../../functions/engine/tasks/transcribe.ts";
import type { Engine } from "../../../../functions/ports/engine.ts";
import { JobFailure, ServiceUnavailable, UnprocessableEntity } from "../../../../functions/ports/errors.ts";

const clock = systemClock();
const within = (milliseconds: number): { deadline: number } => ({ deadline: clock.now() + milliseconds });
const document = (text: string): Uint8Array => new TextEncoder().encode(text);

let engine: Engine;
beforeAll(() => {
  const module = new URL("../../../support/hostile-documents.ts", import.meta.url);
  engine = openEngine({ module, size: 2, memoryLimitBytes: 300_000_000, clock, jobTimeoutSeconds: 42 });
});
afterAll(() => engine.close());

const JOB = [
  ["buffers", "Processing failed: The document needs more memory than is allowed"],
  ["exit", "Processing failed: Document appears to be corrupted"],
  ["spin", "Processing timeout after 42 seconds"],
  ["throw", "Processing failed: Document appears to be corrupted"],
  ["throwJobFailure", "Processing failed: Document is password protected"],
  ["echo", "Processing failed: Document appears to be corrupted"], // an answer of another shape
] as const;

test.each(JOB)("openEngine fails the job with one sentence for a document that does `%s`", async (text, sentence) => {
  const limits = (): { deadline: number } => within(text === "spin" ? 600 : 20_000);
  const calls = [
    engine.run(readTask, { bytes: document(text), options: { mimeType: "text/plain" } }, limits()),
    engine.run(transcribeTask, { layout: document(text), format: "plain" }, limits()),
    engine.run(extractTask, { layout: document(text), request: { granularity: "auto" } }, limits()),
  ];
  for (const error of await Promise.all(calls.map((call) => call.catch((thrown: unknown) => thrown)))) {
    expect(error).toBeInstanceOf(JobFailure);
    expect((error as JobFailure).message).toBe(sentence);
    expect((error as JobFailure).retryable).toBe(text === "throwJobFailure");
  }
});

test.each([
  ["buffers", "The document could not be opened: it needs more memory than is allowed"],
  ["exit", "The document could not be opened: it appears to be corrupted"],
  ["spin", "The document could not be opened: opening it takes too long"],
  ["throw", "The document could not be opened: it appears to be corrupted"],
])("openEngine refuses with one sentence a document that does `%s` during inspection", async (text, sentence) => {
  const limits = within(text === "spin" ? 600 : 20_000);
  const error = await engine
    .run(inspectTask, { bytes: document(text), mimeType: "text/plain" }, limits)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnprocessableEntity);
  expect(error).not.toBeInstanceOf(JobFailure);
  expect((error as UnprocessableEntity).message).toBe(sentence);
});

test("openEngine fails with a retryable error when its processes do not start", async () => {
  const module = new URL("../../../support/throw-at-start.ts", import.meta.url);
  const broken = openEngine({ module, size: 1, clock, jobTimeoutSeconds: 300 });
  const reading = broken.run(readTask, { bytes: document("x"), options: { mimeType: "text/plain" } }, within(20_000));
  await expect(reading).rejects.toBeInstanceOf(ServiceUnavailable);
  await expect(reading).rejects.toMatchObject({ retryable: true });
  await broken.close();
});
