import { describe, expect, it } from "vitest";
import { completeDocument, type RecognisedPages } from "../../../../functions/engine/readers/complete-document.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { JOB_SENTENCES } from "../../../../functions/ports/errors.ts";
import type { Line } from "../../../../functions/ports/layout.ts";
import { PDF } from "../../../../functions/ports/media-types.ts";
import type { OcrPage } from "../../../../functions/ports/ocr.ts";
import { drawPdf } from "../../../support/drawn-pdf.ts";
import { pageWords } from "../../../support/layout.ts";
import { scannedPdf } from "../../../support/scans.ts";

const PROSE = "The harbour master keeps a ledger of every ship that enters between the two piers before sunset";
const GARBAGE = "xq zvk wpt qrj bbx zzk vqp xwt kjq zpt qxv wkz";

function ocrPage(number: number, text: string, confidence: number): OcrPage {
  const words = text.split(" ").map((word, index) => {
    const left = 1 + (index % 6);
    const top = 1 + Math.floor(index / 6) * 0.3;
    return { text: word, box: { left, top, right: left + 0.8, bottom: top + 0.2 }, confidence, source: "ocr" as const };
  });
  const lines: Line[] = [];
  for (let at = 0; at < words.length; at += 6) {
    const row = words.slice(at, at + 6);
    const [first, last] = [row[0], row.at(-1)];
    if (first === undefined || last === undefined) continue;
    lines.push({ words: row, box: { ...first.box, right: last.box.right } });
  }
  const box = { left: 1, top: 1, right: 7, bottom: 4 };
  return {
    page: { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks: [{ kind: "paragraph", box, lines }] },
    angle: 0,
    roles: ["text"],
    tables: [],
    fields: [],
    strayInk: 0.1,
  };
}

const twoPages = async (keep: number[] = []) =>
  readDocument(
    await scannedPdf(
      await drawPdf([[{ text: PROSE.slice(0, 60), x: 50, y: 700 }], [{ text: PROSE.slice(0, 60), x: 50, y: 700 }]]),
      keep,
    ),
    { mimeType: PDF },
  );

const done = (pages: OcrPage[], change: Partial<RecognisedPages> = {}): RecognisedPages => ({
  pages,
  engine: "fake",
  level: "DEFAULT",
  ocr: "DEFAULT",
  unread: [],
  ...change,
});

describe("completeDocument", () => {
  it("adds recognised pages to those with a text layer", async () => {
    const first = await twoPages([0]);
    expect(first.pending).toEqual([2]);
    const { layout, facts, quality, pending } = completeDocument(first, done([ocrPage(2, PROSE, 0.93)]));
    expect(pending).toEqual([]);
    expect(facts.provider).toBe("pdf-text+fake");
    expect(layout.pages.map((page) => pageWords(page).every(({ source }) => source === "ocr"))).toEqual([false, true]);
    expect(quality).toMatchObject({ requestedOcrMode: "DEFAULT", effectiveOcrMode: "DEFAULT", warnings: [] });
    expect(quality.pages.map(({ source }) => source)).toEqual(["text", "ocr"]);
    expect(facts.quality?.score).toBe(quality.score);
  });

  it("AUTO: asks again for poor pages and keeps the better reading", async () => {
    const first = await twoPages();
    const auto = { ocr: "AUTO" } as const;
    const second = completeDocument(first, done([ocrPage(1, PROSE, 0.95), ocrPage(2, GARBAGE, 0.3)], auto));
    expect(second.pending).toEqual([2]);
    const better = completeDocument(second, done([ocrPage(2, PROSE, 0.9)], { ...auto, level: "PREMIUM" }));
    expect(better.pending).toEqual([]);
    expect(better.quality).toMatchObject({ effectiveOcrMode: "PREMIUM", escalatedToPremium: true });
    expect(
      pageWords(better.layout.pages[1])
        .map(({ text }) => text)
        .join(" "),
    ).toBe(PROSE);

    const again = completeDocument(first, done([ocrPage(1, PROSE, 0.95), ocrPage(2, PROSE, 0.4)], auto));
    const worse = completeDocument(again, done([ocrPage(2, GARBAGE, 0.2)], { ...auto, level: "PREMIUM" }));
    expect(pageWords(worse.layout.pages[1])[0]?.text).toBe("The");
  });

  it("names missing pages, and fails a document without any word", async () => {
    const first = await twoPages();
    const some = completeDocument(first, done([ocrPage(1, PROSE, 0.9)], { unread: [2] }));
    expect(some.quality.warnings).toEqual(["The text of page 2 could not be recognised"]);
    expect(() => completeDocument(first, done([], { unread: [1, 2], engine: "" }))).toThrow(JOB_SENTENCES.noText);
  });

  it("returns pages without places where only text is wanted", async () => {
    const first = await twoPages();
    const read = completeDocument(first, done([ocrPage(1, PROSE, 0.9), ocrPage(2, PROSE, 0.9)], { ocr: "LOW" }));
    expect(read.layout.logicalPages).toBe(true);
    expect(read.layout.pages.map(({ number }) => number)).toEqual([1, 2]);
    expect(
      pageWords(read.layout.pages[1])
        .map(({ text }) => text)
        .join(" "),
    ).toBe(PROSE);
    expect(pageWords(read.layout.pages[0])[0]?.box.left).toBe(0);
  });

  it("puts words in rows and columns into tables, each word once", async () => {
    const first = await twoPages([0]);
    const rows = [
      ["Measurement", "Value", "Status"],
      ["Pressure", "142", "high"],
      ["Pulse", "78", "normal"],
      ["Temperature", "98.6", "normal"],
      ["Oxygen", "97", "normal"],
    ];
    const grid = ocrPage(2, "Vital signs of the patient", 0.95);
    const lines = rows.flatMap((row, at) =>
      row.map((text, column): Line => {
        const box = { left: 1 + 2 * column, top: 3 + 0.25 * at, right: 1.8 + 2 * column, bottom: 3.15 + 0.25 * at };
        return { box, words: [{ text, box, confidence: 0.9, source: "ocr" }] };
      }),
    );
    grid.page.blocks.push({ kind: "paragraph", box: { left: 1, top: 3, right: 5.8, bottom: 4.2 }, lines });
    const { layout } = completeDocument(first, done([grid]));
    const table = layout.pages[1]?.blocks.find(({ kind }) => kind === "table");
    expect(table).toMatchObject({ rows: 5, columns: 3 });
    expect(
      pageWords(layout.pages[1])
        .map(({ text }) => text)
        .sort(),
    ).toEqual(["Vital", "signs", "of", "the", "patient", ...rows.flat()].sort());
  });
});
