/** Documents without a text layer, as a user sends them. */
import { rgb } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import { type DrawnLine, drawPdf } from "../support/drawn-pdf.ts";
import { drawnPdf } from "../support/pdf.ts";
import { photo, scanPage, shadeIn } from "../support/scanned-pages.ts";
import { pictureAsPdf, picturesOf, pngOf, scannedPdf, scannedTiff } from "../support/scans.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const PROSE = [
  "The harbour master keeps a ledger of every ship",
  "that enters between the two piers before sunset.",
  "Each entry names the captain and the cargo.",
];
const page = (heading: string): DrawnLine[] => [
  { text: heading, x: 72, y: 700, size: 20 },
  ...PROSE.map((text, index) => ({ text, x: 72, y: 650 - 20 * index, size: 13 })),
];
const threePages = () => drawPdf([page("First sheet"), page("Second sheet"), page("Third sheet")]);

interface Part {
  content: string;
}

const BLACK = rgb(0, 0, 0);

/** A letter on all pages but the last, which has a name and two boxes to tick. */
const drawForms = (pages: number): Promise<Uint8Array> =>
  drawnPdf(
    Array.from({ length: pages }, (_, index) => (sheet, { regular }) => {
      const write = (content: string, x: number, y: number): void =>
        sheet.drawText(content, { x, y, size: 14, font: regular });
      if (index < pages - 1) {
        for (const [row, line] of PROSE.entries()) write(line, 72, 600 - 24 * row);
        return;
      }
      write("Full name: Ada Lovelace", 72, 700);
      write("Member", 100, 640);
      write("Newsletter", 100, 600);
      for (const y of [638, 598])
        sheet.drawRectangle({ x: 72, y, width: 14, height: 14, borderWidth: 1.5, borderColor: BLACK });
      sheet.drawLine({ start: { x: 75, y: 641 }, end: { x: 83, y: 649 }, thickness: 1.5 });
      sheet.drawLine({ start: { x: 75, y: 649 }, end: { x: 83, y: 641 }, thickness: 1.5 });
    }),
  );

async function text(bytes: Uint8Array, type: string, query = "", command: unknown = {}): Promise<string> {
  const { api } = target;
  const guid = await api.upload(bytes, { type });
  expect((await api.post(`/document/ocr/${guid}${query}`, { json: command })).status).toBe(200);
  const status = await api.ended(guid);
  expect(status.error).toBeNull();
  expect(status.status).toBe("COMPLETED");
  return (await api.get(`/job/result/${guid}`)).text;
}

describe("a scanned invoice", () => {
  it("returns its data with their places on the picture", async () => {
    const { api } = target;
    const [picture = new Uint8Array()] = await picturesOf(await drawInvoice(), 200);
    const status = await api.processed(
      picture,
      { schema: DEMO_SCHEMA, sourceLocations: true },
      { name: "scan.png", type: "image/png" },
    );
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    expect(status.usage.ocrPages).toBe(1);
    expect(status.qualityScore).toBeGreaterThan(0.5);
    const { guid } = status;
    const { json: data } = await api.get(`/job/result/${guid}/json`);
    expect(data).toMatchObject({
      invoice_number: DEMO_TRUTH.invoice_number,
      issue_date: DEMO_TRUTH.issue_date,
      gross_total: DEMO_TRUTH.gross_total,
      net_total: DEMO_TRUTH.net_total,
    });
    const { json: sources } = await api.get(`/job/result/${guid}/source-locations`);
    const [anchor] = sources.locations["/gross_total"].pageAnchors;
    expect(anchor.pageNumber).toBe(1);
    expect(anchor.bbox.left).toBeGreaterThan(4);
    const { json: quality } = await api.get(`/job/result/${guid}/ocr-quality`);
    expect(quality).toMatchObject({ requestedOcrMode: "DEFAULT", escalatedToPremium: false });
    expect(quality.pages).toHaveLength(1);
    expect(quality.wordCount).toBeGreaterThan(30);
  });
});

// On one machine no engine looks for forms.
describe.runIf(REMOTE_URL !== undefined)("scanned forms at PREMIUM, with an engine that reads forms", () => {
  const schema = {
    type: "object",
    properties: { full_name: { type: "string" }, member: { type: "boolean" }, newsletter: { type: "boolean" } },
  };

  it.each([
    ["one page", 1],
    ["several pages, in the service's own time", 2],
  ])("give checkboxes and fields: %s", async (_, count) => {
    const { api } = target;
    const pdf = await scannedPdf(await drawForms(count));
    const command = { schema, ocr: "PREMIUM", sourceLocations: true };
    const { guid, ...status } = await api.processed(pdf, command, { type: "application/pdf" });
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    const { json: data } = await api.get(`/job/result/${guid}/json`);
    expect(data).toEqual({ full_name: "Ada Lovelace", member: true, newsletter: false });
    const { json: sources } = await api.get(`/job/result/${guid}/source-locations`);
    expect(sources.locations["/member"].pageAnchors[0]).toMatchObject({ pageNumber: count });
    expect(sources.locations["/member"].pageAnchors[0].bbox.left).toBeCloseTo(1, 1);
    const { json: layout } = await api.get(`/job/result/${guid}/layout?include=words,fields`);
    const page = layout.pages[count - 1];
    const marks = page.words.filter(({ content }: { content: string }) => /^[☒☐]$/.test(content));
    expect(marks.map(({ content }: { content: string }) => content)).toEqual(["☒", "☐"]);
    const told = page.fields.map((field: { label: Part; values: Part[] }) => [
      field.label.content,
      ...field.values.map((value) => value.content),
    ]);
    expect(told).toContainEqual(["Full name:", "Ada Lovelace"]);
    expect(told).toContainEqual(["Member", "☒"]);
  });
});

describe("scans of several pages", () => {
  it("are read page by page, in a PDF", async () => {
    const pages = (await text(await scannedPdf(await threePages()), "application/pdf")).split("\f");
    expect(pages).toHaveLength(3);
    for (const [index, heading] of ["First sheet", "Second sheet", "Third sheet"].entries()) {
      expect(pages[index]).toContain(heading);
      expect(pages[index]?.replaceAll(/\s+/g, " ")).toContain("The harbour master keeps a ledger");
    }
  });

  it("are read page by page, in a TIFF", async () => {
    const markdown = await text(await scannedTiff(await threePages()), "image/tiff", "?format=markdown");
    for (const [index, heading] of ["First sheet", "Second sheet", "Third sheet"].entries()) {
      expect(markdown).toContain(`<!-- page ${index + 1} -->`);
      expect(markdown).toContain(heading);
    }
  });

  it("keep the text layer of pages that have one, and name the source of the other pages' words", async () => {
    const { api } = target;
    const guid = await api.upload(await scannedPdf(await threePages(), [1]), { type: "application/pdf" });
    await api.post(`/document/ocr/${guid}`, { json: {} });
    expect(await api.ended(guid)).toMatchObject({ status: "COMPLETED" });
    const { json: layout } = await api.get(`/job/result/${guid}/layout`);
    expect(layout.pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual([1, 2, 3]);
    const certain = layout.pages.map(({ words }: { words: { confidence: number }[] }) =>
      words.every(({ confidence }) => confidence === 1),
    );
    expect(certain[1]).toBe(true);
    expect(certain[0]).toBe(false);

    const some = await api.get(`/job/result/${guid}/layout?pages=2-3,9&include=words,lines,blocks`);
    expect(some.json.pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual([2, 3]);
    const [second] = some.json.pages;
    expect(second.lines[0].content).toBe("Second sheet");
    expect(second.spans[0].offset).toBe(layout.pages[1].spans[0].offset);
    expect(second.words[0]).toMatchObject({ id: "p2/w0", content: "Second", span: { length: 6 } });
    expect(some.json.contentLength).toBe(layout.contentLength);
    const bad = await api.get(`/job/result/${guid}/layout?pages=0`);
    expect(bad.status).toBe(400);
  });
});

describe("a scan with a photo", () => {
  it("returns it as a figure with its caption, and as an image", async () => {
    const { api } = target;
    const box = { left: 2, top: 4, right: 6, bottom: 6.6 };
    const { gray } = await scanPage((pen) => {
      pen.text("Annual report", 1, 1.2, 24);
      pen.paragraph(1, 1.5, 10);
      pen.text("Figure 1: Hills behind the office", 2, 6.85, 12);
    }, 150);
    shadeIn(gray, box, (_, x, y) => photo(x, y));
    const bytes = await pictureAsPdf(await pngOf(gray, 150));
    const { guid } = await api.processed(bytes, { extractFigures: true }, { type: "application/pdf" });
    const { json: lists } = await api.get(`/job/result/${guid}/layout?include=figures`);
    expect(lists.figures).toMatchObject([{ caption: { content: "Figure 1: Hills behind the office" } }]);
    const { json } = await api.get(`/job/figures/${guid}`);
    expect(json.images).toMatchObject([{ id: "p1f1", caption: "Figure 1: Hills behind the office" }]);
    const [{ bbox, width }] = json.images;
    for (const side of ["left", "top", "right", "bottom"] as const)
      expect(Math.abs(bbox[side] - box[side])).toBeLessThan(0.1);
    expect(width / (bbox.right - bbox.left)).toBeGreaterThan(140);
    const image = await api.get(`/job/figure/${guid}/p1f1`);
    expect(new DataView(image.bytes.buffer, image.bytes.byteOffset).getUint32(16)).toBe(width);
  });
});

describe("the OCR options", () => {
  it("read text layers only at NONE", async () => {
    const { api } = target;
    const guid = await api.upload(await scannedPdf(await threePages()), { type: "application/pdf" });
    await api.post(`/document/ocr/${guid}`, { json: { ocr: "NONE" } });
    expect(await api.ended(guid)).toMatchObject({
      status: "FAILED",
      error: "Processing failed: Text extraction failed",
    });
    expect((await api.get(`/job/result/${guid}/ocr-quality`)).status).toBe(404);
    // Another run may ask for more.
    await api.post(`/document/ocr/${guid}`, { json: { ocr: "LOW" } });
    expect((await api.ended(guid)).status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${guid}`)).text).toContain("harbour");
  });
});

describe("a page view", () => {
  it("is a picture of the page as shown, drawn once", async () => {
    const { api } = target;
    const guid = await api.upload(await threePages(), { type: "application/pdf" });
    const first = await api.get(`/job/image/${guid}/0`);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("image/png");
    const view = new DataView(first.bytes.buffer, first.bytes.byteOffset);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([1275, 1650]);
    expect((await api.get(`/job/image/${guid}/0`)).bytes).toEqual(first.bytes);
    expect((await api.get(`/job/image/${guid}/3`)).status).toBe(404);
    expect((await target.other.get(`/job/image/${guid}/0`)).status).toBe(404);
  });

  it("shows the places of a run's values", async () => {
    const { api } = target;
    const schema = { type: "object", properties: { invoice_number: { type: "string" }, total: { type: "number" } } };
    const { guid } = await api.processed(await drawInvoice(), { schema }, { type: "application/pdf" });
    const plain = await api.get(`/job/image/${guid}/0`);
    const refused = await api.get(`/job/image/${guid}/0?locations=true`);
    expect([refused.status, refused.json.message]).toEqual([
      404,
      `Source locations of job ${guid} were not requested; process it with sourceLocations: true`,
    ]);
    await api.post(`/document/process/${guid}`, { json: { schema, sourceLocations: true } });
    await api.ended(guid);
    const all = await api.get(`/job/image/${guid}/0?locations=true`);
    const one = await api.get(`/job/image/${guid}/0?locations=true&pointers=/total&run=2`);
    for (const { status, headers, bytes } of [all, one]) {
      expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(bytes.subarray(16, 24)).toEqual(plain.bytes.subarray(16, 24));
      expect(bytes).not.toEqual(plain.bytes);
    }
    expect(one.bytes).not.toEqual(all.bytes);
    expect((await api.get(`/job/image/${guid}/0?locations=true`)).bytes).toEqual(all.bytes);
    expect((await api.get(`/job/image/${guid}/0?pointers=/total`)).bytes).toEqual(one.bytes);
    // Nothing there to mark; not the first run's; not a page; not a pointer.
    expect((await api.get(`/job/image/${guid}/0?locations=true&pointers=/none`)).bytes).toEqual(plain.bytes);
    const wrong = ["0?locations=true&run=1", "1?locations=true", "0?locations=true&pointers=total"];
    const answers = await Promise.all(wrong.map((query) => api.get(`/job/image/${guid}/${query}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400]);
    expect((await target.other.get(`/job/image/${guid}/0?locations=true`)).status).toBe(404);
  });
});
