/** Textract's tables and form fields, against answers drawn after its response objects. */
import { describe, expect, it } from "vitest";
import { cell, drawPage, readDrawn, wordsOf } from "./textract.support.ts";

describe("readTables", () => {
  it("reads headers, merged cells in place of their parts, titles, footers and checkboxes", async () => {
    const drawn = drawPage();
    const title = drawn.line("Balances in euros", 1, 1);
    const heads = [drawn.line("Item", 1, 2), drawn.line("Amount", 4, 2), drawn.line("Paid", 6, 2)];
    const subtotal = drawn.line("Previous balance", 1, 2.5);
    const amount = drawn.line("10.00", 6, 2.5);
    const bread = [drawn.line("Bread", 1, 3), drawn.line("2.50", 4, 3)];
    const footer = drawn.line("Not audited", 1, 4);
    const mark = drawn.block(
      "SELECTION_ELEMENT",
      { left: 6, top: 3, right: 6.1, bottom: 3.1 },
      {},
      {
        SelectionStatus: "SELECTED",
      },
    );
    const parts = [
      cell(drawn, [2, 1], { words: subtotal.words.slice(0, 1), place: subtotal.place }, ["COLUMN_HEADER"]),
      cell(drawn, [2, 2], { words: subtotal.words.slice(1), place: subtotal.place }),
    ];
    const cells = [
      ...heads.map((line, index) => cell(drawn, [1, index + 1], line, ["COLUMN_HEADER"])),
      ...parts,
      cell(drawn, [2, 3], amount),
      cell(drawn, [3, 1], bread[0]),
      cell(drawn, [3, 2], bread[1]),
      cell(drawn, [3, 3], { words: [mark], place: { left: 6, top: 3, right: 6.5, bottom: 3.1 } }),
    ];
    const merged = drawn.block(
      "MERGED_CELL",
      { left: 1, top: 2.5, right: 5, bottom: 2.7 },
      { CHILD: parts },
      {
        RowIndex: 2,
        ColumnIndex: 1,
        RowSpan: 1,
        ColumnSpan: 2,
      },
    );
    const titleId = drawn.block("TABLE_TITLE", title.place, { CHILD: title.words });
    const footerId = drawn.block("TABLE_FOOTER", footer.place, { CHILD: footer.words });
    drawn.block(
      "TABLE",
      { left: 1, top: 1, right: 7, bottom: 4.2 },
      { CHILD: cells, MERGED_CELL: [merged], TABLE_TITLE: [titleId], TABLE_FOOTER: [footerId] },
      { Confidence: 99.87654 },
    );
    const page = await readDrawn(drawn, "PREMIUM");
    const words = wordsOf(page);
    const [table] = page.tables;
    expect(table).toMatchObject({
      box: { left: 1, top: 1, right: 7, bottom: 4.2 },
      rows: 3,
      columns: 3,
      confidence: 0.9988,
    });
    expect(
      table?.cells.map(({ row, column, columnSpan, header, text }) => [row, column, columnSpan, header, text]),
    ).toEqual([
      [1, 1, 1, true, "Item"],
      [1, 2, 1, true, "Amount"],
      [1, 3, 1, true, "Paid"],
      [2, 1, 2, true, "Previous balance"],
      [2, 3, 1, false, "10.00"],
      [3, 1, 1, false, "Bread"],
      [3, 2, 1, false, "2.50"],
      [3, 3, 1, false, "☒"],
    ]);
    for (const one of [...(table?.cells ?? []), ...(table?.titles ?? []), ...(table?.footers ?? [])]) {
      expect(one.words.map((position) => words[position]?.text).join(" ")).toBe(one.text);
    }
    expect(table?.titles.map((one) => one.text)).toEqual(["Balances in euros"]);
    expect(table?.footers.map((one) => one.text)).toEqual(["Not audited"]);
  });
});

it("readTables ignores a merged cell without parts", async () => {
  const drawn = drawPage();
  const lines = [drawn.line("Item", 1, 1), drawn.line("Bread", 4, 1)];
  const cells = lines.map((line, index) => cell(drawn, [1, index + 1], line));
  const place = { left: 1, top: 1, right: 6, bottom: 1.2 };
  const merged = drawn.block("MERGED_CELL", place, {}, { RowIndex: 1, ColumnIndex: 1, RowSpan: 1, ColumnSpan: 2 });
  drawn.block("TABLE", place, { CHILD: cells, MERGED_CELL: [merged] });
  const [table] = (await readDrawn(drawn, "PREMIUM")).tables;
  expect(table?.cells.map(({ text, columnSpan }) => [text, columnSpan])).toEqual([
    ["Item", 1],
    ["Bread", 1],
  ]);
});

describe("readFields", () => {
  it("reads a label with a value, a checkbox, or nothing", async () => {
    const drawn = drawPage();
    const name = drawn.line("Full name:", 1, 1);
    const ada = drawn.line("Ada Lovelace", 3, 1);
    const married = drawn.line("Married", 1, 2);
    const phone = drawn.line("Phone", 1, 3);
    const mark = drawn.block(
      "SELECTION_ELEMENT",
      { left: 3, top: 2, right: 3.1, bottom: 2.1 },
      {},
      {
        SelectionStatus: "NOT_SELECTED",
      },
    );
    const field = (label: typeof name, value?: { ids: string[]; place: typeof ada.place }) => {
      const valueId =
        value === undefined
          ? []
          : [drawn.block("KEY_VALUE_SET", value.place, { CHILD: value.ids }, { EntityTypes: ["VALUE"] })];
      drawn.block("KEY_VALUE_SET", label.place, { CHILD: label.words, VALUE: valueId }, { EntityTypes: ["KEY"] });
    };
    field(name, { ids: ada.words, place: ada.place });
    field(married, { ids: [mark], place: { left: 3, top: 2, right: 3.1, bottom: 2.1 } });
    field(phone);
    const page = await readDrawn(drawn, "PREMIUM");
    const words = wordsOf(page);
    expect(page.fields).toHaveLength(3);
    expect(page.fields[0]).toEqual({
      label: { text: "Full name:", box: { left: 1, top: 1, right: 1.588, bottom: 1.12 }, words: [0, 1] },
      values: [{ text: "Ada Lovelace", box: { left: 3, top: 1, right: 3.708, bottom: 1.12 }, words: [2, 3] }],
      confidence: 0.905,
    });
    expect(words[3]?.text).toBe("Lovelace");
    expect(page.fields[1]).toMatchObject({
      label: { text: "Married" },
      values: [{ text: "☐", words: [5] }],
    });
    expect(words[5]).toMatchObject({ text: "☐", confidence: 0.905 });
    expect(page.fields[2]).toMatchObject({ label: { text: "Phone" }, values: [] });
  });

  it("reads all values of a label, and all checkboxes of a cell in their order", async () => {
    const drawn = drawPage();
    const name = drawn.line("Name:", 1, 1);
    const parts = [drawn.line("Anna", 3, 1), drawn.line("Berg", 6, 1)];
    const values = parts.map(({ place, words }) =>
      drawn.block("KEY_VALUE_SET", place, { CHILD: words }, { EntityTypes: ["VALUE"] }),
    );
    drawn.block("KEY_VALUE_SET", name.place, { CHILD: name.words, VALUE: values }, { EntityTypes: ["KEY"] });
    const answers = drawn.line("Yes No", 1.2, 3);
    const box = (left: number, SelectionStatus: "SELECTED" | "NOT_SELECTED") =>
      drawn.block("SELECTION_ELEMENT", { left, top: 3, right: left + 0.1, bottom: 3.1 }, {}, { SelectionStatus });
    const boxes = [box(1.05, "NOT_SELECTED"), box(1.425, "SELECTED")];
    const place = { left: 1, top: 2.9, right: 3, bottom: 3.2 };
    const cells = [
      cell(drawn, [1, 1], { words: [...answers.words, ...boxes], place }),
      cell(drawn, [1, 2], drawn.line("5.00", 4, 3)),
    ];
    drawn.block("TABLE", { left: 1, top: 2.9, right: 5, bottom: 3.2 }, { CHILD: cells });
    const page = await readDrawn(drawn, "PREMIUM");
    expect(page.fields).toMatchObject([{ label: { text: "Name:" }, values: [{ text: "Anna" }, { text: "Berg" }] }]);
    expect(page.tables[0]?.cells.map(({ text }) => text)).toEqual(["☐ Yes ☒ No", "5.00"]);
  });
});
