import { describe, expect, it } from "vitest";
import { describeExcel, fillExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import type { FillRequest, TemplateField } from "../../../../../functions/engine/templates/template.ts";
import { UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import type { JsonObject } from "../../../../../functions/ports/json.ts";
import { cellsOf, type SheetInput, type WorkbookInput, workbookOf } from "../../../../support/excel-workbook.ts";

const request = (fields: JsonObject, more: Partial<FillRequest> = {}): FillRequest => ({
  fields,
  images: new Map(),
  flatten: false,
  missingIsError: false,
  ignoreUnknown: false,
  ...more,
});

const one = (cells: SheetInput["cells"], more: Partial<SheetInput> = {}): WorkbookInput => ({
  sheets: [{ name: "Offer", cells, ...more }],
});

const fill = async (input: WorkbookInput, fields: JsonObject): Promise<Uint8Array> =>
  (await fillExcel(workbookOf(input), request(fields))).bytes;

const outline = (fields: readonly TemplateField[]): unknown[] =>
  fields.map(({ name, type, valueType, fields: inner }) =>
    type === "loop" ? [name, ...outline(inner)] : `${name}:${type}${valueType === null ? "" : `/${valueType}`}`,
  );

describe("describeExcel", () => {
  it("lists scalars, loops with inner fields, and types by the cell's format", async () => {
    const bytes = workbookOf({
      ...one({
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
    const bytes = workbookOf(one({ A1: "${table:a.x}", B1: "${table:b.y}", C1: "${title}" }));
    expect(outline((await describeExcel(bytes)).fields)).toEqual([["a", "x:text"], ["b", "y:text"], "title:text"]);
  });

  it("names tag and cell of each fault", async () => {
    const bytes = workbookOf(
      one({ A1: "{{#items}}", B3: "{{name", C4: "{{/others}}", D5: "{{x | magic}}", E6: '="{{y}}"' }),
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
    const bytes = workbookOf(one({ A1: "{name}", A2: "{1, 2; 3}", A3: "a {b c? d} e" }));
    expect(outline((await describeExcel(bytes)).fields)).toEqual(["name:text"]);
    const filled = await fillExcel(bytes, request({ name: "Ann" }));
    expect(cellsOf(filled.bytes)).toMatchObject({ A1: "Ann", A2: "{1, 2; 3}", A3: "a {b c? d} e" });
  });
});

describe("fillExcel", () => {
  it("keeps the type of a value that is alone in its cell, and never makes a formula of a text", async () => {
    const filled = await fill(
      one({ A1: "{{n}}", A2: "{{b}}", A3: "{{t}}", A4: "n {{n}} b {{b}}", A5: "{{none}}", A6: " {{n}} " }),
      {
        n: 12.5,
        b: true,
        t: "=1+1",
      },
    );
    expect(cellsOf(filled)).toEqual({ A1: 12.5, A2: true, A3: "=1+1", A4: "n 12.5 b true", A6: 12.5 });
  });

  it("repeats a row, and grows and shifts formulas", async () => {
    const filled = await fill(
      one({
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
});
