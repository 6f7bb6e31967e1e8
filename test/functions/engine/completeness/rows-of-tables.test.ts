import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import { setBlock, setLayout, setTable } from "../../../support/typeset.ts";
import { PageMaker } from "../extraction/page.ts";
import { HEAD, lineOf, linesOf, missingOf, pagesOf, printed, receiptsOf, SCHEMA } from "./tables.ts";

const row = (at: number): string[] => printed(lineOf(at));
const without = (count: number, gone: number): Json => ({ lines: linesOf(count).filter((_, at) => at !== gone) });
const rowsOf = (from: number, to: number): string[][] => linesOf(to).slice(from).map(printed);

describe("reconcile, with the last row of a table on the next page", () => {
  it("reports that row as missing, in a table or outside", () => {
    expect(missingOf(pagesOf(rowsOf(0, 6), [row(6)]), without(7, 6))).toEqual([row(6).join(" | ")]);
    const headless = setLayout(
      [setBlock("Delivery note"), setTable([HEAD, ...rowsOf(0, 6)], 1)],
      [{ ...setTable([row(6)], 0), continued: true }],
    );
    expect(missingOf(headless, without(7, 7))).toEqual([]);
    expect(missingOf(headless, without(7, 6))).toEqual([row(6).join(" | ")]);
  });
});

describe("reconcile, with headings", () => {
  it("applies headings at the end of a page to the rows of the next page", () => {
    const layout = setLayout(
      [setBlock("Delivery note"), setTable([HEAD], 1)],
      [{ ...setTable(rowsOf(0, 4), 0), continued: true }],
    );
    expect(missingOf(layout, { lines: [] })).toHaveLength(4);
  });

  it("counts rows marked as headings whose values are like those of the rows below", () => {
    const marked = setLayout([setTable([HEAD, ...rowsOf(0, 4)], 2)]);
    expect(missingOf(marked, without(4, 4))).toEqual([]);
    expect(missingOf(marked, without(4, 0))).toEqual([row(0).join(" | ")]);
  });

  it("accepts headings of two rows, and years", () => {
    const schema: Json = {
      type: "object",
      properties: {
        results: { type: "array", items: { type: "object", properties: { name: {}, before: {}, after: {} } } },
      },
    };
    const rows = ["Sales", "Wages", "Rent", "Profit"].map((name, at) => [name, `${at + 3},120`, `${at + 4},250`]);
    const results = rows.map(([name = "", before = "", after = ""]) => ({ name, before, after }));
    for (const second of [
      ["Item", "2024", "2025"],
      ["", "Before", "After"],
    ]) {
      const layout = setLayout([setTable([["Results", "Last year", "This year"], second, ...rows], 2)]);
      expect(missingOf(layout, { results }, { schema })).toEqual([]);
      expect(missingOf(layout, { results: results.slice(1) }, { schema })).toEqual(["Sales | 3,120 | 4,250"]);
    }
  });

  it("counts a first row without numbers whose code or dash is like the cells below it", () => {
    const lines = linesOf(5).map((line) => ({ sku: line.sku, name: line.name, amount: line.amount }));
    const rows = lines.map(({ sku, name, amount }) => [sku, name, amount.toFixed(2)]);
    const layout = setLayout([setTable([["KX-2000", "Hinge of another kind", "-"], ...rows])]);
    expect(missingOf(layout, { lines })).toEqual(["KX-2000 | Hinge of another kind | -"]);
  });

  it("counts the columns of a table that names fields down its first column, and lines that name them again", () => {
    const turned = (from: number, to: number): string[][] =>
      HEAD.map((name, at) => [name, ...rowsOf(from, to).map((cells) => cells[at] ?? "")]);
    const maker = new PageMaker();
    for (const [at, cells] of turned(6, 7).entries())
      for (const [column, text] of cells.entries()) maker.text(1 + column * 2, 8.2 + at * 0.5, text);
    const lines = maker.layout().pages[0]?.blocks ?? [];
    const layout = setLayout([setTable([...turned(0, 3), ...turned(3, 6)]), ...lines]);
    for (const gone of [0, 4, 6]) expect(missingOf(layout, without(7, gone))).toEqual([row(gone).join(" | ")]);
    expect(receiptsOf(layout, without(7, 7))[0]).toMatchObject({ counted: true, returned: 7, missing: [] });
    expect(missingOf(layout, { lines: [] })).toHaveLength(7);
  });

  it("decides by headings where equal rows stand in two tables", () => {
    const schema: Json = {
      type: "object",
      properties: {
        credits: { type: "array", items: { type: "object", properties: { availability: {}, credit: {} } } },
      },
    };
    const rows = [
      ["99.9%", "10%"],
      ["99.0%", "25%"],
      ["95.0%", "100%"],
    ];
    const other = ["99.5%", "97.0%", "96.0%", "90.0%"].map((share) => [share, "5%"]);
    const layout = setLayout([
      setTable([["Latency", "Discount"], ...rows, ...other], 1),
      setBlock("Another service"),
      setTable([["Availability", "Credit"], ...rows], 1),
    ]);
    const credits = rows.map(([availability = "", credit = ""]) => ({ availability, credit }));
    expect(missingOf(layout, { credits }, { schema })).toEqual([]);
    expect(missingOf(layout, { credits: credits.slice(1) }, { schema })).toEqual(["99.9% | 10%"]);
  });

  it("decides by headings where rows of two tables differ in a digit", () => {
    const schema: Json = {
      type: "object",
      properties: {
        credits: { type: "array", items: { type: "object", properties: { availability: {}, credit: {} } } },
      },
    };
    const rows = [
      ["< 99.9%", "10%"],
      ["< 99.99%", "10%"],
      ["< 95%", "25%"],
    ];
    const layout = setLayout([
      setTable([["Latency", "Discount"], ...rows], 1),
      setBlock("Another service"),
      setTable([["Availability", "Credit"], ...rows], 1),
    ]);
    const credits = rows.map(([availability = "", credit = ""]) => ({ availability, credit }));
    for (const [at, gone] of rows.entries())
      expect(missingOf(layout, { credits: credits.filter((_, index) => index !== at) }, { schema })).toEqual([
        gone.join(" | "),
      ]);
  });
});

describe("reconcile, with rows on uneven lines", () => {
  /** Rows in columns below a table, with amounts slightly lower. */
  const split = () => {
    const maker = new PageMaker();
    const table = setTable([HEAD, row(0), row(1)], 1);
    const columns = table.cells.filter(({ row: at }) => at === 1).map(({ lines }) => lines[0]?.box.left ?? 0);
    const top = table.box.bottom + 0.5;
    for (const [at, text] of row(2).entries()) maker.text(columns[at] ?? 0, at === 3 ? top + 0.12 : top, text);
    const [page] = maker.layout().pages;
    return setLayout([table, ...(page?.blocks ?? [])]);
  };

  it("joins cells slightly above and below a line into one row", () => {
    expect(missingOf(split(), without(3, 3))).toEqual([]);
    expect(missingOf(split(), without(3, 2))).toEqual([row(2).join(" | ")]);
    expect(missingOf(split(), without(3, 0))).toEqual([row(0).join(" | ")]);
  });

  /** A skewed scan, `slope` inches down per inch to the right; one row has lost its quantity. */
  function scan(slope: number) {
    const maker = new PageMaker().text(1, 0.5, "Delivered", { confidence: 0.9 });
    for (const [at, line] of linesOf(12).entries())
      for (const [column, text] of printed(line).entries()) {
        const x = [1, 2.4, 4.6, 6][column] ?? 0;
        if (at === 5 && column === 2) continue;
        maker.text(x, 1 + at * 0.2 + x * slope, text, { confidence: 0.9 });
      }
    return maker.layout();
  }

  it("finds the rows of a skewed scan, even where recognition lost a cell", () => {
    for (const slope of [0, 0.03, -0.03])
      for (const at of [2, 5, 11]) {
        expect([slope, missingOf(scan(slope), without(12, 12))]).toEqual([slope, []]);
        expect([slope, missingOf(scan(slope), without(12, at), { schema: SCHEMA }).length]).toEqual([slope, 1]);
      }
  });
});
