import { describe, expect, it } from "vitest";
import { describeExcel, fillExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import { openTemplatePackage } from "../../../../../functions/engine/templates/office/template-package.ts";
import { UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { cellsOf, partText, workbookOf } from "../../../../support/excel-workbook.ts";
import { fillRequest, fillWorkbook } from "../../../../support/fill-excel.ts";
import {
  PIVOT_CACHE,
  PIVOT_RECORDS,
  PIVOT_TABLE,
  type PivotInput,
  pivotWorkbook,
} from "../../../../support/pivot-workbook.ts";

const SALES = {
  sales: [
    { region: "North", amount: 10 },
    { region: "South", amount: 20 },
    { region: "North", amount: 30 },
  ],
};
const fillPivot = (input: PivotInput = {}, fields = {}): Promise<Uint8Array> =>
  fillWorkbook(pivotWorkbook(input), { ...SALES, ...fields });

describe("fillExcel with pivot tables", () => {
  it("grows the source with its rows, and has readers refresh it without the records of the template", async () => {
    const filled = await fillPivot();
    const cache = partText(filled, PIVOT_CACHE);
    expect(cache).toContain('<worksheetSource ref="A1:B4" sheet="Data"/>');
    expect(cache).toMatch(/<pivotCacheDefinition [^>]* saveData="0" refreshOnLoad="1" missingItemsLimit="0">/);
    expect(cache).not.toMatch(/r:id|recordCount/);
    expect(cache).toContain('<sharedItems count="1"><s v="{{#sales}}{{region}}"/></sharedItems>');
    const office = openTemplatePackage(filled);
    expect(office.names.filter((name) => /Records|Definition1\.xml\.rels/.test(name))).toEqual([]);
    expect(partText(filled, "[Content_Types].xml")).not.toContain(PIVOT_RECORDS);
  });

  it("reads no tags in a pivot table, and empties its labels and sums of the template", async () => {
    const input = pivotWorkbook();
    const { fields } = await describeExcel(workbookOf(input));
    expect(fields.map(({ name }) => name)).toEqual(["sales"]);
    const report = cellsOf(await fillWorkbook(input, SALES), 2);
    expect(report).toEqual({ A1: "Report", A3: "Row Labels", B3: "Sum of Amount", A5: "Grand Total" });
  });

  it("drops results of formulas that read a pivot table", async () => {
    const input = pivotWorkbook();
    input.sheets.push({ name: "Reads", cells: { A1: "=Report!B5" } }, { name: "Apart", cells: { A1: "=1+1" } });
    const filled = await fillWorkbook(input, SALES);
    expect(partText(filled, "xl/worksheets/sheet3.xml")).not.toContain("<v>");
    expect(partText(filled, "xl/worksheets/sheet4.xml")).toContain("<v>");
  });

  it.each([
    ["a defined name", 'name="Rows"', { names: '<definedName name="Rows">Data!$A$1:$B$2</definedName>' }],
    [
      "a name of unknown cells",
      'name="Rows"',
      { names: '<definedName name="Rows">OFFSET(Data!$A$1,0,0,2,2)</definedName>' },
    ],
  ])("refreshes a pivot table over %s", async (_, source, more) => {
    const filled = await fillPivot({ source, more });
    expect(partText(filled, PIVOT_CACHE)).toContain(`<worksheetSource ${source}/>`);
    expect(partText(filled, PIVOT_CACHE)).toContain('refreshOnLoad="1"');
    expect(partText(filled, "xl/workbook.xml")).toMatch(/Data!\$A\$1(?::\$B\$4|,0,0,2,2)/);
  });

  it("refreshes a pivot table over a table by its name", async () => {
    const input = pivotWorkbook({ source: 'name="Sales"' });
    const [data] = input.sheets;
    if (data !== undefined) data.links = { table: ["table", "../tables/table1.xml"] };
    Object.assign(input.parts ?? {}, {
      "xl/tables/table1.xml": '<table id="1" name="Sales" displayName="Sales" ref="A1:B2"/>',
    });
    const filled = await fillWorkbook(input, SALES);
    expect(partText(filled, "xl/tables/table1.xml")).toContain('ref="A1:B4"');
    expect(partText(filled, PIVOT_CACHE)).toContain('refreshOnLoad="1"');
  });

  it("keeps a pivot table of another file and of sheets without tags as it is", async () => {
    for (const source of ['ref="A1:B2" sheet="Data" r:id="rId2"', 'ref="A1:B2" sheet="Other"']) {
      const input = pivotWorkbook({ source });
      input.sheets.push({ name: "Other", cells: { A1: "Region" } });
      const filled = await fillWorkbook(input, SALES);
      expect(partText(filled, PIVOT_CACHE)).toBe(partText(workbookOf(input), PIVOT_CACHE));
      expect(partText(filled, PIVOT_RECORDS)).toContain('count="1"');
    }
  });

  it("moves a pivot table below its rows, and leaves room for a row below headings", async () => {
    const filled = await fillPivot({ onData: true, place: "A8:B10" });
    expect(partText(filled, PIVOT_TABLE)).toContain('<location ref="A10:B12"');
    const data = { A1: "Region", B1: "Amount", A2: "{{#on}}", A3: "1", A4: "{{/on}}" };
    const none = await fillWorkbook(pivotWorkbook({ data }), { on: false });
    expect(partText(none, PIVOT_CACHE)).toContain('ref="A1:B2"');
  });

  it("names fields and captions after filled headings", async () => {
    const data = { A1: "{{head}}", B1: "Amount", A2: "{{#sales}}{{region}}", B2: "{{amount}}", C2: "{{/sales}}" };
    const input = pivotWorkbook({ data });
    const parts = input.parts ?? {};
    parts[PIVOT_CACHE] = String(parts[PIVOT_CACHE]).replace('name="Region"', 'name="{{head}}"');
    parts[PIVOT_TABLE] = String(parts[PIVOT_TABLE]).replace("Sum of Amount", "Count of {{head}}");
    const filled = await fillWorkbook(input, { ...SALES, head: "Amount" });
    expect(partText(filled, PIVOT_CACHE)).toContain('<cacheField name="Amount2" numFmtId="0">');
    expect(partText(filled, PIVOT_TABLE)).toContain('<dataField name="Count of Amount2"');
  });

  it("keeps slicers and their lists, and moves the drawing of a slicer with its rows", async () => {
    const slicer = '<slicers xmlns="urn:s"><slicer name="Region" cache="Slicer_Region" caption="Region"/></slicers>';
    const lists =
      '<slicerCacheDefinition xmlns="urn:s" name="Slicer_Region" sourceName="Region"><pivotTables><pivotTable tabId="1" name="Sales"/></pivotTables><data><tabular pivotCacheId="1"><items count="1"><i x="0" s="1"/></items></tabular></data></slicerCacheDefinition>';
    const frame =
      '<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice Requires="sle15"><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Region"/></xdr:nvGraphicFramePr><sle:slicer xmlns:sle="urn:sle" name="Region"/></xdr:graphicFrame></mc:Choice><mc:Fallback/></mc:AlternateContent>';
    const drawing = `<xdr:wsDr xmlns:xdr="urn:xdr"><xdr:twoCellAnchor><xdr:from><xdr:row>4</xdr:row></xdr:from><xdr:to><xdr:row>9</xdr:row></xdr:to>${frame}</xdr:twoCellAnchor></xdr:wsDr>`;
    const input = pivotWorkbook({ onData: true, place: "A8:B10" });
    const list = '<extLst><ext uri="{A8765BA9-456A-4dab-B4F3-ACF838C121DE}"><slicerList r:id="slicer"/></ext></extLst>';
    for (const sheet of input.sheets) {
      if (sheet.name !== "Data") continue;
      sheet.after = `<drawing r:id="drawing"/>${list}`;
      sheet.links = {
        ...sheet.links,
        drawing: ["drawing", "../drawings/drawing1.xml"],
        slicer: ["slicer", "../slicers/slicer1.xml"],
      };
    }
    input.links = { ...input.links, slicers: ["slicerCache", "slicerCaches/slicerCache1.xml"] };
    Object.assign(input.parts ?? {}, {
      "xl/drawings/drawing1.xml": drawing,
      "xl/slicers/slicer1.xml": slicer,
      "xl/slicerCaches/slicerCache1.xml": lists,
    });
    const filled = await fillWorkbook(input, SALES);
    expect(partText(filled, "xl/slicers/slicer1.xml")).toBe(slicer);
    expect(partText(filled, "xl/slicerCaches/slicerCache1.xml")).toBe(lists);
    expect(partText(filled, "xl/worksheets/sheet1.xml")).toContain(`<drawing r:id="drawing"/>${list}`);
    expect(partText(filled, "xl/worksheets/_rels/sheet1.xml.rels")).toContain("../slicers/slicer1.xml");
    expect(partText(filled, "xl/drawings/drawing1.xml")).toBe(
      drawing.replace("<xdr:row>4<", "<xdr:row>6<").replace("<xdr:row>9<", "<xdr:row>11<"),
    );
  });

  it("grows the ranges of a consolidation", async () => {
    const input = pivotWorkbook();
    const parts = input.parts ?? {};
    parts[PIVOT_CACHE] = String(parts[PIVOT_CACHE]).replace(
      /<worksheetSource [^>]*>/,
      '<consolidation><rangeSets count="1"><rangeSet ref="A1:B2" sheet="Data"/></rangeSets></consolidation>',
    );
    expect(partText(await fillWorkbook(input, SALES), PIVOT_CACHE)).toContain('<rangeSet ref="A1:B4" sheet="Data"/>');
  });

  it.each([
    [
      "a pivot table in repeated rows",
      { onData: true, place: "E1:F3" },
      /pivot table in sheet Data, E1:F3 cannot follow/,
    ],
    [
      "a pivot table with its filters in repeated rows",
      { onData: true, place: "E4:F6", location: ' rowPageCount="1" colPageCount="1"' },
      /pivot table in sheet Data, E2:F6 cannot follow/,
    ],
    [
      "a pivot table with its headings repeated",
      { source: 'ref="A2:B3" sheet="Data"' },
      /over the rows in sheet Data, A2:B3 cannot/,
    ],
  ])("refuses %s", async (_, input, sentence) => {
    const bytes = workbookOf(pivotWorkbook(input));
    await expect(describeExcel(bytes)).rejects.toThrow(sentence);
    await expect(fillExcel(bytes, fillRequest(SALES))).rejects.toBeInstanceOf(UnprocessableEntity);
  });
});
