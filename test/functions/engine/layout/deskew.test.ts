/** Scans that stand on their head or side, or are slightly skewed, read like upright ones; boxes are as shown. */

import { beforeAll, describe, expect, it } from "vitest";
import { transcribe } from "../../../../functions/engine/exports/transcription/transcribe.ts";
import { modelContent } from "../../../../functions/engine/extraction/prompts/model-content.ts";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { withUprightPage } from "../../../../functions/engine/layout/deskew.ts";
import { unionBox } from "../../../../functions/engine/layout/geometry.ts";
import { completeDocument } from "../../../../functions/engine/readers/complete-document.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import { arrangeLines } from "../../../../functions/engine/structure/reading-order.ts";
import type { Box, Layout, Line, Page } from "../../../../functions/ports/layout.ts";
import { PDF } from "../../../../functions/ports/media-types.ts";
import { drawPdf } from "../../../support/drawn-pdf.ts";
import { pageLines, pageWords, wordIn } from "../../../support/layout.ts";
import { scannedPdf } from "../../../support/scans.ts";

const ROWS = [
  ["Article", "Qty", "Price", "Amount"],
  ["Copper pipe", "12", "3.50", "42.00"],
  ["Steel valve", "1", "120.00", "120.00"],
  ["Flange", "100", "0.99", "99.00"],
];
const DRAWN = [
  { text: "Delivery note 2026-118", x: 60, y: 720, size: 20 },
  ...ROWS.flatMap((cells, row) =>
    cells.map((text, column) => ({ text, x: 60 + column * 120, y: 660 - row * 24, size: 11 })),
  ),
  { text: "The goods stay ours until they are paid for in full, and are to be looked", x: 60, y: 520, size: 11 },
  { text: "at on the day they come; later complaints are not taken.", x: 60, y: 506, size: 11 },
  { text: "Total: 261.00 EUR", x: 60, y: 460, size: 11 },
];

let upright: Page;
let unread: Awaited<ReturnType<typeof readDocument>>;
beforeAll(async () => {
  const pdf = await drawPdf([DRAWN]);
  const [page] = (await readDocument(pdf, { mimeType: PDF })).layout.pages;
  if (page === undefined) throw new Error("The document has a page");
  upright = page;
  const blank = await readDocument(await scannedPdf(pdf), { mimeType: PDF });
  unread = { ...blank, layout: { ...blank.layout, pages: [] } };
});

/** The box around a box that stands on a page turned clockwise. */
function turned(box: Box, degrees: number, shown: { width: number; height: number }): Box {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const corners = [box.left, box.right].flatMap((x) =>
    [box.top, box.bottom].map((y) => {
      const [dx, dy] = [x - upright.width / 2, y - upright.height / 2];
      return { x: shown.width / 2 + dx * cosine - dy * sine, y: shown.height / 2 + dx * sine + dy * cosine };
    }),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The result of an OCR engine for the page turned this way: words in their lines, boxes as shown. */
function scanned(degrees: number): Layout {
  const { width, height } = upright;
  const shown = Math.abs(degrees) === 90 ? { width: height, height: width } : { width, height };
  const lines = pageLines(upright).map((line) => ({
    line,
    box: line.box,
    size: (line.words[0]?.fontSize ?? 11) / 72,
    baseline: line.box.bottom - 0.03,
  }));
  const blocks = arrangeLines(lines).map((block) => {
    const own: Line[] = block.map(({ line }) => {
      const words = line.words.map((word) => ({
        ...word,
        box: turned(word.box, degrees, shown),
        confidence: 0.95,
      }));
      return { box: unionBox(words.map(({ box }) => box)), words };
    });
    return { kind: "paragraph" as const, box: unionBox(own.map(({ box }) => box)), lines: own };
  });
  const page: Page = { ...upright, ...shown, blocks };
  const recognised = { page, angle: degrees, roles: blocks.map(() => "text" as const), tables: [], fields: [] };
  const how = { engine: "fake", level: "DEFAULT" as const, ocr: "DEFAULT" as const, unread: [] };
  return completeDocument(unread, { pages: [recognised], ...how }).layout;
}

const TURNS = [180, 90, -90, 3, -4, 0.6];

describe.each(TURNS)("deskew of a page turned by %f degrees", (degrees) => {
  it("gives the text and table of the upright page in every format", () => {
    const [straight, layout] = [scanned(0), scanned(degrees)];
    const { width, height, angle } = layout.pages[0] ?? {};
    expect(angle).toBe(degrees);
    expect([width, height].sort()).toEqual([upright.width, upright.height].sort());
    for (const format of ["plain", "markdown"] as const)
      expect(transcribe(layout, format)).toBe(transcribe(straight, format));
    expect(modelContent(layout)).toEqual(modelContent(straight));
    expect(transcribe(layout, "markdown")).toContain("| Steel valve | 1 | 120.00 | 120.00 |");
    const texts = (one: Layout): string[] =>
      transcribe(one, "jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).text);
    expect(texts(layout)).toEqual(texts(straight));
  });

  it("restores boxes as shown: words as given, blocks and cells around their words", () => {
    const layout = scanned(degrees);
    const shown = layout.pages[0];
    for (const word of ["Delivery", "120.00", "261.00"]) {
      const { box } = wordIn({ ...layout, pages: [upright] }, word);
      expect(wordIn(layout, word).box).toEqual(turned(box, degrees, shown ?? upright));
    }
    const holds = (outer: Box, inner: Box): boolean =>
      outer.left <= inner.left + 0.02 &&
      outer.top <= inner.top + 0.02 &&
      outer.right >= inner.right - 0.02 &&
      outer.bottom >= inner.bottom - 0.02;
    for (const block of shown?.blocks ?? []) {
      const parts = block.kind === "table" ? block.cells : [block];
      for (const { box, lines } of parts) {
        expect(holds(block.box, box)).toBe(true);
        for (const line of lines) expect(holds(box, line.box)).toBe(true);
      }
    }
  });

  it("gives the values of the upright page, each where it is shown", () => {
    const request = {
      schema: parseSchema({
        type: "object",
        properties: {
          total: { type: "number" },
          items: {
            type: "array",
            items: {
              type: "object",
              properties: { article: { type: "string" }, qty: { type: "number" }, amount: { type: "number" } },
            },
          },
        },
      }),
      granularity: "word" as const,
    };
    const layout = scanned(degrees);
    const { result, sources } = extractOffline(layout, request);
    expect(result).toEqual(extractOffline(scanned(0), request).result);
    expect(result).toMatchObject({ total: 261, items: [{ qty: 12 }, { amount: 120 }, { article: "Flange" }] });
    const words = pageWords(layout.pages[0]);
    for (const { sourceRefs, pageAnchors } of Object.values(sources.locations)) {
      const box = unionBox(sourceRefs.flatMap((ref) => words[Number(ref.replace("p1/w", ""))]?.box ?? []));
      for (const side of ["left", "top", "right", "bottom"] as const)
        expect(pageAnchors[0]?.bbox[side]).toBeCloseTo(box[side], 2);
    }
    expect(
      sources.locations["/total"]?.sourceRefs.map((ref) => words[Number(ref.replace("p1/w", ""))]?.text),
    ).toContain("261.00");
  });
});

describe("withUprightPage", () => {
  it("returns the identical words, and an upright page unchanged", () => {
    const page = { ...upright, angle: -90 };
    expect(pageWords(withUprightPage(page, (same) => same))).toEqual(pageWords(page));
    pageWords(withUprightPage(page, (same) => ({ ...same, blocks: [...same.blocks].reverse() }))).forEach((word) => {
      expect(pageWords(page)).toContain(word);
    });
    expect(withUprightPage(upright, (same) => same)).toBe(upright);
    expect(withUprightPage({ ...upright, angle: 0.1 }, (same) => same)).toEqual({ ...upright, angle: 0.1 });
  });
});
