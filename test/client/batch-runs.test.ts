/** A batch as its client follows it. */
import { expect, it } from "vitest";
import { type BatchDocument, BatchRun } from "../../client/batch-runs.ts";
import type { SheafClient } from "../../client/index.ts";
import type { ProcessingJob } from "../../client/types.ts";
import type { WaitOptions } from "../../client/wait.ts";

/** Ends a batch's documents one by one, and counts the reads of its list. */
async function follow(documents: number): Promise<{ reads: number; found: BatchDocument[]; early: number }> {
  let uploaded = 0;
  let ended = 0;
  let reads = 0;
  let early = 0;
  const found: BatchDocument[] = [];
  const record = () => ({ guid: "b", status: "PROCESSING", completedDocs: ended, failedDocs: 0 }) as ProcessingJob;
  const client = {
    createBatch: async () => ({ guid: "b" }),
    uploadToBatch: async () => ({ index: uploaded++ }),
    processBatch: async () => ({}),
    async resultJson() {
      reads += 1;
      return { json: Array.from({ length: documents }, (_, index) => (index < ended ? { index } : null)) };
    },
    async wait(_guid: string, { onProgress }: WaitOptions) {
      for (; ended < documents; ended += 1) {
        onProgress?.(record(), 0);
        await Promise.resolve();
      }
      await new Promise((resolve) => setImmediate(resolve));
      early = found.length;
      return { ...record(), status: "COMPLETED" };
    },
  };
  const run = new BatchRun(client as unknown as SheafClient, {}, (document) => found.push(document));
  for (let index = 0; index < documents; index += 1) await run.add(new Uint8Array(1), index);
  await run.finish();
  return { reads, found, early };
}

it("reads the list of a long batch some twenty times, however many documents end one by one", async () => {
  const { reads, found, early } = await follow(2_000);
  expect(found.map(({ index }) => index).sort((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
  expect(early).toBeGreaterThan(1_800);
  expect(reads).toBeLessThanOrEqual(21);
});

it("reads the list of a short batch after each document", async () => {
  expect((await follow(10)).reads).toBe(10);
});
