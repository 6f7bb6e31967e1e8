/** The typed client against the service itself, area by area. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { type BatchDocument, eq, Sheaf, SheafError, SheafJobError, SheafWaitTimeout } from "../../client/index.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let sheaf: Sheaf;
let invoice: Uint8Array;
beforeAll(async () => {
  target = await startTestService();
  sheaf = new Sheaf({ apiKey: target.keys.one, baseUrl: target.url });
  invoice = await drawInvoice();
});
afterAll(() => target.close());

const note = (total: string): File =>
  new File([`Invoice no: A-17\nTotal: ${total} EUR`], `note-${total}.txt`, { type: "text/plain" });
const TOTAL = { total: "number" } as const;

/** A client that notes its calls; the answers of those that `loses` names never come, though the work is done. */
function observed(loses: (call: string, before: number) => boolean = () => false) {
  const calls: string[] = [];
  const client = new Sheaf({
    apiKey: target.keys.one,
    baseUrl: target.url,
    async fetch(input, init) {
      const call = `${init?.method} ${new URL(String(input)).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "{guid}")}`;
      const before = calls.filter((one) => one === call).length;
      calls.push(call);
      const answer = await fetch(input, init);
      if (!loses(call, before)) return answer;
      await answer.arrayBuffer();
      throw new TypeError("fetch failed");
    },
  });
  return { client, calls };
}

describe("documents.process", () => {
  it("gives the data of a schema of zod, a JSON Schema and a shape", async () => {
    const zod = await sheaf.documents.process(note("120.00"), {
      schema: z.object({ invoice_number: z.string(), total: z.number() }),
    });
    expect(zod.data).toEqual({ invoice_number: "A-17", total: 120 });
    expect(zod.job).toMatchObject({ guid: zod.guid, status: "COMPLETED" });
    const literal = await sheaf.documents.process(note("7.50"), {
      schema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
    });
    expect(literal.data.total).toBe(7.5);
    const shape = await sheaf.documents.process(note("9.00"), { schema: TOTAL, sourceLocations: true });
    expect(shape.data.total).toBe(9);
    const { locations } = await sheaf.jobs.sourceLocations(shape.guid);
    expect(locations["/total"]?.pageAnchors).toHaveLength(1);
  });

  it("does its work once when answers are lost, and joins the work of an earlier process with its key", async () => {
    const { client, calls } = observed((_call, before) => before === 0);
    const options = { schema: TOTAL, idempotencyKey: `order-${crypto.randomUUID()}` };
    const before = (await sheaf.jobs.list()).totalSize;
    const first = await client.documents.process(note("44.00"), options);
    expect(calls.filter((call) => call === "POST /document/upload-files")).toHaveLength(2);
    const again = await sheaf.documents.process(note("44.00"), options);
    expect([first.data.total, again.guid]).toEqual([44, first.guid]);
    expect((await sheaf.jobs.list()).totalSize).toBe(before + 1);
    await expect(sheaf.documents.process(note("45.00"), options)).rejects.toMatchObject({ status: 409 });
  });

  it("rejects with the job's sentence when it fails, and with the request's id when it is refused", async () => {
    const locked = new File(
      [new Uint8Array(await templatePdf({ userPassword: "secret", ownerPassword: "owner" }))],
      "locked.pdf",
    );
    const failed = await sheaf.documents.process(locked, { schema: TOTAL }).catch((error: unknown) => error);
    if (!(failed instanceof SheafJobError)) throw new Error(`a SheafJobError was expected, not ${failed}`);
    expect(failed.message).toBe("Processing failed: Document is password protected");
    expect(failed.job).toMatchObject({ guid: failed.guid, status: "FAILED" });
    const refused = await sheaf.documents.process(new File([], "empty.txt")).catch((error: unknown) => error);
    if (!(refused instanceof SheafError)) throw new Error(`a SheafError was expected, not ${refused}`);
    expect([refused.status, refused.kind]).toEqual([422, "UnprocessableEntity"]);
    expect(refused.requestId).toMatch(/./);
  });

  it("ends a wait by its signal or its time, and the job goes on", async () => {
    const started = await sheaf.documents.start(invoice, { schema: TOTAL, fileName: "invoice.pdf" });
    const late = sheaf.jobs.wait(started.guid, { timeoutSeconds: 0 });
    expect(
      await late.then(({ status }) => status).catch((error: unknown) => error instanceof SheafWaitTimeout),
    ).toSatisfy((outcome) => outcome === true || outcome === "COMPLETED");
    const reason = new Error("enough");
    await expect(started.result({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const seen: string[] = [];
    expect((await started.result({ onProgress: ({ status }) => seen.push(status) })).data).toHaveProperty("total");
    expect(seen.at(-1)).toBe("COMPLETED");
  });
});

describe("documents.records", () => {
  it("gives the rows of a long document's chunks, and its header", async () => {
    const pages = ["Customer: Harbour Library\n\nSKU  Net\nA-1  4.50\nA-2  6.00"].join("\n");
    const { data, job } = await sheaf.documents.records(new File([pages], "list.txt", { type: "text/plain" }), {
      schema: { sku: "text", net: "number" },
      chunks: { pagesPerChunk: 1, parallelProcessing: true },
      header: { pageLimit: 1, includeInRows: true, schema: { customer: "text" } },
    });
    expect(job.jobMode).toBe("MAP_REDUCE");
    expect(data).toEqual({
      header: { customer: "Harbour Library" },
      records: [
        { sku: "A-1", net: 4.5 },
        { sku: "A-2", net: 6 },
      ],
    });
  });
});

describe("documents.ocr and jobs.start", () => {
  it("read a document's text, and run again over an uploaded one", async () => {
    const { data, guid } = await sheaf.documents.ocr(note("3.00"), { format: "markdown" });
    expect(data).toContain("Total: 3.00 EUR");
    const again = await sheaf.jobs.start(guid, { schema: TOTAL });
    expect((await again.result()).data).toEqual({ total: 3 });
  });
});

describe("batches.run", () => {
  const collected = async <Data>(documents: AsyncIterable<BatchDocument<Data>>): Promise<BatchDocument<Data>[]> => {
    const found: BatchDocument<Data>[] = [];
    for await (const document of documents) found.push(document);
    return found.sort((a, b) => a.index - b.index);
  };

  it("yields every document as it ends: good, failed and refused", async () => {
    const files = [
      note("1.00"),
      { document: await templatePdf({ userPassword: "secret", ownerPassword: "owner" }), fileName: "locked.pdf" },
      new File([], "empty.txt"),
      note("2.00"),
    ];
    const progress: number[] = [];
    const found = await collected(
      sheaf.batches.run(files, {
        schema: TOTAL,
        maxConcurrency: 2,
        onProgress: ({ completedDocs }) => progress.push(completedDocs),
      }),
    );
    expect(found.map(({ fileName, status, error }) => [fileName, status, error])).toEqual([
      ["note-1.00.txt", "COMPLETED", undefined],
      ["locked.pdf", "FAILED", "Processing failed: Document is password protected"],
      ["empty.txt", "REFUSED", expect.stringMatching(/./)],
      ["note-2.00.txt", "COMPLETED", undefined],
    ]);
    expect([found[0]?.data?.total, found[3]?.data?.total]).toEqual([1, 2]);
    expect(progress.at(-1)).toBe(2);
    expect(await sheaf.jobs.status(found[0]?.guid ?? "")).toMatchObject({
      isBatch: true,
      totalDocs: 3,
      status: "PARTIAL",
    });
  });

  it("yields texts as data, and leaves nothing behind when all are refused or the reader stops before the start", async () => {
    const [text] = await collected(sheaf.batches.run([note("5.00")], { extractionMode: "OCR" }));
    expect(text).toMatchObject({ status: "COMPLETED", data: expect.stringContaining("Total: 5.00 EUR") });
    const before = (await sheaf.jobs.list()).totalSize;
    expect(await collected(sheaf.batches.run([new File([], "empty.txt")]))).toMatchObject([{ status: "REFUSED" }]);
    async function* broken() {
      yield note("6.00");
      throw new Error("the disk is gone");
    }
    await expect(collected(sheaf.batches.run(broken()))).rejects.toThrow("the disk is gone");
    expect((await sheaf.jobs.list()).totalSize).toBe(before);
  });

  it("joins the batch of a program that stopped, with the key of both", async () => {
    const options = { schema: TOTAL, idempotencyKey: crypto.randomUUID() };
    const files = [note("10.00"), note("11.00")];
    const before = (await sheaf.jobs.list()).totalSize;
    let stopped: string | undefined;
    for await (const document of sheaf.batches.run(files, options)) {
      stopped = document.guid;
      break;
    }
    const found = await collected(sheaf.batches.run(files, options));
    expect(found.map(({ data }) => data?.total)).toEqual([10, 11]);
    expect(found.map(({ guid }) => guid)).toEqual([stopped, stopped]);
    expect((await sheaf.jobs.list()).totalSize).toBe(before + 1);
  });

  it("leaves the finished batch of an earlier call with the same key when the second call is refused", async () => {
    const options = { schema: TOTAL, idempotencyKey: crypto.randomUUID() };
    const [first] = await collected(sheaf.batches.run([note("12.00")], options));
    const other = collected(sheaf.batches.run([note("13.00")], options));
    await expect(other).rejects.toMatchObject({ status: 409 });
    expect((await sheaf.jobs.status(first?.guid ?? "")).status).toBe("COMPLETED");
  });

  it("ends with the signal's reason", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const run = collected(
      sheaf.batches.run([note("7.00"), note("8.00")], {
        schema: TOTAL,
        signal: stop.signal,
        onProgress: () => stop.abort(reason),
      }),
    );
    await expect(run).rejects.toBe(reason);
  });
});

describe("pipelines.define", () => {
  it("makes a pipeline that the service accepts and runs", async () => {
    const p = sheaf.pipelines.define({ description: "Sizes of invoices" });
    const data = p.extract("data", { schema: { invoice_number: "text", total: "number" } });
    const size = p.validate("size", {
      input: data.result.total,
      buckets: [{ name: "small", max: 99 }],
      default: "large",
    });
    const small = p.final("small_final", {
      when: eq(size.result.bucket, "small"),
      output: { size: "small", number: data.result.invoice_number },
    });
    const other = p.final("other_final", { output: { size: size.result.bucket, currency: "$" } });
    const pipeline = p.finalOrder(small, other);
    expect(await sheaf.pipelines.validate(pipeline)).toMatchObject({ valid: true, errors: [], warnings: [] });
    const first = await sheaf.documents.process(note("12.00"), { pipeline });
    expect(first.data).toEqual({ size: "small", number: "A-17" });
    const second = await sheaf.documents.process(note("500.00"), { pipeline });
    expect(second.data).toEqual({ size: "large", currency: "$" });
  });
});

describe("the other areas", () => {
  it("templates fills a form with the values of a job", async () => {
    const name = `client-${crypto.randomUUID()}`;
    await sheaf.templates.upload(name, new Blob([new Uint8Array(await templatePdf())], { type: "application/pdf" }));
    const { bytes } = await sheaf.templates.fill(name, { fields: { "applicant.name": "Ada", agreed: true } });
    expect(await fieldsOf(bytes)).toMatchObject({ "applicant.name": "Ada", agreed: "true" });
    await sheaf.templates.remove(name);
  });

  it("operations runs one and gives its result; forms makes a form of a flat PDF", async () => {
    const { guid } = await sheaf.documents.process(note("31.00"), { schema: TOTAL });
    const { analysis } = await sheaf.operations.run(guid, "error-analysis");
    expect(analysis.overall_confidence).toBeGreaterThan(0);
    const failing = sheaf.operations.run(guid, "generative-task", { prompt: "Say it in a sentence" });
    await expect(failing).rejects.toMatchObject({ message: "Processing failed: AI service unavailable" });
    const flat = await sheaf.documents.process(invoice, { fileName: "invoice.pdf" });
    const made = await sheaf.forms.make(flat.guid);
    await sheaf.jobs.wait(made.jobGuid);
    expect(
      Buffer.from(await sheaf.forms.pdf(made.jobGuid))
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });

  it("cases, billing and webhooks answer", async () => {
    const folder = await sheaf.cases.create({ name: "Typed client" });
    const kept = await sheaf.cases.upload(folder.id, note("1.50"));
    expect((await sheaf.cases.documents(folder.id)).content.map(({ documentId }) => documentId)).toEqual([
      kept.documentId,
    ]);
    await sheaf.cases.remove(folder.id);
    expect(await sheaf.billing.balance()).toMatchObject({ organizationId: target.keys.organizationId });
    const unsigned = sheaf.webhooks.verify({ payload: "{}", headers: {}, secret: "whsec_c2VjcmV0" });
    await expect(unsigned).rejects.toThrow("The header webhook-id is missing");
  });
});
