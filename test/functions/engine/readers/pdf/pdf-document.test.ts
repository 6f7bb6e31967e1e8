import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { JOB_SENTENCES, JobFailure } from "../../../../../functions/ports/errors.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { lineTexts, pageWords } from "../../../../support/layout.ts";
import { choicePdf, encryptedPdf, filteredPdf, formPdf, mappedPdf, textPdf } from "../../../../support/pdf.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = async (pdf: Uint8Array): Promise<string[]> =>
  lineTexts((await readDocument(pdf, { mimeType: PDF })).layout.pages[0]);

describe("withPdf passwords", () => {
  it("are required for a user password, not for an owner password", async () => {
    await expect(read(await encryptedPdf({ user: "u", owner: "o" }))).rejects.toThrow(JOB_SENTENCES.password);
    expect(await read(await encryptedPdf({ owner: "o" }))).toEqual(["Behind a password"]);
  });

  it("are not mentioned for certificate encryption or an unknown kind", async () => {
    for (const filter of ["Adobe.PubSec", "FooBar"]) {
      await expect(read(filteredPdf(filter))).rejects.toThrow(JOB_SENTENCES.encrypted);
    }
  });
});

describe("withPdf on damaged files", () => {
  it("reports a file that does not open as corrupted", async () => {
    await expect(read(bytes("%PDF-1.7 and nothing else"))).rejects.toThrow(JOB_SENTENCES.corrupted);
    await expect(read(new Uint8Array())).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("fails the document for a page that cannot be loaded, and leaves out none silently", async () => {
    const halfMissing = bytes(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>> endobj
trailer <</Root 1 0 R>>
%%EOF`);
    expect(await withPdf(halfMissing, ({ pageCount }) => pageCount)).toBe(2);
    await expect(read(halfMissing)).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("rebuilds a missing cross-reference table", async () => {
    const whole = Buffer.from(await textPdf([{ text: "Still here", x: 50, y: 700 }])).toString("latin1");
    const cut = whole.replace(/startxref\s+\d+/, "startxref\n7");
    expect(await read(new Uint8Array(Buffer.from(cut, "latin1")))).toEqual(["Still here"]);
  });

  it("reads the next document normally", async () => {
    await expect(read(bytes("%PDF-1.7"))).rejects.toThrow(JobFailure);
    expect(await read(await textPdf([{ text: "Next", x: 50, y: 700 }]))).toEqual(["Next"]);
  });
});

describe("withPdf form fields", () => {
  it.each([
    { look: true, rotate: 0 },
    { look: false, rotate: 0 },
    { look: true, rotate: 90 },
  ] as const)("are read with or without an appearance: %o", async ({ look, rotate }) => {
    const layout = (await readDocument(await formPdf("Ada Lovelace", { look, rotate }), { mimeType: PDF })).layout;
    const words = pageWords(layout.pages[0]);
    const found = words.filter((word) => word.text === "Lovelace");
    expect(found).toHaveLength(1);
    const box = found[0]?.box ?? { left: 0, top: 0, right: 0, bottom: 0 };
    const [across, down] = rotate === 0 ? [box.left, box.top] : [box.top, 11 - box.right];
    expect(across).toBeGreaterThan(150 / 72);
    expect(across).toBeLessThan(350 / 72);
    expect(down).toBeGreaterThan((792 - 714) / 72 - 0.1);
    expect(down).toBeLessThan((792 - 694) / 72);
  });

  it("show a choice without an appearance by its labels, other text as it is; form data has the file's value", async () => {
    const options: [string, string][] = [
      ["de", "Germany"],
      ["fr", "France"],
      ["it", "Italy"],
    ];
    const pdf = await choicePdf(options, ["de", "it"]);
    expect(await read(pdf)).toEqual(["Choices", "Germany", "Germany", "Italy"]);
    expect(await read(await choicePdf(options, ["Utopia"]))).toContain("Utopia");
    const { fields } = await acroFormMetadata(pdf);
    expect(fields.map(({ value }) => value)).toEqual(["de", ["de", "it"]]);
  });
});

it("withPdf frees its memory", async () => {
  const padding = `% ${"x".repeat(400_000)}\n`;
  const pdf = await mappedPdf(`\n${padding} 1 0 0 1 50 700 Tm (again) Tj`, {});
  const sizeAfter = async (times: number): Promise<number> => {
    let size = 0;
    for (let turn = 0; turn < times; turn += 1) {
      await read(pdf);
      size = await withPdf(pdf, ({ withPage }) => withPage(0, (page) => page.pdfium.bytes().length));
    }
    return size;
  };
  const before = await sizeAfter(20);
  expect(await sizeAfter(100)).toBe(before);
});
