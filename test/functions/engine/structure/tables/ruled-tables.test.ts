import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { at, band, cellTexts, drawn, grid, level, rowsAt, upright, wordsOf } from "../../../../support/table-lines.ts";

const XS = [50, 150, 250, 350];
const YS = [100, 120, 140, 160];
/** Texts of a grid of three rows of three, inside its cells. */
const inside = (rows: string[][]) => rowsAt(rows, [54, 154, 254], 114, { pitch: 20 });
const NAMES = [
  ["Name", "Town", "Age"],
  ["Ada", "London", "36"],
  ["Grace", "Arlington", "85"],
];

describe("a ruled table", () => {
  it("has a cell for each field of it", () => {
    const { tables, rest } = findTables(inside(NAMES), grid(XS, YS));
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({ rows: 3, columns: 3, box: { left: 50, top: 100, right: 350, bottom: 160 } });
    expect(cellTexts(tables[0])).toEqual(NAMES);
    expect(tables[0]?.cells[4]).toMatchObject({
      row: 1,
      column: 1,
      box: { left: 150, top: 120, right: 250, bottom: 140 },
    });
    expect(rest).toEqual([]);
  });

  it("may be drawn cell by cell, doubled, or as dots", () => {
    const pieces = grid(XS, YS);
    const cut = (rules: typeof pieces.horizontal, step: number, length: number, shift = 0) =>
      rules.flatMap(({ at: place, from, to }) =>
        Array.from({ length: Math.floor((to - from) / step) }, (_, index) => ({
          at: place + (index % 2) * shift,
          from: from + index * step,
          to: from + index * step + length,
        })),
      );
    for (const drawing of [
      drawn({ horizontal: cut(pieces.horizontal, 100, 100), vertical: cut(pieces.vertical, 20, 20, 0.5) }),
      drawn({ horizontal: cut(pieces.horizontal, 2, 1), vertical: cut(pieces.vertical, 2, 1) }),
      drawn({
        horizontal: [...pieces.horizontal, ...pieces.horizontal.map((rule) => ({ ...rule, at: rule.at + 1.5 }))],
        vertical: pieces.vertical,
      }),
    ])
      expect(cellTexts(findTables(inside(NAMES), drawing).tables[0])).toEqual(NAMES);
  });

  it("cuts a line where it crosses from cell to cell", () => {
    const lines = [...inside(NAMES.slice(0, 2)), at("Hopper Grace Arlington 85", 84, 154)];
    // 84 to 114, 119 to 144, 149 to 194, 199 to 209
    const { tables } = findTables(lines, grid([50, 116, 196, 350], YS));
    expect(cellTexts(tables[0])[2]).toEqual(["Hopper", "Grace Arlington", "85"]);
  });

  it("joins cells where rules are missing", () => {
    const rules = drawn({
      horizontal: [level(100, 50, 350), level(120, 50, 350), level(140, 150, 350), level(160, 50, 350)],
      vertical: [upright(50, 100, 160), upright(150, 120, 160), upright(250, 120, 160), upright(350, 100, 160)],
    });
    const lines = [
      at("Over all", 170, 114),
      at("Two rows", 54, 144),
      ...rowsAt(
        [
          ["a", "b"],
          ["c", "d"],
        ],
        [154, 254],
        134,
        { pitch: 20 },
      ),
    ];
    const { tables } = findTables(lines, rules);
    expect(cellTexts(tables[0])).toEqual([["1×3: Over all"], ["2×1: Two rows", "a", "b"], ["c", "d"]]);
  });

  it("keeps a heading over two columns, and the headings below it, as its header", () => {
    const rules = drawn({
      horizontal: YS.map((y) => (y === 120 ? level(y, 150, 350) : level(y, 50, 350))),
      vertical: [upright(50, 100, 160), upright(150, 100, 160), upright(250, 120, 160), upright(350, 100, 160)],
    });
    const lines = [
      at("Town", 54, 124, { bold: true }),
      at("Born and died", 200, 114, { bold: true }),
      ...rowsAt([["from", "to"]], [154, 254], 134),
      ...rowsAt([["Bath", "1801", "1850"]], [54, 154, 254], 154),
    ];
    const [table] = findTables(lines, rules).tables;
    expect(cellTexts(table)).toEqual([
      ["2×1: Town", "1×2: Born and died"],
      ["from", "to"],
      ["Bath", "1801", "1850"],
    ]);
    expect(table?.headerRows).toBe(2);
  });

  it("may leave its sides open", () => {
    const rules = drawn({
      horizontal: YS.map((y) => level(y, 50, 350)),
      vertical: [upright(150, 100, 160), upright(250, 100, 160)],
    });
    expect(cellTexts(findTables(inside(NAMES), rules).tables[0])).toEqual(NAMES);
  });

  it("keeps empty cells, and lines of a cell in order", () => {
    const lines = [
      ...rowsAt([["Item", "Note"]], [54, 154], 112),
      at("2nd", 54, 140),
      at("second line", 154, 146),
      at("first line", 154, 132),
      ...rowsAt([["3rd", ""]], [54, 154], 172),
    ];
    const { tables } = findTables(lines, grid([50, 150, 250], [100, 120, 150, 180]));
    expect(cellTexts(tables[0])).toEqual([
      ["Item", "Note"],
      ["2nd", "first line / second line"],
      ["3rd", ""],
    ]);
  });

  it("has rows by its text where rules part only its columns", () => {
    const body = [
      ["Screws", "20", "9.90"],
      ["Nails, long", "5", "1.50"],
      ["Bolts", "12", "7.25"],
      ["Nuts", "3", "0.75"],
    ];
    const lines = [
      ...rowsAt([["Item", "Qty", "Price"]], [54, 154, 254], 114),
      ...rowsAt(body, [54, [240, "right"], [340, "right"]], 134, { pitch: 14 }),
      at("and galvanised", 54, 194),
    ];
    const { tables } = findTables(lines, grid(XS, [100, 120, 240]));
    expect(cellTexts(tables[0])).toEqual([
      ["Item", "Qty", "Price"],
      ...body.slice(0, 3),
      ["Nuts / and galvanised", "3", "0.75"],
    ]);
    expect(tables[0]?.headerRows).toBe(1);
  });

  it("does not part cells of running text that happen to stand on one height", () => {
    const words = ["the first of many", "lines that go on", "in one cell only", "until it ends"];
    const lines = [
      ...rowsAt([["Left", "Right"]], [54, 204], 114),
      ...rowsAt(
        words.map((text) => [text, text]),
        [54, 204],
        134,
        { pitch: 12 },
      ),
    ];
    const { tables } = findTables(lines, grid([50, 200, 350], [100, 120, 190]));
    expect(tables[0]).toMatchObject({ rows: 2, columns: 2 });
  });

  it("ends where the columns change: totals below, another table; a title in its own box is its first row", () => {
    const lines = [at("Order", 54, 94), ...inside(NAMES), at("Sum", 220, 174), at("121", 254, 174)];
    const rules = grid(XS, YS);
    const { tables, rest } = findTables(lines, {
      ...rules,
      horizontal: [...rules.horizontal, level(80, 50, 350), level(180, 250, 350)],
      vertical: [upright(50, 80, 160), upright(150, 100, 160), upright(250, 100, 180), upright(350, 80, 180)],
    });
    expect(tables.map(cellTexts)).toEqual([[["1×3: Order"], ...NAMES]]);
    expect(wordsOf(rest).sort()).toEqual(["121", "Sum"]);
  });

  it("begins and ends with the boxes that are drawn as wide as its rows, but with no dark bar, and no frame higher than them", () => {
    const boxed = (top: number, words: ReturnType<typeof inside>, fills: ReturnType<typeof band>[] = []) => {
      const rules = grid(XS, YS);
      const horizontal = [...rules.horizontal, level(top, 50, 350), level(180, 50, 350)];
      const vertical = [...rules.vertical, upright(50, top, 180), upright(350, top, 180)];
      return findTables(words, { horizontal, vertical, fills }).tables.map(cellTexts);
    };
    const title = at("Order", 54, 94);
    const words = [title, ...inside(NAMES), at("Paid by card", 54, 174)];
    const whole = [["1×3: Order"], ...NAMES, ["1×3: Paid by card"]];
    expect(boxed(80, words)).toEqual([whole]);
    expect(boxed(80, words, [band(50, 80, 350, 100, 0.2)])).toEqual([whole.slice(1)]);
    expect(boxed(20, words)).toEqual([whole.slice(1)]);
  });

  it("takes a row whose edges only later rows have, too", () => {
    const rules = drawn({
      horizontal: [80, 100, 120, 140, 160].map((y) => level(y, 50, 350)),
      vertical: [
        upright(50, 80, 160),
        upright(150, 80, 100),
        upright(250, 100, 120),
        upright(150, 120, 160),
        upright(250, 120, 160),
        upright(350, 80, 160),
      ],
    });
    const cells = [
      ...rowsAt([["Mode", "Course"]], [54, 154], 94),
      ...rowsAt([["Version", "Group"]], [54, 254], 114),
      ...rowsAt(
        [
          ["Mon", "Tue", "Wed"],
          ["Maths", "Art", "Music"],
        ],
        [54, 154, 254],
        134,
        { pitch: 20 },
      ),
    ];
    expect(findTables(cells, rules).tables.map(cellTexts)).toEqual([
      [
        ["Mode", "1×2: Course"],
        ["1×2: Version", "Group"],
        ["Mon", "Tue", "Wed"],
        ["Maths", "Art", "Music"],
      ],
    ]);
  });

  it("has the rows and columns of its lines, wrapped cells and dates with times too", () => {
    const ys = [100, 140, 180, 220, 260, 300];
    const rows = [1, 2, 3, 4, 5].map((day) => [`0${day}/10/2023 10:15`, `€ ${day}5,00`]);
    const dates = rowsAt(rows, [54, 254], 116, { pitch: 40 });
    const wrapped = rowsAt(
      ["Ana", "Bea", "Cas", "Dan", "Eva"].flatMap((name) => [[name], ["Lee"]]),
      [204],
      114,
      { pitch: 20 },
    );
    const { tables } = findTables([...dates, ...wrapped], grid([50, 200, 250, 350], ys));
    expect(tables[0]).toMatchObject({ rows: 5, columns: 3 });
  });

  it("is not a form's boxes, a frame, or an empty grid", () => {
    const boxes = drawn({
      horizontal: [100, 130, 160, 190, 220].map((y) => level(y, 50, 350)),
      vertical: [
        upright(50, 100, 220),
        upright(350, 100, 220),
        upright(120, 100, 130),
        upright(220, 130, 160),
        upright(90, 160, 190),
        upright(300, 160, 190),
        upright(270, 190, 220),
      ],
    });
    const labels = [
      at("Name", 54, 110),
      at("First name", 124, 110),
      at("Street", 54, 140),
      at("Town", 224, 140),
      at("Zip", 54, 170),
      at("Phone", 94, 170),
      at("Fax", 304, 170),
      at("Date", 54, 200),
      at("Signature", 274, 200),
    ];
    expect(findTables(labels, boxes).tables).toEqual([]);
    expect(
      findTables(
        inside([
          ["Only", "", ""],
          ["one", "", ""],
        ]),
        grid([50, 350], YS),
      ).tables,
    ).toEqual([]);
    expect(findTables([at("far away", 54, 400)], grid(XS, YS)).tables).toEqual([]);
    expect(findTables([], grid(XS, YS)).tables).toEqual([]);
  });

  it("is the inner one of two grids", () => {
    const outer = grid([20, 400, 600], [60, 200, 340, 480]);
    const inner = grid(XS, YS);
    const lines = [
      ...inside(NAMES),
      at("beside", 420, 100),
      at("below", 40, 300),
      at("corner", 420, 300),
      at("last", 40, 400),
    ];
    const { tables } = findTables(lines, {
      horizontal: [...outer.horizontal, ...inner.horizontal],
      vertical: [...outer.vertical, ...inner.vertical],
      fills: [],
    });
    expect(tables.map(cellTexts)).toEqual([NAMES]);
  });
});

describe("the header of a ruled table", () => {
  const body = [
    ["Ada", "London", "36"],
    ["Grace", "Arlington", "85"],
  ];
  const headerOf = (first: string[], set: { bold?: boolean } = {}, fills = drawn({}).fills) =>
    findTables([...rowsAt([first], [54, 154, 254], 114, set), ...rowsAt(body, [54, 154, 254], 134, { pitch: 20 })], {
      ...grid(XS, YS),
      fills,
    }).tables[0]?.headerRows;

  it("is bold, on a band, or words over numbers", () => {
    expect(headerOf(["Name", "Town", "Note"], { bold: true })).toBe(1);
    expect(headerOf(["Name", "Town", "Note"], {}, [band(50, 100, 350, 120)])).toBe(1);
    expect(headerOf(["Name", "Town", "Age"])).toBe(1);
  });

  it("is absent where the first row is like the others", () => {
    expect(headerOf(["Alan", "Wilmslow", "41"])).toBe(0);
    // Every other row is on a band.
    expect(headerOf(["Alan", "Wilmslow", "41"], {}, [band(50, 100, 350, 120), band(50, 140, 350, 160)])).toBe(0);
    // A background of the page.
    expect(headerOf(["Alan", "Wilmslow", "41"], {}, [band(0, 0, 600, 800)])).toBe(0);
  });
});

describe("findRuledTables: limits", () => {
  it("keep a hundred thousand rules and thousands of cells fast", () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      level((index * 7) % 790, (index * 13) % 500, ((index * 13) % 500) + 60),
    );
    const cross = many.map(({ at: place, from, to }) => upright(place, from, to));
    const lines = rowsAt(
      Array.from({ length: 60 }, () => ["a", "1", "b", "2"]),
      [20, 150, 300, 450],
      40,
      { pitch: 12 },
    );
    const start = performance.now();
    const { tables, rest } = findTables(lines, drawn({ horizontal: many, vertical: cross }));
    expect(performance.now() - start).toBeLessThan(3_000);
    const found = tables.flatMap((table) => table.cells.flatMap((cell) => cell.lines));
    expect(wordsOf([...found, ...rest]).sort()).toEqual(wordsOf(lines).sort());
  });
});
