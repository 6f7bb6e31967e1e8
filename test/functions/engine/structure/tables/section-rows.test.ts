import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import { NO_DRAWING, type TableLine } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { at, cellTexts, rowsAt } from "../../../../support/table-lines.ts";

const AMOUNTS = [50, [400, "right"], [500, "right"]] as const;
const SALES = [50, [300, "right"], [360, "right"], [430, "right"]] as const;

/** The first table's rows, each cell's lines with ` / ` between; and how many of them head its columns. */
function read(lines: readonly TableLine[]): { rows: string[][]; header: number | undefined } {
  const [table] = findTables(lines, NO_DRAWING).tables;
  return { rows: cellTexts(table), header: table?.headerRows };
}

describe("labels of sections", () => {
  it.each([11, 13, 16, 20])("are rows of a balance sheet whose rows stand %i points apart", (pitch) => {
    const rows = [
      ["", "March 31, 2026", "December 31, 2025"],
      ["ASSETS", "", ""],
      ["Current assets:", "", ""],
      ["Cash and equivalents", "1,234", "1,100"],
      ["Receivables", "567", "500"],
      ["Total current assets", "1,801", "1,600"],
      ["Land", "90", "90"],
      ["LIABILITIES AND EQUITY", "", ""],
      ["Payables", "801", "600"],
      ["Loans", "900", "800"],
    ];
    expect(read(rowsAt(rows, AMOUNTS, 100, { pitch }))).toEqual({ rows, header: 1 });
  });

  it("are rows of an income statement, with items set in, subtotals, and texts of two lines", () => {
    const part = (rows: string[][], x: number, y: number) =>
      rowsAt(rows, [x, AMOUNTS[1], AMOUNTS[2]], y, { pitch: 14 });
    const lines = [
      ...part(
        [
          ["", "2025", "2024"],
          ["Revenue", "", ""],
        ],
        50,
        100,
      ),
      ...part(
        [
          ["Products", "1,234", "1,100"],
          ["Services", "567", "500"],
        ],
        62,
        128,
      ),
      ...part(
        [
          ["Total revenue", "1,801", "1,600"],
          ["Operating expenses", "", ""],
        ],
        50,
        156,
      ),
      ...part([["Wages, salaries and contributions to the pension funds", "", ""]], 62, 184),
      ...part(
        [
          ["of employees", "400", "390"],
          ["Rent", "100", "90"],
        ],
        62,
        198,
      ),
      ...part([["Gross profit", "901", "800"]], 50, 226),
    ];
    expect(read(lines)).toEqual({
      rows: [
        ["", "2025", "2024"],
        ["Revenue", "", ""],
        ["Products", "1,234", "1,100"],
        ["Services", "567", "500"],
        ["Total revenue", "1,801", "1,600"],
        ["Operating expenses", "", ""],
        ["Wages, salaries and contributions to the pension funds / of employees", "400", "390"],
        ["Rent", "100", "90"],
        ["Gross profit", "901", "800"],
      ],
      header: 1,
    });
  });

  it("are rows of a price list, where each has but one row below, and where they are bold", () => {
    const rows = [
      ["Article", "Pack", "Price"],
      ["Screws", "", ""],
      ["M4 x 20", "100", "4.20"],
      ["Nails", "", ""],
      ["2.5 x 60", "500", "7.90"],
      ["Bolts", "", ""],
      ["M8 x 80", "50", "9.10"],
    ];
    expect(read(rowsAt(rows, AMOUNTS, 100))).toEqual({ rows, header: 1 });
    const bold = [
      ...rowsAt([["Article", "Pack", "Price"]], AMOUNTS, 100, { bold: true }),
      ...rowsAt([["M4 x 20", "100", "4.20"]], AMOUNTS, 116),
      at("Nails", 50, 132, { bold: true }),
      ...rowsAt(
        [
          ["2.5 x 60", "500", "7.90"],
          ["3.1 x 80", "500", "8.90"],
        ],
        AMOUNTS,
        148,
      ),
    ];
    expect(read(bold).rows.map(([first]) => first)).toEqual(["Article", "M4 x 20", "Nails", "2.5 x 60", "3.1 x 80"]);
  });

  it("are rows also above most rows, below headings with numbers of their own", () => {
    const rows = [
      ["", "Low", "High"],
      ["", "(N=524)", "(N=329)"],
      ["Sex", "", ""],
      ["Female", "28 (54.2%)", "17 (54.5%)"],
      ["Male", "24 (45.8%)", "15 (45.5%)"],
      ["Age at entry", "", ""],
      ["Median", "24.5", "24.2"],
      ["Years followed", "", ""],
      ["Median", "44.4", "44.4"],
      ["Ever smoker", "", ""],
      ["Mean", "0.40", "0.50"],
    ];
    expect(read(rowsAt(rows, AMOUNTS, 100, { pitch: 12 }))).toEqual({
      rows: [["", "Low / (N=524)", "High / (N=329)"], ...rows.slice(2)],
      header: 1,
    });
  });
});

describe("texts of several lines", () => {
  const HEAD = ["Description", "Qty", "Price", "Amount"];

  it("continue in the next line, as far below as rows are, where the line before is full", () => {
    const lines = [
      ...rowsAt([HEAD], SALES, 100),
      ...rowsAt([["Pump with a seal of hardened steel and", "2", "10.00", "20.00"]], SALES, 114),
      at("Teflon ring", 50, 128),
      ...rowsAt(
        [
          ["Valve", "1", "3.50", "3.50"],
          ["Flange", "4", "1.00", "4.00"],
        ],
        SALES,
        142,
        { pitch: 14 },
      ),
    ];
    expect(read(lines).rows.map(([first]) => first)).toEqual([
      "Description",
      "Pump with a seal of hardened steel and / Teflon ring",
      "Valve",
      "Flange",
    ]);
  });

  it("continue in small letters, further in, or in every row", () => {
    const rows = [
      [HEAD, ["Pump", "2", "10.00", "20.00"], ["with a seal", "", "", ""], ["Valve", "1", "3.50", "3.50"]],
      [
        HEAD,
        ["Pump", "2", "10.00", "20.00"],
        ["Model A", "", "", ""],
        ["Valve", "1", "3.50", "3.50"],
        ["Model B", "", "", ""],
      ],
    ];
    const firsts = rows.map((own) =>
      read(rowsAt([...own, ["Flange", "4", "1.00", "4.00"]], SALES, 100)).rows.map(([first]) => first),
    );
    expect(firsts).toEqual([
      ["Description", "Pump / with a seal", "Valve", "Flange"],
      ["Description", "Pump / Model A", "Valve / Model B", "Flange"],
    ]);
    const indented = [
      ...rowsAt([HEAD, ["Pump", "2", "10.00", "20.00"]], SALES, 100),
      at("Model A", 60, 132),
      ...rowsAt(
        [
          ["Valve", "1", "3.50", "3.50"],
          ["Flange", "4", "1.00", "4.00"],
        ],
        SALES,
        148,
      ),
    ];
    expect(read(indented).rows.map(([first]) => first)).toEqual(["Description", "Pump / Model A", "Valve", "Flange"]);
  });

  it("continue where they stand closer than rows do", () => {
    const lines = [
      ...rowsAt([HEAD, ["Pump", "2", "10.00", "20.00"]], SALES, 100),
      at("Model A", 50, 128),
      ...rowsAt(
        [
          ["Valve", "1", "3.50", "3.50"],
          ["Flange", "4", "1.00", "4.00"],
        ],
        SALES,
        144,
      ),
    ];
    expect(read(lines).rows[1]?.[0]).toBe("Pump / Model A");
  });

  it("stand above their values where each row ends with air, and not where one line does not lead to its values", () => {
    const lines = (above: string) => [
      ...rowsAt([HEAD, ["Pump", "2", "10.00", "20.00"]], SALES, 100),
      ...rowsAt([[above], ["Valve of brass", "1", "3.50", "3.50"]], SALES, 136, { pitch: 14 }),
      ...rowsAt([["Kit of parts,"], ["two years old,"], ["Flange", "4", "1.00", "4.00"]], SALES, 170, { pitch: 14 }),
      ...rowsAt([["Nut", "4", "1.00", "4.00"]], SALES, 218),
    ];
    const firsts = (above: string) => read(lines(above)).rows.map(([first]) => first);
    const description = [
      "Description",
      "Pump",
      "Made to measure, / Valve of brass",
      "Kit of parts, / two years old, / Flange",
    ];
    expect(firsts("Made to measure,")).toEqual([...description, "Nut"]);
    expect(firsts("Fittings:")).toContain("Fittings:");
  });

  it("may be those of a bank statement's second column", () => {
    const rows = [
      ["Date", "Text", "Amount"],
      ["02.03.2026", "Transfer", "-450.00"],
      ["", "Rent of the boat house", ""],
      ["03.03.2026", "Card payment", "-23.75"],
      ["05.03.2026", "Salary", "3,100.00"],
      ["", "Harbour Works", ""],
      ["09.03.2026", "Fee", "-1.22"],
    ];
    expect(read(rowsAt(rows, [50, 130, [430, "right"]], 100))).toEqual({
      rows: [
        ["Date", "Text", "Amount"],
        ["02.03.2026", "Transfer / Rent of the boat house", "-450.00"],
        ["03.03.2026", "Card payment", "-23.75"],
        ["05.03.2026", "Salary / Harbour Works", "3,100.00"],
        ["09.03.2026", "Fee", "-1.22"],
      ],
      header: 1,
    });
  });
});
