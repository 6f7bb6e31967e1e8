import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { detectForm } from "../../../../../functions/engine/forms/detect/detect-form.ts";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../../../../functions/engine/readers/pdf/read-pdf-page.ts";
import { renderPagePng } from "../../../../../functions/engine/readers/pdf/render-page.ts";
import type { Page } from "../../../../../functions/ports/layout.ts";
import { drawnForm, type FormPen } from "../../../../support/drawn-form.ts";

const SCAN_DPI = 150;

/** A PDF whose only page is a picture of the drawn one, and the words on it. */
async function scanOf(draw: (pen: FormPen) => void, side?: number): Promise<{ bytes: Uint8Array; words: Page }> {
  const drawn = await drawnForm({ draw });
  const words = await withPdf(drawn, (document) => document.withPage(0, (page) => readPdfPage(page, 1)));
  const document = await PDFDocument.create();
  const picture = await document.embedPng(await renderPagePng(drawn, 0, SCAN_DPI));
  const [width, height] = side === undefined ? [612, 792] : [side, side];
  document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height });
  return { bytes: await document.save(), words };
}

it("detectForm finds lines, cells and checkboxes in the pixels of a scan", async () => {
  const { bytes, words } = await scanOf((pen) =>
    pen
      .text("Full name:", 50, 100)
      .line(100, 102, 300, 102)
      .box(50, 200, 250, 30)
      .text("Last name", 53, 209, 8)
      .box(50, 300, 9, 9)
      .text("Married", 63, 308),
  );
  const fields = await detectForm(bytes, DETECTION_DEFAULTS, { recognised: [words] });
  expect(fields.map(({ fieldType, label, source }) => [fieldType, label, source])).toEqual([
    ["text", "Full name:", "image"],
    ["text", "Last name", "image"],
    ["checkbox", "Married", "image"],
  ]);
  expect((fields[0]?.entryBbox.left ?? 0) * 612).toBeCloseTo(100, -0.5);
});

it("detectForm finds white boxes on the tinted paper of a scan, and no box in the tint", async () => {
  const { bytes, words } = await scanOf((pen) =>
    pen
      .tint(40, 80, 500, 120, 0.94)
      .text("Wages from employer", 60, 112)
      .tint(300, 100, 150, 16, 1)
      .text("Interest that was paid", 60, 142)
      .tint(300, 130, 150, 16, 1),
  );
  const fields = await detectForm(bytes, DETECTION_DEFAULTS, { recognised: [words] });
  const places = fields.map(({ entryBbox: { left, top } }) => [Math.round(left * 612), Math.round(top * 792)]);
  expect(places).toEqual([
    [300, 100],
    [300, 130],
  ]);
});

it("detectForm takes the parts of a number between dashes for one place on a scan", async () => {
  const { bytes, words } = await scanOf((pen) =>
    pen
      .text("Number:", 50, 100)
      .line(100, 102, 130, 102)
      .text("-", 133, 100)
      .line(139, 102, 160, 102)
      .text("-", 163, 100)
      .line(169, 102, 210, 102),
  );
  const fields = await detectForm(bytes, DETECTION_DEFAULTS, { recognised: [words] });
  expect(fields.map(({ label }) => label)).toEqual(["Number:"]);
  expect((fields[0]?.entryBbox.right ?? 0) * 612).toBeCloseTo(210, -0.5);
});

it("detectForm finds a line on a scan that a watermark runs over", async () => {
  const { bytes, words } = await scanOf((pen) =>
    pen.text("Full name:", 50, 400).line(100, 402, 200, 402).slantedText("SAMPLE", 140, 600, { size: 60 }),
  );
  const fields = await detectForm(bytes, DETECTION_DEFAULTS, { recognised: [words] });
  expect(fields.map(({ label }) => label)).toEqual(["Full name:"]);
});

it("detectForm says that a scanned page is too large", async () => {
  const { bytes } = await scanOf((pen) => pen.text("Name", 50, 100).line(100, 102, 300, 102), 7200);
  await expect(detectForm(bytes)).rejects.toThrow(
    "Processing failed: Page 1 is a picture of 100 × 100 inches, too large to find fields on; scan it smaller, or choose other pages",
  );
});
