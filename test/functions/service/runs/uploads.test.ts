/** Documents uploaded by a presigned PUT: awaited, inspected when first needed, and adopted once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UnprocessableEntity } from "../../../../functions/ports/errors.ts";
import { deleteJob } from "../../../../functions/service/lifecycle/delete-job.ts";
import { sourceKey, uploadKey } from "../../../../functions/service/runs/job-records.ts";
import { loadJob, sha256Of } from "../../../../functions/service/runs/job-store.ts";
import { announceUpload, loadDocument } from "../../../../functions/service/runs/uploads.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { processMessages } from "../../../support/work.ts";

let at: TestPlatform;
let guid: string;
beforeEach(() => {
  at = testPlatform();
  guid = at.platform.engines.clock.guid();
});
afterEach(() => at.close());

const TEXT = Buffer.from("Total: 12.00 EUR");
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

const announce = (members: { mimeType?: string; size?: number; fileName?: string | null } = {}) =>
  announceUpload(at.org, { guid, fileName: "a.txt", mimeType: "text/plain", size: TEXT.length, ...members });

/** Writes a file as the store does after checking the signature. */
const put = (bytes: Uint8Array) => at.org.blobs.put(uploadKey(guid), bytes, { contentType: "text/plain" });
const files = async () => (await at.org.blobs.list("")).blobs.map(({ key }) => key.replace(`jobs/${guid}/`, "")).sort();

describe("an announced upload", () => {
  it("has a job, and an address bound to the declared length and type", async () => {
    const { job, request } = await announce();
    expect(job).toMatchObject({ guid, status: "PENDING", upload: { expiresAt: request.expiresAt } });
    expect(job.source).toEqual({
      key: sourceKey(guid),
      size: TEXT.length,
      sha256: null,
      mimeType: "text/plain",
      fileName: "a.txt",
    });
    expect(request).toMatchObject({ method: "PUT", headers: { "content-type": "text/plain" } });
    expect(new URL(request.url).pathname).toBe(`/_blobs/org/1/${uploadKey(guid)}`);
    expect(Date.parse(request.expiresAt) - at.platform.engines.clock.now()).toBeGreaterThan(890_000);
  });

  it("keeps its job when it is announced again, with the later expiry", async () => {
    const first = await announce();
    at.pass(60);
    const second = await announce();
    expect(second.job.guid).toBe(first.job.guid);
    expect(second.job.upload?.expiresAt).toBe(second.request.expiresAt);
    expect(second.request.expiresAt > first.request.expiresAt).toBe(true);
    expect((await at.org.records.query({ partition: `job/${guid}` })).items).toHaveLength(1);
  });

  it("causes a conflict naming the remedy while it is awaited, and another one after its expiry", async () => {
    await announce();
    await expect(loadDocument(at.org, guid)).rejects.toMatchObject({
      kind: "Conflict",
      message: expect.stringMatching(/PUT first/),
    });
    at.pass(901);
    await expect(loadDocument(at.org, guid)).rejects.toMatchObject({
      kind: "Conflict",
      message: expect.stringMatching(/expired/),
    });
    expect((await loadJob(at.org, guid)).value.status).toBe("PENDING");
  });

  it("becomes the job's document when it is first needed, and stays unchanged", async () => {
    await announce({ mimeType: "application/octet-stream" });
    await put(TEXT);
    const job = await loadDocument(at.org, guid);
    expect(job).not.toHaveProperty("upload");
    expect(job.source).toMatchObject({ mimeType: "text/plain", size: TEXT.length });
    expect(job.source.sha256).toMatch(/^[0-9a-f]{64}$/);
    // The address is still valid.
    await put(Buffer.from("Total: 99.00 EUR"));
    expect(await loadDocument(at.org, guid)).toEqual(job);
    expect(Buffer.from((await at.org.blobs.get(job.source.key)) ?? []).toString()).toBe(TEXT.toString());
    expect(await processMessages(at)).toEqual([]);
    at.pass(901);
    expect(await processMessages(at)).toMatchObject([{ body: { kind: "delete-upload", guid } }]);
    expect(await files()).toEqual(["source"]);
  });

  it("is refused like any upload, and may be sent again", async () => {
    await announce({ mimeType: "application/pdf", size: PNG.length });
    await put(PNG);
    await expect(loadDocument(at.org, guid)).rejects.toMatchObject({
      kind: "UnsupportedMediaType",
      message: expect.stringMatching(/PNG.*application\/pdf/),
    });
    await put(Buffer.from("not a PDF !!"));
    await expect(loadDocument(at.org, guid)).rejects.toMatchObject({ kind: "UnsupportedMediaType" });
    await put(TEXT);
    await expect(loadDocument(at.org, guid)).rejects.toMatchObject({
      kind: "UnprocessableEntity",
      message: expect.stringMatching(/16 bytes; 12 were/),
    });
    await put(Buffer.from("%PDF-1.7 a b"));
    expect((await loadDocument(at.org, guid)).source.mimeType).toBe("application/pdf");
  });

  it("stays awaited when the file does not open", async () => {
    await at.close();
    let opens = false;
    const inspect = async () => {
      if (!opens) throw new UnprocessableEntity("The PDF has no pages");
      return { pageCount: 1 };
    };
    at = testPlatform({ inspect });
    await announce();
    await put(TEXT);
    await expect(loadDocument(at.org, guid)).rejects.toThrow("no pages");
    expect(await files()).toEqual(["upload"]);
    opens = true;
    expect(await loadDocument(at.org, guid)).not.toHaveProperty("upload");
  });

  it("is adopted once by concurrent calls, though the file changes meanwhile", async () => {
    await announce();
    await put(TEXT);
    const calls = Array.from({ length: 6 }, async (_, index) => {
      if (index % 2 === 1) await put(Buffer.from(`Total: ${index}2.00 EUR`));
      return loadDocument(at.org, guid);
    });
    const jobs = await Promise.all(calls);
    const { value: job } = await loadJob(at.org, guid);
    for (const one of jobs) expect(one.source).toEqual(job.source);
    expect(job.source.sha256).toBe(sha256Of((await at.org.blobs.get(job.source.key)) ?? new Uint8Array()));
  });

  it("is completed after a crash between the file and the record", async () => {
    await announce();
    await put(TEXT);
    const transact = () => Promise.reject(new Error("the process ended"));
    const dying = { ...at.org, records: { ...at.org.records, transact } };
    await expect(loadDocument(dying, guid)).rejects.toThrow("the process ended");
    expect(await files()).toEqual(["source", "upload"]);
    await put(PNG);
    expect((await loadDocument(at.org, guid)).source).toMatchObject({ mimeType: "text/plain", size: TEXT.length });
  });

  it("leaves nothing when it is deleted while awaited, also when the file arrives later", async () => {
    await announce();
    await deleteJob(at.org, guid);
    await processMessages(at);
    await put(TEXT);
    expect(await files()).toEqual(["upload"]);
    at.pass(901);
    await processMessages(at);
    expect(await files()).toEqual([]);
    expect((await at.org.records.query({ partition: `job/${guid}` })).items).toEqual([]);
  });
});
