/** The client with documents above 4 MB, which go to the file store by themselves. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { type BatchDocument, Sheaf, SheafError } from "../../client/index.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let large: File;
const calls: string[] = [];
let sheaf: Sheaf;

/** The invoice with noise attached that no compression makes smaller: 5 MB. */
async function largeInvoice(): Promise<File> {
  const document = await PDFDocument.load(await drawInvoice());
  let seed = 7;
  const noise = Uint8Array.from({ length: 5_000_000 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  });
  await document.attach(noise, "noise.bin", { mimeType: "application/octet-stream" });
  return new File([new Uint8Array(await document.save())], "large.pdf", { type: "application/pdf" });
}

beforeAll(async () => {
  target = await startTestService();
  large = await largeInvoice();
  sheaf = new Sheaf({
    apiKey: target.keys.one,
    baseUrl: target.url,
    fetch(input, init) {
      const path = new URL(String(input)).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{guid}");
      calls.push(`${init?.method} ${path}`);
      return fetch(input, init);
    },
  });
});
afterAll(() => target.close());

const note = new File(["Invoice no: A-17\nTotal: 5.00 EUR"], "note.txt", { type: "text/plain" });

describe("a document above 4 MB", () => {
  it("is sent to the file store by documents.process", async () => {
    calls.length = 0;
    const { data } = await sheaf.documents.process(large, { schema: { gross_total: "number" } });
    expect(data.gross_total).toBe(517.2);
    expect(calls.slice(0, 3)).toEqual([
      "POST /document/upload-url",
      expect.stringMatching(/^PUT /),
      "POST /document/process/{guid}",
    ]);
  });

  it("is deleted when its run is refused", async () => {
    const before = (await sheaf.jobs.list()).totalSize;
    const refused = sheaf.documents.process(large, { configuration: "no-such-configuration" });
    await expect(refused).rejects.toBeInstanceOf(SheafError);
    expect((await sheaf.jobs.list()).totalSize).toBe(before);
  });

  it("joins the work of an earlier process with the caller's key", async () => {
    const options = { schema: { gross_total: "number" }, idempotencyKey: crypto.randomUUID() } as const;
    const first = await sheaf.documents.start(large, options);
    const second = await sheaf.documents.process(large, options);
    expect([second.guid, second.job.runs?.length]).toEqual([first.guid, 1]);
  });

  it("goes beside a batch, and is yielded with its documents", async () => {
    const found: BatchDocument<{ total: number | null; gross_total: number | null }>[] = [];
    const schema = { total: "number", gross_total: "number" } as const;
    for await (const document of sheaf.batches.run([large, note], { schema })) found.push(document);
    const [first, second] = found.sort((a, b) => a.index - b.index);
    expect([first?.fileName, first?.data?.gross_total]).toEqual(["large.pdf", 517.2]);
    expect([second?.fileName, second?.data?.total]).toEqual(["note.txt", 5]);
    expect(await sheaf.jobs.status(first?.guid ?? "")).toMatchObject({ isBatch: false, status: "COMPLETED" });
    expect(await sheaf.jobs.status(second?.guid ?? "")).toMatchObject({ isBatch: true, totalDocs: 1 });
  });

  it("goes into a case", async () => {
    const { id } = await sheaf.cases.create({ name: "Large documents" });
    calls.length = 0;
    const kept = await sheaf.cases.upload(id, large);
    expect(kept).toMatchObject({ caseId: id, filename: "large.pdf", sizeBytes: large.size });
    expect(calls[0]).toBe("POST /document/upload-url");
    await sheaf.cases.remove(id);
  });
});
