import { describe, expect, it } from "vitest";
import { completeDocument } from "../../../../../functions/engine/readers/complete-document.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { textLayerEvidence } from "../../../../../functions/engine/readers/pdf/pdf-page-evidence.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { Box } from "../../../../../functions/ports/layout.ts";
import { lineTexts } from "../../../../support/layout.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../../support/pages.ts";
import { mappedPdf } from "../../../../support/pdf.ts";

/** Letters and spaces as they are, digits and points private, `*` a bullet, `?` nothing at all. */
const MAP = Object.fromEntries(
  [..." abcdefghijklmnopqrstuvwxyz0123456789.*?"].map((one) => {
    const code = one.charCodeAt(0);
    const private_ = /[\d.*]/.test(one) ? 0xe000 + code : code;
    return [code.toString(16), (one === "?" ? 0xfffd : private_).toString(16).padStart(4, "0")];
  }),
);

/** Lines of the page, an inch from its left edge, the first an inch and a half below its top. */
const pdf = (...lines: string[]): Promise<Uint8Array> =>
  mappedPdf(lines.map((line, index) => `1 0 0 1 72 ${684 - 20 * index} Tm (${line}) Tj`).join(" "), MAP);

const garbledIn = async (...lines: string[]): Promise<Box[]> =>
  withPdf(await pdf(...lines), ({ withPage }) => withPage(0, (page) => textLayerEvidence(page).garbled ?? []));

describe("garbledRuns", () => {
  it("returns runs at their places, with single characters of their font", async () => {
    const [amount, digit, ...more] = await garbledIn("rent of the house 1250.00", "rooms 3");
    expect(more).toEqual([]);
    // Eighteen characters of 0.556 em come before the amount, six before the digit.
    expect(amount?.left).toBeCloseTo(1 + (18 * 0.556 * 12) / 72, 2);
    expect(amount?.right).toBeCloseTo(1 + (25 * 0.556 * 12) / 72, 2);
    expect(digit?.left).toBeCloseTo(1 + (6 * 0.556 * 12) / 72, 2);
    expect(digit?.top).toBeGreaterThan(amount?.bottom ?? 99);
  });

  it("includes runs of replacement characters only", async () => {
    expect(await garbledIn("balance ????")).toHaveLength(1);
  });

  it("leaves out bullets, checkboxes and rows of one icon", async () => {
    expect(await garbledIn("* one of them", "* another one", "stars *****", "a *.", "b 1 2 3", "odd ?")).toEqual([]);
  });
});

describe("page with garbled runs", () => {
  const lines = ["we thank you for the payment that is due this month", "and the balance of your account is 1250.00"];

  it("needs OCR and is not rated good", async () => {
    const { pending, quality } = await readDocument(await pdf(...lines, ...lines, ...lines), {
      mimeType: "application/pdf",
    });
    expect(pending).toEqual([1]);
    expect(quality).toMatchObject({ escalate: true, pages: [{ grade: "fair", escalate: true }] });
    expect(quality.pages[0]?.reasons).toContain("3 runs of characters without a meaning");
  });

  it("gets OCR text in place of the runs and is then rated good", async () => {
    const read = await readDocument(await pdf(...lines), { mimeType: "application/pdf" });
    const [first, second] = lineTexts(read.layout.pages[0]);
    const seen = read.layout.pages[0]?.blocks.flatMap((block) => (block.kind === "table" ? [] : block.lines)) ?? [];
    const amount = seen.at(-1)?.words.at(-1)?.box ?? { left: 0, top: 0, right: 0, bottom: 0 };
    const found = pageOf([
      paragraph({ box: amount, words: [{ text: "1250.00", box: amount, confidence: 0.95 }] }),
      paragraph(lineAt("we thenk yov", 1, seen[0]?.box.top ?? 0, { confidence: 0.9 })),
    ]);
    const done = completeDocument(read, {
      pages: [ocrPage(found)],
      engine: "tesseract",
      level: "DEFAULT",
      ocr: "DEFAULT",
      unread: [],
    });
    expect(second).toMatch(/\ue031/);
    expect(lineTexts(done.layout.pages[0])).toEqual([first, second?.replace(/\S+$/, "1250.00")]);
    expect(done.quality).toMatchObject({ category: "Very Confident", escalate: false });
    expect(new Map(done.quality.evidence.signs).get(1)).toMatchObject({ looked: true, unmappedShare: 0 });
  });
});
