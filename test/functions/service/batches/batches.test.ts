/** Limits, run plans and deletion of batches. */
import { afterEach, describe, expect, it } from "vitest";
import { openBatchRun, planBatch } from "../../../../functions/service/batches/batch-runs.ts";
import { addDocument, loadBatch } from "../../../../functions/service/batches/batches.ts";
import { deleteJob, finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { batchOf, COMMAND, read } from "./support.ts";

let at: TestPlatform;
afterEach(() => at.close());

interface Parts {
  parts: { name: string; input: { indexes: number[] } }[];
}

describe("a batch", () => {
  it("refuses documents beyond its limit, and while a run is open", async () => {
    at = testPlatform();
    const guid = await batchOf(at.org, ["a"]);
    const { value: job } = await loadJob(at.org, guid);
    const document = () => ({
      guid: at.org.engines.clock.guid(),
      bytes: Buffer.from("x"),
      mimeType: "text/plain",
      declared: true,
      fileName: null,
    });
    const key = { partition: `job/${guid}`, sort: "job" };
    await at.org.records.put(key, { ...job, documents: { total: 10_000, maxConcurrency: 1 } });
    await expect(addDocument(at.org, guid, document())).rejects.toMatchObject({
      kind: "Conflict",
      message: expect.stringContaining("10,000"),
    });
    await at.org.records.put(key, job);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    await expect(addDocument(at.org, guid, document())).rejects.toMatchObject({ kind: "Conflict" });
    // No orphaned file is left.
    expect((await at.org.blobs.list("")).blobs.filter(({ key: blob }) => blob.endsWith("source"))).toHaveLength(1);
  });

  it("plans a list for a distributed Map, and parts on one machine", async () => {
    at = testPlatform();
    const guid = await batchOf(at.org, ["a", "b"]);
    await openBatchRun(withLostStarts(at.org), guid, COMMAND, {});
    expect(await planBatch(at.org, guid, 1)).toEqual({
      maxConcurrency: 3,
      parts: [
        {
          name: `${guid}-1-1`,
          input: { organizationId: 1, batch: guid, run: 1, maxConcurrency: 3, indexes: [0, 1] },
        },
      ],
    });
    const { value: job } = await loadJob(at.org, guid);
    const documents = { total: 2_500, completed: 0, failed: 0, maxConcurrency: 3 };
    const many = job.runs.map((run) => ({ ...run, documents }));
    await at.org.records.put({ partition: `job/${guid}`, sort: "job" }, { ...job, runs: many });
    const plan = (await planBatch(at.org, guid, 1)) as unknown as Parts;
    expect(plan.parts.map(({ name, input }) => [name.slice(guid.length), input.indexes.length])).toEqual([
      ["-1-1", 1000],
      ["-1-2", 1000],
      ["-1-3", 500],
    ]);
    expect(plan.parts.flatMap(({ input }) => input.indexes)).toEqual([...Array(2_500).keys()]);
    await at.org.records.put({ partition: `job/${guid}`, sort: "job" }, job);
    const cloud = { ...at.org, config: { ...at.org.config, distributedMaps: true } };
    const list = `jobs/${guid}/1/documents.json`;
    expect(await planBatch(cloud, guid, 1)).toEqual({ maxConcurrency: 3, list: `org/1/${list}` });
    const bytes = await at.org.blobs.get(list);
    expect(JSON.parse(Buffer.from(bytes ?? []).toString("utf8"))).toEqual([{ index: 0 }, { index: 1 }]);
    expect((await loadBatch(at.org, guid)).status).toBe("PROCESSING");
  });

  it("is deleted with its documents, in parts; documents are not deleted alone", async () => {
    at = testPlatform({ read });
    const guid = await batchOf(at.org, ["a", "bad", "c"]);
    await openBatchRun(at.org, guid, COMMAND, {});
    await waitForEnd(at.org, guid, 20);
    const { items } = await at.org.records.query({ partition: `job/${guid}`, prefix: "document/" });
    const child = String(items[0]?.value.guid);
    await expect(deleteJob(at.org, child)).rejects.toMatchObject({ kind: "Conflict" });
    await deleteJob(at.org, guid);
    const blobs = { ...at.org.blobs, delete: () => Promise.reject(new Error("disk gone")) };
    await expect(finishDeletion({ ...at.org, blobs }, guid)).rejects.toThrow("disk gone");
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect((await at.org.blobs.list("")).blobs).toEqual([]);
    for (const one of [guid, child]) {
      expect((await at.org.records.query({ partition: `job/${one}` })).items).toEqual([]);
    }
    expect(await settleRun(at.org, guid, 1, "late")).toBe("CANCELLED");
    expect(await sweep(at.platform, at.system)).toBe(0);
  });
});
