/** Pages of documents without page images of their own: drawn from the layout. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCX, MARKDOWN, PPTX, XLSX } from "../../functions/ports/media-types.ts";
import { docx, wordParagraph, wordRun, wordTable, xlsx } from "../support/office.ts";
import { frame, presentation, shape } from "../support/office-parts.ts";
import { sharedTestService, startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const ROWS = [
  ["Item", "Sum"],
  ["Anchor", "12.50"],
];
const DOCUMENTS: [mimeType: string, bytes: Uint8Array | string][] = [
  [DOCX, docx(wordParagraph(wordRun("The agreement of the parties")), wordTable(ROWS))],
  [XLSX, xlsx("Sheet", ROWS)],
  [PPTX, presentation([{ shapes: shape({ at: frame(1, 1, 6, 2), text: "Quarterly figures" }) }])],
  [MARKDOWN, "# Heading\n\n| Item | Sum |\n|---|---|\n| Anchor | 12.50 |\n"],
  ["text/csv", "Item,Sum\nAnchor,12.50\n"],
  ["text/plain", "just a line of text"],
];

describe("a page without a picture of its own", () => {
  it.each(DOCUMENTS)("is drawn from its layout, before and after it is read: %s", async (type, bytes) => {
    const { api, other } = target;
    const guid = await api.upload(bytes, { type });
    const fresh = await api.get(`/job/image/${guid}/0`);
    await api.post(`/document/ocr/${guid}`, { json: {} });
    await api.ended(guid);
    const read = await api.get(`/job/image/${guid}/0`);
    const again = await api.get(`/job/image/${guid}/0`);
    const [page] = (await api.get(`/job/result/${guid}/layout`)).json.pages;
    for (const { status, headers, bytes: png } of [fresh, read, again]) {
      expect([status, headers.get("content-type"), headers.get("x-sheaf-rendered")]).toEqual([
        200,
        "image/png",
        "layout",
      ]);
      expect(headers.get("content-disposition")).toContain("page-1.png");
      const { width, height } = await sharp(png).metadata();
      expect([width, height]).toEqual([Math.round(page.width * 150), Math.round(page.height * 150)]);
      expect(png).toEqual(fresh.bytes);
    }
    const beyond = await api.get(`/job/image/${guid}/7`);
    expect([beyond.status, beyond.json.message]).toEqual([404, "The document has 1 pages; there is none at index 7"]);
    expect((await other.get(`/job/image/${guid}/0`)).status).toBe(404);
  });

  it("shows the places of a run's values, in their boxes", async () => {
    const { api } = target;
    const schema = { type: "object", properties: { invoice_number: { type: "string" } } };
    const text = "# Invoice\n\nInvoice number: A-1001\n";
    const { guid } = await api.processed(text, { schema, sourceLocations: true }, { type: MARKDOWN });
    const plain = await api.get(`/job/image/${guid}/0`);
    const marked = await api.get(`/job/image/${guid}/0?locations=true`);
    expect([marked.status, marked.headers.get("x-sheaf-rendered")]).toEqual([200, "layout"]);
    expect(marked.bytes.subarray(16, 24)).toEqual(plain.bytes.subarray(16, 24));
    const { locations } = (await api.get(`/job/result/${guid}/source-locations`)).json;
    const { bbox } = locations["/invoice_number"].pageAnchors[0];
    const at = { left: Math.round(bbox.left * 150), top: Math.round(bbox.top * 150) };
    const size = {
      width: Math.round((bbox.right - bbox.left) * 150),
      height: Math.round((bbox.bottom - bbox.top) * 150),
    };
    const pixelsOf = (png: Uint8Array) =>
      sharp(png)
        .removeAlpha()
        .extract({ ...at, ...size })
        .raw()
        .toBuffer();
    const [before, after] = [await pixelsOf(plain.bytes), await pixelsOf(marked.bytes)];
    // The value is written there, and the mark covers it.
    expect(before.some((shade) => shade < 100)).toBe(true);
    expect(after.equals(before)).toBe(false);
  });

  it("is a 422 for a document that cannot be read", async () => {
    const { api } = target;
    const guid = await api.upload(docx("<w:p><w:unclosed>"), { type: DOCX });
    const answer = await api.get(`/job/image/${guid}/0`);
    expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining("The page could not be drawn")]);
  });
});

describe.skipIf(REMOTE_URL !== undefined)("rendered=office", () => {
  let without: TestService;
  beforeAll(async () => {
    without = await startTestService({ env: { SHEAF_OFFICE: "off" } });
  });
  afterAll(() => without.close());

  it("is a 404 where no Office program is, or draws the type, and a 400 with locations", async () => {
    const { api } = without;
    const word = await api.upload(docx(wordParagraph(wordRun("text"))), { type: DOCX });
    const plain = await api.upload("text", { type: "text/plain" });
    const answers = [];
    for (const path of [`${word}/0?rendered=office`, `${plain}/0?rendered=office`]) {
      const { status, json } = await api.get(`/job/image/${path}`);
      answers.push([status, json.message]);
    }
    expect(answers).toEqual([
      [404, "This service has no Office program; leave out rendered=office, and the page is drawn from its layout"],
      [404, "The document is plain text, which no Office program draws; leave out rendered=office"],
    ]);
    expect((await api.get(`/job/image/${word}/0?rendered=office&locations=true`)).status).toBe(400);
    expect((await api.get(`/job/image/${word}/0?rendered=word`)).status).toBe(400);
  });
});
