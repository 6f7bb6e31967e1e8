/** Pages too long for one picture: what is cut, and put together again. */
import { describe, expect, it } from "vitest";
import { planStrips } from "../../../../functions/engine/imaging/page-strips.ts";
import { blockLines, lineText, pageWords } from "../../../../functions/engine/layout/page-words.ts";
import { joinStrips } from "../../../../functions/engine/ocr/join-strips.ts";
import type { OcrCell, OcrPage, OcrStrip } from "../../../../functions/ports/ocr.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../support/pages.ts";

const tall = (height: number) => ({ width: 3.15, height, rotation: 0 as const });
const PICTURES = { maxSide: 10_000 };
const DOCUMENTS = { maxSide: 10_000, maxPageInches: 40 };

describe("planStrips", () => {
  it.each([
    ["of 45 inches can be one picture", tall(45), 300, PICTURES, 0],
    ["of 66.6 inches too", tall(66.6), 300, PICTURES, 0],
    ["of 67 inches is cut in two", tall(67), 300, PICTURES, 2],
    ["of 200 inches is cut in four", tall(200), 300, PICTURES, 4],
    ["that has no more pixels than are taken is not cut", tall(200), 50, PICTURES, 0],
    ["of a document may be made a little smaller", { width: 33.1, height: 46.8 }, 200, DOCUMENTS, 0],
    ["of a document of 54 inches is cut", tall(54), 200, DOCUMENTS, 2],
  ])("%s", (_, frame, dpi, limits, count) => {
    const strips = planStrips(frame, dpi, limits);
    expect(strips).toHaveLength(count);
    const [first, last] = [strips[0], strips.at(-1)];
    if (first === undefined || last === undefined) return;
    expect(first.place.top).toBe(0);
    expect(last.place.top + last.frame.height).toBeCloseTo(frame.height, 6);
    for (const [index, { frame: own, place }] of strips.entries()) {
      expect(place).toMatchObject({ index, count, page: frame, left: 0 });
      expect(own.height * Math.min(dpi, 150)).toBeLessThanOrEqual(limits.maxSide + 1e-6);
      expect(own.height).toBeLessThanOrEqual(("maxPageInches" in limits ? limits.maxPageInches : 200) + 1e-9);
      const next = strips[index + 1];
      if (next !== undefined) expect(place.top + own.height - next.place.top).toBeCloseTo(1, 6);
    }
  });

  it("cuts a wide page across its width", () => {
    const [first, second] = planStrips({ width: 100, height: 4 }, 200, PICTURES);
    expect(first).toMatchObject({ place: { left: 0, top: 0 }, frame: { width: 50.5, height: 4 } });
    expect(second).toMatchObject({ place: { left: 49.5, top: 0 }, frame: { width: 50.5, height: 4 } });
  });
});

describe("joinStrips", () => {
  const whole = { width: 8.5, height: 19, rotation: 0 as const };
  const strip = (index: number): OcrStrip => ({ index, count: 2, page: whole, left: 0, top: index * 9 });
  /** Lines at places of the whole page that this strip shows; what its edge cuts through is misread. */
  const see = (index: number, tops: readonly number[], more: Partial<OcrPage> = {}) => {
    const from = index * 9;
    const lines = tops
      .filter((top) => top + 0.15 > from && top < from + 10)
      .map((top) =>
        lineAt(top < from || top + 0.15 > from + 10 ? "~~~" : `row ${top}`, 1, top - from, { confidence: 0.9 }),
      );
    const page = { ...pageOf(lines.map((line) => paragraph(line))), height: 10 };
    return { page: ocrPage(page, more), strip: strip(index) };
  };
  const linesOf = ({ page }: OcrPage) => page.blocks.flatMap((block) => blockLines(block).map(lineText));

  it("keeps every line once and whole, at its place on the page", () => {
    const tops = [1, 5, 8.9, 9.2, 9.5, 9.9, 12, 18];
    const { page, roles, angle } = joinStrips([see(0, tops, { angle: 1 }), see(1, tops)]);
    expect(linesOf({ page } as OcrPage)).toEqual(tops.map((top) => `row ${top}`));
    expect(
      pageWords(page)
        .filter(({ text }) => text !== "row")
        .map(({ box }) => box.top),
    ).toEqual(tops);
    expect(page).toMatchObject({ width: 8.5, height: 19 });
    expect([roles.length, angle]).toEqual([tops.length, 1]);
  });

  it("keeps what is drawn at its place on the page", () => {
    const box = { left: 1, top: 2, right: 7, bottom: 2.02 };
    const rule = { drawn: { rules: [box], bars: [] } };
    const bar = { drawn: { rules: [], bars: [box], squares: [{ box, ink: 0.2 }], leaders: [box] } };
    expect(joinStrips([see(0, [1], rule), see(1, [12], bar)]).drawn).toEqual({
      rules: [box],
      bars: [{ ...box, top: 11, bottom: 11.02 }],
      squares: [{ box: { ...box, top: 11, bottom: 11.02 }, ink: 0.2 }],
      leaders: [{ ...box, top: 11, bottom: 11.02 }],
    });
    expect(joinStrips([see(0, [1]), see(1, [12])])).not.toHaveProperty("drawn");
  });

  it("joins the other strips where one is missing", () => {
    expect(linesOf(joinStrips([see(1, [1, 9.5, 12])]))).toEqual(["row 9.5", "row 12"]);
  });

  it("renumbers the words of fields and tables", () => {
    const tops = [1, 9.5, 12];
    const at = (top: number) => ({ left: 1, top, right: 3, bottom: top + 0.15 });
    const span = (top: number, words: number[]) => ({ text: "", box: at(top), words });
    const cell = (row: number, top: number, words: number[]): OcrCell => ({
      ...span(top, words),
      row,
      column: 1,
      rowSpan: 1,
      columnSpan: 1,
      header: false,
    });
    const table = (cells: OcrCell[]) => ({
      box: { left: 1, top: 0, right: 3, bottom: 10 },
      rows: cells.length,
      columns: 1,
      cells,
      titles: [],
      footers: [],
      confidence: 0.9,
    });
    const first = see(0, tops, { tables: [table([cell(1, 1, [0, 1]), cell(2, 9.5, [2, 3])])] });
    const second = see(1, tops, {
      tables: [table([cell(1, 0.5, [0, 1]), cell(2, 3, [2, 3])])],
      fields: [{ label: span(3, [2]), values: [span(3, [3])], confidence: 0.8 }],
    });
    const page = joinStrips([first, second]);
    const words = pageWords(page.page).map(({ text }) => text);
    const told = page.tables.flatMap(({ cells }) =>
      cells.map((one) => [one.row, one.box.top, one.words.map((word) => words[word]).join(" ")]),
    );
    // The seam runs below the row that both show, or above it: it is there once.
    expect(told.map(([, top, text]) => [top, text])).toEqual(tops.map((top) => [top, `row ${top}`]));
    expect(page.tables.map(({ cells }) => cells[0]?.row)).toEqual([1, 1]);
    expect(page.fields).toMatchObject([{ label: { box: at(12), words: [4] }, values: [{ words: [5] }] }]);
  });
});
