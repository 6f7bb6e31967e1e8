import { describe, expect, test } from "vitest";
import { relationsOf, sharedCount } from "../../../bench/record-sets/adjacency.ts";
import { readerFigures } from "../../../bench/record-sets/figures.ts";
import { comparedText, type Grid, gridOf, truthGrid } from "../../../bench/record-sets/grid.ts";
import { scorePage, shareOf } from "../../../bench/record-sets/score-page.ts";
import type { TruthCell } from "../../../bench/record-sets/table-sets.ts";

const truth = (rows: TruthCell[][], ruled = true) => truthGrid({ ruled, headerRows: 1, rows });
const found = (rows: string[][]): Grid =>
  gridOf(rows.flatMap((texts, row) => texts.map((text, column) => ({ text, row, column, rowSpan: 1, columnSpan: 1 }))));

const PRICES = [
  ["Item", "Price"],
  ["Nut", "1.20"],
  ["Bolt", "0.80"],
];

describe("compared text", () => {
  test.each([
    ["spaces and line breaks", "Pescado  fresco", "Pescado fresco "],
    ["a hyphen that breaks a line", "car- nes", "carnes"],
    ["kinds of dashes", "1.35 – 1.42", "1.35 - 1.42"],
    ["full width", "RPK（000's）", "RPK (000’s)"],
    ["leader dots", "Total . . . .", "Total"],
  ])("ignores %s", (_name, one, other) => {
    expect(comparedText(one)).toBe(comparedText(other));
  });

  test.each([
    ["a sign", "-3", "3"],
    ["capitals", "Total", "TOTAL"],
    ["a decimal mark", "1.20", "1,20"],
    ["a single dot", ".", ""],
  ])("keeps %s", (_name, one, other) => {
    expect(comparedText(one)).not.toBe(comparedText(other));
  });
});

describe("score of a page", () => {
  test("is 1 for the table itself", () => {
    const { cells, places, relations } = scorePage([[truth(PRICES)]], [found(PRICES)]);
    expect([cells, places, relations].map((count) => shareOf(count).f1)).toEqual([1, 1, 1]);
  });

  test("counts a wrong text in precision and recall", () => {
    const { cells, differences } = scorePage(
      [[truth(PRICES)]],
      [
        found([
          ["Item", "Price"],
          ["Nut", "1.20"],
          ["Bolt", "0.30"],
        ]),
      ],
    );
    expect(cells).toEqual({ right: 5, stated: 6, returned: 6 });
    expect(differences).toEqual([{ table: 0, row: 2, column: 1, expected: "0.80", got: "0.30" }]);
  });

  test("counts every cell behind a row too many as wrong, where adjacent cells forgive it", () => {
    const { cells, relations } = scorePage([[truth(PRICES)]], [found([["Prices", ""], ...PRICES])]);
    expect(cells).toEqual({ right: 0, stated: 6, returned: 7 });
    expect(relations).toEqual({ right: 7, stated: 7, returned: 8 });
  });

  test("takes a span as part of a cell, and judges it apart", () => {
    const rows: TruthCell[][] = [
      [{ text: "2024", colSpan: 2 }, null],
      ["Jan", "Feb"],
    ];
    const flat = found([
      ["2024", ""],
      ["Jan", "Feb"],
    ]);
    const score = scorePage([[truth(rows)]], [flat]);
    expect([score.cells.right, score.places.right]).toEqual([2, 3]);
    const open = rows.map((row) =>
      row.map((cell) => (cell && typeof cell === "object" ? { ...cell, anySpan: true as const } : cell)),
    );
    expect(scorePage([[truth(open)]], [flat]).cells.right).toBe(3);
  });

  test("judges nothing at a free position, whatever is returned there", () => {
    const rows: TruthCell[][] = [
      ...PRICES,
      [
        { text: "", free: true },
        { text: "", free: true },
      ],
    ];
    for (const last of [[], [["Made by hand", "?"]]])
      expect(scorePage([[truth(rows)]], [found([...PRICES, ...last])]).cells).toEqual({
        right: 6,
        stated: 6,
        returned: 6,
      });
  });

  test("pairs tables one to one by their best agreement, in any order", () => {
    const hours = [
      ["Day", "Open"],
      ["Mon", "9"],
    ];
    const score = scorePage([[truth(PRICES), truth(hours, false)]], [found(hours), found(PRICES)]);
    expect(score.cells).toEqual({ right: 10, stated: 10, returned: 10 });
    expect([score.ruled.stated, score.unruled.stated]).toEqual([6, 4]);
  });

  test("counts the cells of a table that is none in precision, and of a missing one in recall", () => {
    expect(scorePage([[truth(PRICES)]], [found(PRICES), found([["Page", "7"]])]).cells).toEqual({
      right: 6,
      stated: 6,
      returned: 8,
    });
    expect(scorePage([[truth(PRICES)]], []).cells).toEqual({ right: 0, stated: 6, returned: 0 });
  });

  test("takes the reading of the truth that the reader is nearest to", () => {
    const parts = [[["A", "1"]], [["B", "2"]]] as const;
    const apart = parts.map((rows) => truth(rows.map((row) => [...row])));
    const together = truth([
      ["A", "1"],
      ["B", "2"],
    ]);
    const whole = found([
      ["A", "1"],
      ["B", "2"],
    ]);
    const { reading, cells } = scorePage([apart, [together]], [whole]);
    expect([reading, shareOf(cells).f1]).toEqual([1, 1]);
  });
});

describe("adjacent cells", () => {
  const cell = (text: string, row: number, column: number, rowSpan = 1, columnSpan = 1) => ({
    text,
    row,
    column,
    rowSpan,
    columnSpan,
  });

  test("skip blanks and follow every row that a cell covers", () => {
    const relations = relationsOf([cell("Year", 0, 0, 2), cell("Jan", 0, 1), cell("Feb", 1, 2), cell("Sum", 2, 0)]);
    expect(relations.toSorted()).toEqual(["below\nYear\nSum", "right\nYear\nFeb", "right\nYear\nJan"]);
  });

  test("are counted as often as both tables have them", () => {
    expect(sharedCount(["a", "a", "b"], ["a", "b", "b"])).toBe(2);
  });
});

describe("figures", () => {
  test("add cells up over pages, and weigh pages alike in their mean", () => {
    const good = scorePage([[truth(PRICES)]], [found(PRICES)]);
    const bad = scorePage([[truth([["A", "B"]])]], []);
    const { cells, pageMean, pages } = readerFigures([good, bad]);
    expect([pages, cells.precision.share, cells.recall.share, cells.f1.share]).toEqual([2, 1, 0.75, 0.857]);
    expect(pageMean.share).toBe(0.5);
    expect([cells.f1.low, cells.f1.high]).toEqual([0, 1]);
  });
});
