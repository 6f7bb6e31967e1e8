/** Findings in documents beside their text, and the type of a document. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { symbol, symbolsPdf } from "../functions/engine/readers/barcodes/symbols.ts";
import { patternPng, picturesPdf, show } from "../functions/engine/structure/figures/pictures.ts";
import { form } from "../support/api.ts";
import { xlsx } from "../support/office.ts";
import { encryptedPdf, formPdf } from "../support/pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const PDF = { name: "document.pdf", type: "application/pdf" };
const EPC = [
  "BCD",
  "002",
  "1",
  "SCT",
  "COBADEFFXXX",
  "Harbour Street Library",
  "DE89370400440532013000",
  "EUR517.20",
  "",
  "",
  "Invoice SH-2026-0117",
].join("\n");

describe("barcodes", () => {
  it("are found, parsed, and used by extraction", async () => {
    const { api } = target;
    const modules = await symbol(EPC, { format: "QRCode" });
    const bytes = await symbolsPdf([{ modules, left: 72, top: 72, module: 2 }]);
    const status = await api.processed(
      bytes,
      { barcodes: true, schema: { iban: "string", amount: "number" }, sourceLocations: true },
      PDF,
    );
    expect(status.error).toBeNull();
    const { json } = await api.get(`/job/result/${status.guid}/barcodes`);
    expect(json).toMatchObject([
      { format: "QRCode", text: EPC, pageNumber: 1, payload: { type: "epc", valid: true, faults: [] } },
    ]);
    const { bbox } = json[0];
    expect(bbox.left).toBeGreaterThan(0.9);
    expect(bbox.right).toBeLessThan(4);
    expect((await api.get(`/job/result/${status.guid}/json`)).json).toEqual({
      iban: "DE89370400440532013000",
      amount: 517.2,
    });
    const sources = await api.get(`/job/result/${status.guid}/source-locations`);
    const [anchor] = sources.json.locations["/iban"].pageAnchors;
    expect(anchor.bbox.left).toBeGreaterThanOrEqual(bbox.left);
    expect(anchor.bbox.bottom).toBeLessThanOrEqual(bbox.bottom);
    expect((await target.other.get(`/job/result/${status.guid}/barcodes`)).status).toBe(404);
  });

  it("are 404 when not requested, and an empty list when there are none", async () => {
    const { api } = target;
    const { guid } = await api.processed(await drawInvoice(), {}, PDF);
    expect((await api.get(`/job/result/${guid}/barcodes`)).status).toBe(404);
    await api.post(`/document/process/${guid}`, { json: { barcodes: true } });
    await api.ended(guid);
    expect((await api.get(`/job/result/${guid}/barcodes`)).json).toEqual([]);
  });
});

describe("figures", () => {
  it("are listed and returned as in the file, with their captions", async () => {
    const { api } = target;
    const bytes = await picturesPdf({ a: await patternPng(320, 200) }, [
      (page, { a }) => {
        show(page, a, 72, 560, 240, 150);
        page.drawText("Figure 1: The harbour at noon", { x: 72, y: 540, size: 11 });
        page.drawText("The harbour lies between two piers and is closed at night.", { x: 72, y: 480, size: 11 });
      },
    ]);
    const status = await api.processed(bytes, { extractFigures: true }, PDF);
    const { json } = await api.get(`/job/figures/${status.guid}`);
    expect(json.images).toEqual([
      expect.objectContaining({
        id: "p1f1",
        pageNumber: 1,
        width: 320,
        height: 200,
        mimeType: "image/png",
        description: "Figure 1: The harbour at noon",
      }),
    ]);
    const image = await api.get(`/job/figure/${status.guid}/p1f1`);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(image.headers.get("content-disposition")).toBe('attachment; filename="p1f1.png"');
    const page = await api.get(`/job/image/${status.guid}/0`);
    expect([page.status, page.headers.get("content-disposition")]).toEqual([200, 'attachment; filename="page-1.png"']);
    expect(new DataView(image.bytes.buffer, image.bytes.byteOffset).getUint32(16)).toBe(320);
    expect((await api.get(`/job/figure/${status.guid}/p9f9`)).status).toBe(404);
    expect((await api.get(`/job/figure/${status.guid}/..%2Fresult.json`)).status).toBe(404);
  });
});

describe("forms", () => {
  it("are read immediately, and by a job", async () => {
    const { api } = target;
    const bytes = await formPdf("Ada Lovelace", { look: true });
    const answer = await api.post("/document/acroform-metadata", { body: form(bytes, PDF) });
    expect(answer.status).toBe(200);
    expect(answer.json.pages).toEqual([{ pageNumber: 1, width: 612, height: 792 }]);
    expect(answer.json.fields).toEqual([
      expect.objectContaining({ name: "name", type: "text", value: "Ada Lovelace", pageNumber: 1 }),
    ]);
    const { guid } = await api.processed(bytes, { acroFormMetadata: true }, PDF);
    expect((await api.get(`/job/result/${guid}/acroform-metadata`)).json).toEqual(answer.json);

    const none = await api.post("/document/acroform-metadata", { body: form(await drawInvoice(), PDF) });
    expect(none.json.fields).toEqual([]);
    const text = await api.post("/document/acroform-metadata", { body: form("no PDF", { type: "text/plain" }) });
    expect(text.status).toBe(400);
    const broken = await api.post("/document/acroform-metadata", { body: form("%PDF-1.4 and nothing", PDF) });
    expect(broken.status).toBe(422);
  });
});

describe("a document without a schema", () => {
  it("is classified by its content", async () => {
    const { api } = target;
    const started = await api.post("/document/analyze", { body: form(await drawInvoice(), PDF) });
    expect(started.status).toBe(200);
    const status = await api.ended(started.json.guid);
    expect(status).toMatchObject({ status: "COMPLETED", engine: "offline" });
    const { json } = await api.get(`/job/result/${status.guid}/json`);
    expect(json).toMatchObject({ document_type: "invoice", language: "en", pages: 1 });
    expect(json.suggested_prompt).toContain("invoice");
    expect(Object.keys(json.suggested_schema.properties).length).toBeGreaterThan(4);
  });

  it("gets a schema that can be sent back", async () => {
    const { api } = target;
    const bytes = await drawInvoice();
    const started = await api.post("/document/generate-schema?instructionsText=also%20the%20delivery_note", {
      body: form(bytes, PDF),
    });
    const { guid } = await api.ended(started.json.guid);
    const { json: schema } = await api.get(`/job/result/${guid}/json`);
    expect(schema.type).toBe("object");
    const again = await api.processed(bytes, { schema }, PDF);
    const { json: data } = await api.get(`/job/result/${again.guid}/json`);
    const values = Object.values(data);
    expect(values.filter((value) => value !== null).length).toBeGreaterThanOrEqual(values.length / 2);
  });
});

describe("a workbook at EXCEL", () => {
  it("returns every cell with its type", async () => {
    const { api } = target;
    const bytes = xlsx("Stock", [
      ["Item", "Count"],
      ["Rope", 12],
    ]);
    const guid = await api.upload(bytes, { name: "stock.xlsx" });
    await api.post(`/document/ocr/${guid}`, { json: { ocr: "EXCEL" } });
    expect(await api.ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    const answer = await api.get(`/job/result/${guid}`);
    expect(answer.headers.get("content-type")).toContain("application/jsonl");
    const cells = answer.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(cells).toContainEqual(
      expect.objectContaining({ sheet: "Stock", row: 2, column: 2, value: 12, type: "number" }),
    );
    expect(cells).toHaveLength(4);
  });
});

// Here since these tests run against a deployment too, where a step gets the key of passwords from its own grant.
describe("a PDF that opens with a password", () => {
  const locked = () => encryptedPdf({ user: "open sesame", owner: "owner" });

  it("is read with it, and its password is in no answer", async () => {
    const { api } = target;
    const status = await api.processed(await locked(), { extractionMode: "OCR", password: "open sesame" }, PDF);
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    const answers = [
      await api.get(`/job/result/${status.guid}`),
      await api.get(`/job/params/${status.guid}`),
      await api.get(`/job/status/${status.guid}`),
    ];
    expect(answers[0]?.text).toContain("Behind a password");
    for (const { text } of answers) expect(text).not.toContain("open sesame");
  });

  it("is FAILED with another password", async () => {
    const status = await target.api.processed(await locked(), { password: "open barley" }, PDF);
    expect(status).toMatchObject({ status: "FAILED", error: JOB_SENTENCES.wrongPassword });
  });
});
