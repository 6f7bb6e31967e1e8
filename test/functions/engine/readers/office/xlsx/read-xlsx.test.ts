import { describe, expect, it } from "vitest";
import { blockLines, lineText } from "../../../../../../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../../../../../../functions/engine/readers/office/read-office.ts";
import { excelRows } from "../../../../../../functions/engine/readers/office/xlsx/workbook-rows.ts";
import type { Block, Layout, TableBlock } from "../../../../../../functions/ports/layout.ts";
import { wordIn } from "../../../../../support/layout.ts";
import { sheetData, type WorkbookOptions, workbook } from "../../../../../support/office-parts.ts";

const bytesOf = (options: WorkbookOptions | string): Uint8Array =>
  workbook(typeof options === "string" ? { sheets: [{ content: options }] } : options);
const read = (options: WorkbookOptions | string): Layout => readOfficeDocument(bytesOf(options), "xlsx");
const text = (block: Block): string => blockLines(block).map(lineText).join("|");
const seen = (layout: Layout): [string, string][] =>
  layout.pages.flatMap((page) => page.blocks.map((block): [string, string] => [block.kind, text(block)]));
const tables = (layout: Layout): TableBlock[] =>
  layout.pages.flatMap((page) => page.blocks.filter((block) => block.kind === "table"));
const cells = (table: TableBlock | undefined): string[] =>
  table?.cells.map((cell) => cell.lines.map(lineText).join("|")) ?? [];
const rows = (options: WorkbookOptions | string): Record<string, unknown>[] =>
  excelRows(bytesOf(options))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Formats of cells by the value of their `s`. */
const styles = (...codes: string[]): string =>
  `<numFmts>${codes.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code}"/>`).join("")}</numFmts>` +
  `<fonts><font/><font><b/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/>${codes.map((_, index) => `<xf numFmtId="${200 + index}" fontId="0"/>`).join("")}<xf numFmtId="0" fontId="1"/></cellXfs>`;

const TYPED: WorkbookOptions = {
  sheets: [
    {
      name: "Data",
      content:
        '<sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" s="1"><v>45292.5</v></c><c r="D2" s="2"><v>0.256</v></c></row>' +
        '<row r="3"><c r="B3" t="b"><v>1</v></c><c r="C3" t="e"><v>#N/A</v></c><c r="D3" t="str"><f>A1&amp;"x"</f><v>cached</v></c><c r="E3" t="d"><v>2024-02-03T00:00:00</v></c><c r="F3"/></row></sheetData>',
    },
  ],
  strings: ["<r><t>Rich </t></r><r><rPr><b/></rPr><t>text_x000D_</t></r><rPh><t>yomi</t></rPh>"],
  styles: styles("yyyy-mm-dd hh:mm", "0.0%"),
};

describe("excelRows and readExcel values", () => {
  it("appear as shown in Excel", () => {
    expect(cells(tables(read(TYPED))[0])).toEqual([
      "Rich text",
      "2024-01-01 12:00",
      "25.6%",
      "",
      "TRUE",
      "#N/A",
      "cached",
      "2024-02-03T00:00:00",
    ]);
  });

  it("are typed JSON lines, one for each cell", () => {
    expect(rows(TYPED)).toEqual([
      { sheet: "Data", row: 2, column: 2, address: "B2", value: "Rich text\r", type: "string" },
      { sheet: "Data", row: 2, column: 3, address: "C2", value: "2024-01-01T12:00:00", type: "date" },
      { sheet: "Data", row: 2, column: 4, address: "D2", value: 0.256, type: "number" },
      { sheet: "Data", row: 3, column: 2, address: "B3", value: true, type: "boolean" },
      { sheet: "Data", row: 3, column: 3, address: "C3", value: "#N/A", type: "error" },
      { sheet: "Data", row: 3, column: 4, address: "D3", value: "cached", type: "string" },
      { sheet: "Data", row: 3, column: 5, address: "E3", value: "2024-02-03", type: "date" },
    ]);
  });

  it("count days from 1904 where the workbook says so", () => {
    const content = '<sheetData><row><c s="1"><v>0</v></c></row></sheetData>';
    expect(rows({ sheets: [{ content }], styles: styles("yyyy-mm-dd"), properties: 'date1904="1"' })).toMatchObject([
      { value: "1904-01-01" },
    ]);
  });

  it("take the next place without an address; columns go past Z", () => {
    const content =
      '<sheetData><row><c><v>1</v></c><c r="AB1"><v>2</v></c><c><v>3</v></c></row><row><c><v>4</v></c></row></sheetData>';
    expect(rows(content).map(({ address }) => address)).toEqual(["A1", "AB1", "AC1", "A2"]);
  });

  it("are no lines for an empty workbook", () => {
    expect(excelRows(bytesOf("<sheetData/>"))).toBe("");
  });
});

describe("readExcel tables", () => {
  it("are regions separated by empty rows or columns, in reading order; a single column is text", () => {
    const layout = read(
      sheetData([
        ["Title"],
        [],
        ["Item", "Qty", undefined, "Name", "Age"],
        ["Chair", 2, undefined, "Ann", 30],
        [],
        ["A note"],
        ["of two lines"],
      ]),
    );
    expect(seen(layout)).toEqual([
      ["heading", "Sheet1"],
      ["paragraph", "Title"],
      ["table", "Item|Qty|Chair|2"],
      ["table", "Name|Age|Ann|30"],
      ["paragraph", "A note|of two lines"],
    ]);
    expect(tables(layout).map((table) => table.headerRows)).toEqual([1, 1]);
  });

  it("span merged cells; a title over all columns does not split them", () => {
    const merged = `${sheetData([["Report"], ["Item", undefined, "Total"], ["Chair", undefined, 5]])}<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A2:B2"/><mergeCell ref="A3:B3"/></mergeCells>`;
    const [table] = tables(read(merged));
    expect(table?.cells.map((cell) => [cell.row, cell.column, cell.columnSpan])).toEqual([
      [0, 0, 3],
      [1, 0, 2],
      [1, 2, 1],
      [2, 0, 2],
      [2, 2, 1],
    ]);
  });

  it("have a cell at every place", () => {
    const [table] = tables(
      read(
        sheetData([
          ["a", "b", "c"],
          ["d", undefined, "f"],
        ]),
      ),
    );
    expect(cells(table)).toEqual(["a", "b", "c", "d", "", "f"]);
  });

  it("take their header rows from the sheet's defined tables", () => {
    const content = `${sheetData([
      ["x", "y"],
      ["p", "q"],
    ])}<tableParts><tablePart r:id="t"/></tableParts>`;
    const options: WorkbookOptions = {
      sheets: [{ content, relationships: { t: ["table", "../tables/t.xml"] } }],
      parts: { "xl/tables/t.xml": '<table ref="A1:B2"/>' },
    };
    expect(tables(read(options))[0]?.headerRows).toBe(1);
    expect(
      tables(
        read(
          sheetData([
            ["x", "y"],
            ["p", "q"],
          ]),
        ),
      )[0]?.headerRows,
    ).toBe(0);
  });

  it("keep links; text of drawings comes last", () => {
    const content = `${sheetData([["Site", "Mail"]])}<hyperlinks><hyperlink ref="A1" r:id="l"/><hyperlink ref="B1" r:id="f"/></hyperlinks><drawing r:id="d"/>`;
    const layout = read({
      sheets: [
        {
          content,
          relationships: {
            l: ["hyperlink", "!https://a.example"],
            f: ["hyperlink", "!file:///x"],
            d: ["drawing", "../drawings/d.xml"],
          },
        },
      ],
      parts: {
        "xl/drawings/d.xml":
          '<xdr:wsDr xmlns:xdr="x" xmlns:a="y"><xdr:twoCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>On a shape</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>',
      },
    });
    expect(wordIn(layout, "Site").link).toBe("https://a.example");
    expect(wordIn(layout, "Mail")).not.toHaveProperty("link");
    expect(seen(layout).at(-1)).toEqual(["paragraph", "On a shape"]);
  });
});

it("begin a page for each sheet; hidden parts are read and noted", () => {
  const hidden =
    '<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1"><c><v>1</v></c><c><v>2</v></c></row><row r="2" hidden="1"><c><v>3</v></c></row><row r="3" hidden="1"><c><v>4</v></c></row></sheetData>';
  const layout = read({
    sheets: [
      { name: "Open", content: sheetData([["x", "y"]]) },
      { name: "Secret", state: "veryHidden", content: hidden },
    ],
  });
  expect(layout).toMatchObject({ provider: "xlsx", logicalPages: true, pageCount: 2 });
  expect(seen({ ...layout, pages: layout.pages.slice(1) })).toEqual([
    ["heading", "Secret"],
    ["note", "Hidden sheet."],
    ["note", "Hidden rows: 2–3."],
    ["note", "Hidden columns: B."],
    ["table", "1|2|3|4"],
  ]);
});

describe("readExcel on huge and sparse sheets", () => {
  it("reads two cells in opposite corners as two", () => {
    const content =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>';
    const started = performance.now();
    expect(
      seen(read(content))
        .map(([kind]) => kind)
        .slice(0, 1),
    ).toEqual(["heading"]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("splits a diagonal into tables of bounded size without losing a cell", () => {
    const letters = (column: number): string =>
      column === 0 ? "" : letters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
    const diagonal = Array.from(
      { length: 2_000 },
      (_, at) => `<row r="${at + 1}"><c r="${letters(at + 1)}${at + 1}"><v>${at + 1}</v></c></row>`,
    );
    // Pairs overlap by a column, so that nothing parts them.
    const joined = diagonal.map((row, at) =>
      row.replace("</row>", `<c r="${letters(at + 2)}${at + 1}"><v>0</v></c></row>`),
    );
    const found = tables(read(`<sheetData>${joined.join("")}</sheetData>`));
    expect(found.reduce((sum, table) => sum + table.rows, 0)).toBe(2_000);
    expect(Math.max(...found.map((table) => table.rows * table.columns))).toBeLessThan(5_000);
  });

  it("ignores rows and columns beyond a sheet's limits", () => {
    const content = '<sheetData><row r="1"><c r="ZZZ1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData>';
    expect(rows(content).map(({ address }) => address)).toEqual(["A1", "B1"]);
  });
});
