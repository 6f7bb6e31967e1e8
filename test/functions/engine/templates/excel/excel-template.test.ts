import { describe, expect, it } from "vitest";
import { describeExcel, fillExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import type { TemplateField } from "../../../../../functions/engine/templates/template.ts";
import { UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { cellsOf, partText, workbookOf } from "../../../../support/excel-workbook.ts";
import { fillRequest, fillWorkbook, numbered, oneSheet } from "../../../../support/fill-excel.ts";

const outline = (fields: readonly TemplateField[]): unknown[] =>
  fields.map(({ name, type, valueType, fields: inner }) =>
    type === "loop" ? [name, ...outline(inner)] : `${name}:${type}${valueType === null ? "" : `/${valueType}`}`,
  );

describe("describeExcel", () => {
  it("lists scalars, loops with inner fields, and types by the cell's format", async () => {
    const bytes = workbookOf({
      ...oneSheet({
        A1: 'Offer {{number}} of {{date | format("d MMMM yyyy", "de")}}',
        B1: { value: "{{total}}", style: 1 },
        C1: { value: "{{due}}", style: 2 },
        D1: "{{%logo}}",
        A2: "{{#items}}{{name}}",
        B2: "{{price}}{{/items}}",
        A3: "{{#vip}}thanks{{/vip}}",
      }),
      formats: ["#,##0.00", "dd.mm.yyyy"],
    });
    expect(outline((await describeExcel(bytes)).fields)).toEqual([
      "number:text",
      "date:text/date",
      "total:text/number",
      "due:text/date",
      "logo:image",
      ["items", "name:text", "price:text"],
      "vip:condition",
    ]);
  });

  it("lists ${table:…} as loops, side by side in one row", async () => {
    const bytes = workbookOf(oneSheet({ A1: "${table:a.x}", B1: "${table:b.y}", C1: "${title}" }));
    expect(outline((await describeExcel(bytes)).fields)).toEqual([["a", "x:text"], ["b", "y:text"], "title:text"]);
  });

  it("names tag and cell of each fault", async () => {
    const bytes = workbookOf(
      oneSheet({ A1: "{{#items}}", B3: "{{name", C4: "{{/others}}", D5: "{{x | magic}}", E6: '="{{y}}"' }),
    );
    await expect(describeExcel(bytes)).rejects.toThrow(/\{\{name in sheet Offer, cell B3 is never closed/);
    await expect(describeExcel(bytes)).rejects.toThrow(
      /\{\{\/others\}\} in sheet Offer, cell C4 closes nothing; \{\{#items\}\} is open/,
    );
    await expect(describeExcel(bytes)).rejects.toThrow(
      /\{\{x \| magic\}\} in sheet Offer, cell D5 has the filter magic/,
    );
    await expect(describeExcel(bytes)).rejects.toThrow(/\{\{y\}\} in sheet Offer, cell E6 is in a formula/);
    await expect(describeExcel(bytes)).rejects.toBeInstanceOf(UnprocessableEntity);
  });

  it("takes single braces as tags only where they read as one", async () => {
    const bytes = workbookOf(oneSheet({ A1: "{name}", A2: "{1, 2; 3}", A3: "a {b c? d} e" }));
    expect(outline((await describeExcel(bytes)).fields)).toEqual(["name:text"]);
    const filled = await fillExcel(bytes, fillRequest({ name: "Ann" }));
    expect(cellsOf(filled.bytes)).toMatchObject({ A1: "Ann", A2: "{1, 2; 3}", A3: "a {b c? d} e" });
  });
});

describe("fillExcel", () => {
  it("keeps the type of a value that is alone in its cell, and never makes a formula of a text", async () => {
    const filled = await fillWorkbook(
      oneSheet({ A1: "{{n}}", A2: "{{b}}", A3: "{{t}}", A4: "n {{n}} b {{b}}", A5: "{{none}}", A6: " {{n}} " }),
      {
        n: 12.5,
        b: true,
        t: "=1+1",
      },
    );
    expect(cellsOf(filled)).toEqual({ A1: 12.5, A2: true, A3: "=1+1", A4: "n 12.5 b true", A6: 12.5 });
  });

  it("repeats a row, and grows and shifts formulas", async () => {
    const filled = await fillWorkbook(
      oneSheet({
        A4: "Item",
        A5: "{{#items}}{{name}}",
        B5: "{{qty}}{{/items}}",
        C5: "=B5*$B$1",
        D5: "=SUM(B$5:B5)",
        E5: "=B5/SUM(B$5:B$5)",
        F5: "=N(F4)+1",
        B6: "=SUM(B5:B5)",
        C6: "=SUM(C5)",
        D6: "=B6*2",
        E6: "=B5",
      }),
      {
        items: [
          { name: "a", qty: 1 },
          { name: "b", qty: 2 },
          { name: "c", qty: 3 },
        ],
      },
    );
    expect(cellsOf(filled)).toMatchObject({
      A7: "c",
      B7: 3,
      C6: "=B6*$B$1",
      D7: "=SUM(B$5:B7)",
      E7: "=B7/SUM(B$5:B$7)",
      F5: "=N(F4)+1",
      F7: "=N(F6)+1",
      B8: "=SUM(B5:B7)",
      C8: "=SUM(C5:C7)",
      D8: "=B8*2",
      E8: "=B5",
    });
  });

  it("repeats several rows, lists in lists, and leaves out rows that only begin or end a list", async () => {
    const filled = await fillWorkbook(
      oneSheet({
        A1: "{{#g}}",
        A2: "{{t}}",
        A3: "{{#lines}}{{n}}{{/lines}}",
        A4: "{{#l2}}",
        A5: "{{.}}",
        A6: "{{/l2}}",
        A7: "{{/g}}",
        A8: "end",
      }),
      {
        g: [
          { t: "a", lines: [{ n: 1 }, { n: 2 }], l2: ["x", "y"] },
          { t: "b", lines: [], l2: ["z"] },
        ],
      },
    );
    expect(cellsOf(filled)).toEqual({ A1: "a", A2: "12", A3: "x", A4: "y", A5: "b", A7: "z", A8: "end" });
  });

  it("removes the rows of a condition that does not hold, and counts nothing for them", async () => {
    const input = oneSheet({
      A1: "{{#discount}}",
      A2: "Discount",
      B2: 5,
      A3: "{{/discount}}",
      A4: "{{^discount}}none{{/discount}}",
      A5: "Sum",
      B5: "=B1+B2+SUM(B2)+SUM(B1:B4)",
      C5: "=COLUMNS(B2:C2)",
    });
    const without = await fillWorkbook(input, { discount: false });
    expect(cellsOf(without)).toEqual({ A1: "none", A2: "Sum", B2: "=0+0+SUM(0)+SUM(B1:B1)", C2: "=COLUMNS(#REF!)" });
    const withIt = await fillWorkbook(input, { discount: true });
    expect(cellsOf(withIt)).toMatchObject({ A1: "Discount", A3: "Sum", B3: "=0+B1+SUM(B1)+SUM(B1:B2)" });
  });

  it("leaves one blank row for an empty list, so that what reads it stays whole", async () => {
    const filled = await fillWorkbook(
      oneSheet({ A1: "Item", A2: "${table:items.n}", B2: "=A2*2", C2: "EUR", A3: "=SUM(A2:A2)" }),
      { items: [] },
    );
    expect(cellsOf(filled)).toEqual({ A1: "Item", A3: "=SUM(A2:A2)" });
    expect(partText(filled, "xl/worksheets/sheet1.xml")).toContain('<c r="B2"/>');
  });

  it("repeats a row for the longest of the lists in it", async () => {
    const filled = await fillWorkbook(oneSheet({ A1: "${table:a.n}", B1: "${table:b.n}", A2: "end" }), {
      a: numbered(1),
      b: numbered(3),
    });
    expect(cellsOf(filled)).toEqual({ A1: 1, B1: 1, B2: 2, B3: 3, A4: "end" });
  });

  it("reads rows of one list on two sheets side by side", async () => {
    const bytes = await fillWorkbook(
      {
        sheets: [
          { name: "My Data", cells: { A2: "${table:items.n}" } },
          {
            name: "Copy",
            cells: {
              A5: "${table:items.n}",
              B5: "='My Data'!A2*2",
              C5: "=SUM('My Data'!$A$2:$A$2)",
              D5: "=SUM('My Data'!A1:A2)",
            },
          },
        ],
      },
      { items: numbered(2) },
    );
    expect(cellsOf(bytes, 2)).toMatchObject({
      B6: "='My Data'!A3*2",
      C6: "=SUM('My Data'!$A$2:$A$3)",
      D6: "=SUM('My Data'!A1:A3)",
    });
  });

  it("gives the cells of a shared formula their own", async () => {
    const shared = (text: string): { formula: string } => ({
      formula: `<f t="shared"${text === "" ? "" : ' ref="B1:B3"'} si="0">${text}</f><v>1</v>`,
    });
    const bytes = await fillWorkbook(
      oneSheet({ A1: 1, B1: shared("A1*$A$1"), A2: "${table:items.n}", B2: shared(""), A3: 3, B3: shared("") }),
      { items: numbered(2) },
    );
    expect(cellsOf(bytes)).toMatchObject({ B1: "=A1*$A$1", B2: "=A2*$A$1", B3: "=A3*$A$1", B4: "=A4*$A$1" });
    expect(partText(bytes, "xl/worksheets/sheet1.xml")).not.toContain("shared");
  });

  it("makes dates of ISO dates, in a format of the cell or one that reads as sent", async () => {
    const input = {
      ...oneSheet({
        A1: "{{d}}",
        A2: { value: "{{d}}", style: 1 },
        A3: { value: "{{d}}", style: 2 },
        A4: "{{t}}",
        A5: "on {{d}}",
        A6: { value: "{{n}}", style: 3 },
        A7: "{{n}}",
      }),
      formats: ["dd.mm.yyyy", "@", "0.00"],
    };
    const bytes = await fillWorkbook(input, { d: "2026-03-04", t: "2026-03-04T12:00:00Z", n: "12.50" });
    expect(cellsOf(bytes)).toEqual({
      A1: 46085,
      A2: 46085,
      A3: "2026-03-04",
      A4: 46085.5,
      A5: "on 2026-03-04",
      A6: 12.5,
      A7: "12.50",
    });
    expect(partText(bytes, "xl/worksheets/sheet1.xml")).toMatch(/<c r="A1" s="4">.*<c r="A2" s="1">.*<c r="A4" s="5">/);
    expect(partText(bytes, "xl/styles.xml")).toMatch(/numFmtId="174" formatCode="yyyy-mm-dd"/);
    const old = await fillWorkbook({ ...input, date1904: true }, { d: "2026-03-04", t: "1900-01-01", n: 1 });
    expect(cellsOf(old)).toMatchObject({ A2: 46085 - 1462, A4: "1900-01-01" });
  });

  it("keeps the look of the runs around and inside a tag, and strings that other cells share", async () => {
    const runs =
      '<r><t xml:space="preserve">Dear </t></r><r><rPr><b/></rPr><t>{{cust</t></r><r><rPr><i/></rPr><t>omer}} now</t></r>';
    const bytes = await fillWorkbook(
      oneSheet({ A1: { runs }, A2: "each", A3: { runs: "<t>{{customer}}</t>" }, A4: "each" }),
      { customer: "A & <B>" },
    );
    const xml = partText(bytes, "xl/worksheets/sheet1.xml");
    expect(xml).toContain('<rPr><b/></rPr><t xml:space="preserve">A &amp; &lt;B&gt;</t>');
    expect(xml).toContain('<rPr><i/></rPr><t xml:space="preserve"> now</t>');
    expect(partText(bytes, "xl/sharedStrings.xml")).toContain("each");
    expect(cellsOf(bytes)).toMatchObject({ A1: "Dear A & <B> now", A2: "each", A3: "A & <B>", A4: "each" });
  });

  it("writes no sign that XML cannot hold, and no text that reads as an escape", async () => {
    const bytes = await fillWorkbook(oneSheet({ A1: "{{t}}" }), { t: "a\u0000b\u001f\ud800c\r\nd _x0041_" });
    expect(partText(bytes, "xl/worksheets/sheet1.xml")).toMatch(/>ab.?c\nd _x005F_x0041_</u);
  });

  it("refuses more than Excel holds, in a sentence", async () => {
    await expect(fillWorkbook(oneSheet({ A1: "{{t}}" }), { t: "x".repeat(32_768) })).rejects.toThrow(
      /holds 32,767 characters.*field t/,
    );
    await expect(fillWorkbook(oneSheet({ A1: "${table:i.n}" }), { i: numbered(100_001) })).rejects.toThrow(
      /100,000 items/,
    );
    const tall = oneSheet({ A1: "${table:i.n}", A1048570: "end" });
    await expect(fillWorkbook(tall, { i: numbered(10) })).rejects.toThrow(
      /would have 1,048,579 rows, and Excel opens 1,048,576/,
    );
    await expect(fillWorkbook(oneSheet({ A1: "{{t}}" }), { t: [1] })).rejects.toThrow(
      /field t takes a text, a number or a boolean, not a list/,
    );
  });

  it("fills headers and footers of pages", async () => {
    const input = oneSheet({ A1: 1 }, { after: "<headerFooter><oddHeader>&amp;C{{title}}</oddHeader></headerFooter>" });
    expect(partText(await fillWorkbook(input, { title: "R&D" }), "xl/worksheets/sheet1.xml")).toContain(
      "<oddHeader>&amp;CR&amp;&amp;D</oddHeader>",
    );
  });

  it("takes the tags of single braces and of ${…} over rows too", async () => {
    for (const [open, close] of [
      ["{", "}"],
      ["${", "}"],
    ]) {
      const input = oneSheet({
        A1: `${open}#items${close}${open}n${close}`,
        B1: `${open}/items${close}`,
        A2: "=SUM(A1)",
      });
      expect(cellsOf(await fillWorkbook(input, { items: numbered(3) }))).toEqual({
        A1: 1,
        A2: 2,
        A3: 3,
        A4: "=SUM(A1:A3)",
      });
    }
  });

  it("applies formats, and takes what is not among an item's members from around it", async () => {
    const filled = await fillWorkbook(
      oneSheet({ A1: '{{#items}}{{n | number("de", 2)}}', B1: "{{currency}}", C1: '{{tags | join("; ")}}{{/items}}' }),
      { items: [{ n: 1234.5, tags: ["a", "b"] }], currency: "EUR" },
    );
    expect(cellsOf(filled)).toEqual({ A1: "1.234,50", B1: "EUR", C1: "a; b" });
  });
});
