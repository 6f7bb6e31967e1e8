import { describe, expect, it } from "vitest";
import { BODY, COLUMNS, find, HEAD, tablesIn } from "../../../../support/aligned-rows.ts";
import { at, cellTexts, level, rowsAt, wordsOf } from "../../../../support/table-lines.ts";

describe("an aligned table", () => {
  it("is found by a bold header over numbers set to the right", () => {
    const lines = [...rowsAt([HEAD], COLUMNS, 100, { bold: true }), ...rowsAt(BODY, COLUMNS, 118)];
    const [table, ...others] = tablesIn(lines);
    expect(others).toEqual([]);
    expect(table).toMatchObject({ rows: 4, columns: 4, headerRows: 1 });
    expect(cellTexts(table)).toEqual([HEAD, ...BODY]);
  });

  it("needs no bold header where words stand over numbers", () => {
    const [table] = tablesIn([...rowsAt([HEAD], COLUMNS, 100), ...rowsAt(BODY, COLUMNS, 118)]);
    expect(table).toMatchObject({ rows: 4, headerRows: 1 });
  });

  it("may have headings set off from their columns, and years for headings", () => {
    const lines = [
      ...rowsAt([["Region", "2022", "2023"]], [50, [240, "right"], [340, "right"]], 100, { bold: true }),
      ...rowsAt(
        [
          ["North", "1,204", "1,310"],
          ["South", "987", "1,002"],
          ["West", "12", "8"],
        ],
        [50, [240, "right"], [340, "right"]],
        118,
      ),
    ];
    expect(tablesIn(lines)[0]).toMatchObject({ rows: 4, columns: 3, headerRows: 1 });
    const apart = [
      ...rowsAt([["Item", "Qty", "Amount"]], [50, 240, 330], 100, { bold: true }),
      ...rowsAt(
        [
          ["Nails", "1", "2.00"],
          ["Nuts", "2", "3.00"],
          ["Bolts", "3", "4.00"],
        ],
        [50, [290, "right"], [420, "right"]],
        118,
      ),
    ];
    expect(cellTexts(tablesIn(apart)[0])[1]).toEqual(["Nails", "1", "2.00"]);
  });

  it("keeps rows with empty cells, and numbers aligned at their point", () => {
    const rows = [
      ["Alpha", "1.5", ""],
      ["Beta", "12.25", "3"],
      ["Gamma", "", "14"],
      ["Delta", "0.125", "7"],
      ["Eps", "3.0", "1"],
    ];
    const lines = rows.flatMap(([name = "", ratio = "", count = ""], index) => {
      const y = 118 + 16 * index;
      const whole = ratio.split(".")[0] ?? "";
      return [
        at(name, 50, y),
        ...(ratio === "" ? [] : [at(ratio, 200 - 5 * whole.length, y)]),
        ...(count === "" ? [] : [at(count, 320, y, { align: "right" })]),
      ];
    });
    const [table] = tablesIn([...rowsAt([["Name", "Ratio", "Count"]], [50, 190, [320, "right"]], 100), ...lines]);
    expect(cellTexts(table).slice(1)).toEqual(rows);
  });

  it("has cells of several lines, where a line has text in some columns only and stands close", () => {
    const lines = [
      ...rowsAt([HEAD], COLUMNS, 100, { bold: true }),
      ...rowsAt([BODY[0] ?? []], COLUMNS, 120),
      at("with tabs, white", 50, 132),
      at("EAN 4012345001235", 50, 144),
      ...rowsAt([BODY[1] ?? []], COLUMNS, 166),
      at("six to the pack", 50, 178),
      ...rowsAt([BODY[2] ?? []], COLUMNS, 200),
    ];
    expect(cellTexts(tablesIn(lines)[0])).toEqual([
      HEAD,
      ["Trennblätter A4 / with tabs, white / EAN 4012345001235", "20", "9.90", "198.00"],
      ["Joghurt Banane / six to the pack", "50", "5.50", "275.00"],
      BODY[2],
    ]);
  });

  it("takes in text half a line lower in its row", () => {
    const lines = BODY.flatMap(([item = "", quantity = "", price = "", amount = ""], index) => [
      ...rowsAt([[item, quantity, price]], COLUMNS, 120 + 30 * index),
      at(amount, 500, 126 + 30 * index, { align: "right" }),
    ]);
    const [table] = tablesIn([...rowsAt([HEAD], COLUMNS, 100, { bold: true }), ...lines]);
    expect(cellTexts(table)).toEqual([HEAD, ...BODY]);
  });

  it("joins the lines of a heading, above a rule", () => {
    const lines = [
      ...rowsAt(
        [
          ["", "", "Unit", ""],
          ["Item", "Qty", "price", "Amount"],
          ["", "", "in EUR", ""],
        ],
        COLUMNS,
        100,
        { pitch: 11 },
      ),
      ...rowsAt(BODY, COLUMNS, 142),
    ];
    const [table] = tablesIn(lines, { horizontal: [level(127, 50, 500)] });
    expect(cellTexts(table)[0]).toEqual(["Item", "Qty", "Unit / price / in EUR", "Amount"]);
    expect(table).toMatchObject({ rows: 4, headerRows: 1 });
  });

  it("has headings over several columns, and headings that stand close", () => {
    const columns = [50, [250, "right"], [320, "right"], [390, "right"], [460, "right"]] as const;
    const lines = [
      at("First half", 272, 100, { align: "centre", bold: true }),
      at("Second half", 412, 100, { align: "centre", bold: true }),
      ...rowsAt([["Town", "Sales", "Costs", "Sales", "Costs"]], columns, 114, { bold: true }),
      ...rowsAt(
        [
          ["Bath", "1,000", "900", "1,100", "950"],
          ["York", "2,000", "1,900", "2,100", "1,950"],
          ["Hull", "3,000", "2,900", "3,100", "2,950"],
        ],
        columns,
        130,
      ),
    ];
    const [table] = tablesIn(lines);
    expect(cellTexts(table)[0]).toEqual(["", "1×2: First half", "1×2: Second half"]);
    expect(table).toMatchObject({ rows: 5, columns: 5, headerRows: 2 });
    const close = [
      at("Article", 50, 100, { bold: true }),
      at("Count", 300, 100, { align: "right", bold: true }),
      at("Tax Price with tax", 366, 100, { bold: true }),
      ...rowsAt(
        [
          ["Tea", "2", "21%", "4.20"],
          ["Salt", "1", "21%", "0.90"],
          ["Rice", "12", "9%", "18.00"],
        ],
        [50, [300, "right"], [383, "right"], [456, "right"]],
        118,
      ),
    ];
    expect(cellTexts(tablesIn(close)[0])[0]).toEqual(["Article", "Count", "Tax", "Price with tax"]);
  });

  it("cuts a line where two cells nearly touch", () => {
    const lines = [
      ...rowsAt(
        [
          ["Company", "Town", "Staff"],
          ["Actavis, Inc.", "Corona", "45"],
          ["Boeing Company", "Long Beach", "113"],
        ],
        [50, 175, 300],
        100,
        { pitch: 16 },
      ),
      at("Associate Management Res San Diego", 50, 148),
      at("533", 300, 148),
      ...rowsAt([["Kmart", "Atwater", "74"]], [50, 175, 300], 164),
    ];
    // The long name ends five points before its town begins.
    expect(cellTexts(tablesIn(lines)[0])[3]).toEqual(["Associate Management Res", "San Diego", "533"]);
  });

  it("keeps titles between its rows", () => {
    const lines = [
      ...rowsAt([HEAD], COLUMNS, 100, { bold: true }),
      ...rowsAt(BODY, COLUMNS, 118),
      at("Further articles of the same order, delivered later", 50, 166),
      ...rowsAt(BODY, COLUMNS, 182),
    ];
    const [table] = tablesIn(lines);
    expect(table).toMatchObject({ rows: 8, headerRows: 1 });
    expect(cellTexts(table)[4]?.[0]).toMatch(/^1×[23]: Further articles/);
  });

  it("ends before text and sums that are set apart, and after the rule that closes it", () => {
    const lines = [
      ...rowsAt([HEAD], COLUMNS, 100, { bold: true }),
      ...rowsAt(BODY, COLUMNS, 118),
      ...rowsAt([["", "", "Total", "533.00"]], COLUMNS, 200),
      at("Please pay within 30 days", 50, 240),
    ];
    const { tables, rest } = find(lines);
    expect(tables.map((table) => table.rows)).toEqual([4]);
    expect(wordsOf(rest).slice(0, 2)).toEqual(["Total", "533.00"]);
    const closed = [
      ...rowsAt([HEAD], COLUMNS, 100, { bold: true }),
      ...rowsAt(BODY.slice(0, 1), COLUMNS, 118),
      at("in boxes of ten", 50, 130),
      at("Thank you for your order", 50, 146),
    ];
    const [table] = tablesIn(closed, { horizontal: [level(104, 50, 500), level(135, 50, 500)] });
    expect(cellTexts(table)).toEqual([HEAD, ["Trennblätter A4 / in boxes of ten", "20", "9.90", "198.00"]]);
  });
});

describe("findTables: limits", () => {
  it("keep a page of fifty thousand words fast", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) =>
      at(String(index), (index * 37) % 590, (index * 11) % 780, { size: 4 }),
    );
    const start = performance.now();
    find(lines, { horizontal: [level(100, 50, 500)] });
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
