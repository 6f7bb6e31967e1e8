import { describe, expect, it } from "vitest";
import { dataRange, listZip } from "../../../../../functions/engine/readers/zip-archive.ts";
import { describeExcel, fillExcel } from "../../../../../functions/engine/templates/excel/excel-template.ts";
import { BadRequest, UnprocessableEntity } from "../../../../../functions/ports/errors.ts";
import { cellsOf, partText, type WorkbookInput, workbookOf } from "../../../../support/excel-workbook.ts";
import { fillRequest, fillWorkbook, numbered, oneSheet } from "../../../../support/fill-excel.ts";
import { relationships } from "../../../../support/office-parts.ts";

const SHEET = "xl/worksheets/sheet1.xml";
const DRAWING = "application/vnd.openxmlformats-officedocument.drawing+xml";
const TABLE = "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml";
const CHART = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
const XDR = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"';

/** Row 2 repeats three times; row 4 is a total. */
const CELLS = { A1: "N", A2: "${table:items.n}", B2: "=A2*2", A4: "=SUM(A2:A2)" };
const ITEMS = { items: numbered(3) };

const sheetWith = async (after: string, before = "", cells: Record<string, string> = CELLS): Promise<string> =>
  partText(await fillWorkbook(oneSheet(cells, { after, before }), ITEMS), SHEET);

describe("fillExcel", () => {
  it("moves, grows and repeats merged cells", async () => {
    const xml = await sheetWith(
      '<mergeCells count="4"><mergeCell ref="C1:D1"/><mergeCell ref="C2:D2"/><mergeCell ref="E1:E4"/><mergeCell ref="C4:D5"/></mergeCells>',
    );
    expect(xml).toContain(
      '<mergeCells count="6"><mergeCell ref="C1:D1"/><mergeCell ref="C2:D2"/><mergeCell ref="C3:D3"/><mergeCell ref="C4:D4"/><mergeCell ref="E1:E6"/><mergeCell ref="C6:D7"/></mergeCells>',
    );
  });

  it("moves conditional formats and validation with their formulas", async () => {
    const xml = await sheetWith(
      '<conditionalFormatting sqref="A2 C4:D4"><cfRule type="expression" priority="1"><formula>$A2&gt;$A$4+$B$2</formula></cfRule></conditionalFormatting>' +
        '<dataValidations count="1"><dataValidation type="list" sqref="B2:B4"><formula1>$A$2:$A$2</formula1><formula2>A4</formula2></dataValidation></dataValidations>',
    );
    expect(xml).toContain('<conditionalFormatting sqref="A2:A4 C6:D6">');
    expect(xml).toContain("<formula>$A2&gt;$A$6+$B$2</formula>");
    expect(xml).toContain('sqref="B2:B6"><formula1>$A$2:$A$4</formula1><formula2>A6</formula2>');
  });

  it("moves links, breaks, panes, selections, filters and the dimension", async () => {
    const xml = await sheetWith(
      '<autoFilter ref="A1:B2"/><hyperlinks><hyperlink ref="A2" location="Offer!A4"/><hyperlink ref="A4" location="Offer!A2"/></hyperlinks>' +
        '<rowBreaks count="2" manualBreakCount="2"><brk id="2" max="16383" man="1"/><brk id="4" max="16383" man="1"/></rowBreaks><ignoredErrors><ignoredError sqref="B2" formula="1"/></ignoredErrors>',
      '<dimension ref="A1:B4"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" state="frozen"/><selection activeCell="A4" sqref="A4:B4"/></sheetView></sheetViews>',
    );
    expect(xml).toContain('<dimension ref="A1:B6"/>');
    expect(xml).toContain(
      '<pane ySplit="4" topLeftCell="A5" state="frozen"/><selection activeCell="A6" sqref="A6:B6"/>',
    );
    expect(xml).toContain('<autoFilter ref="A1:B4"/>');
    expect(xml).toContain('<hyperlink ref="A4" location="Offer!A6"/><hyperlink ref="A6" location="Offer!A2"/>');
    expect(xml).toContain(
      '<rowBreaks count="4" manualBreakCount="4"><brk id="2" max="16383" man="1"/><brk id="3" max="16383" man="1"/><brk id="4"',
    );
    expect(xml).toContain('<ignoredError sqref="B2:B4" formula="1"/>');
  });

  it("moves the lists of extensions, and repeats small charts", async () => {
    const xml = await sheetWith(
      '<extLst><ext xmlns:x14="x14" xmlns:xm="xm"><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="expression"><xm:f>A2&gt;Offer!$A$4</xm:f></x14:cfRule><xm:sqref>A2</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext>' +
        '<ext><x14:dataValidations count="1"><x14:dataValidation type="list"><x14:formula1><xm:f>Offer!$A$4</xm:f></x14:formula1><xm:sqref>C4</xm:sqref></x14:dataValidation></x14:dataValidations></ext>' +
        "<ext><x14:sparklines><x14:sparkline><xm:f>Offer!A2:B2</xm:f><xm:sqref>D2</xm:sqref></x14:sparkline></x14:sparklines></ext></extLst>",
    );
    expect(xml).toContain("<xm:f>A2&gt;Offer!$A$6</xm:f></x14:cfRule><xm:sqref>A2:A4</xm:sqref>");
    expect(xml).toContain("<xm:f>Offer!$A$6</xm:f></x14:formula1><xm:sqref>C6</xm:sqref>");
    expect(xml).toContain("<xm:f>Offer!A4:B4</xm:f><xm:sqref>D4</xm:sqref></x14:sparkline></x14:sparklines>");
  });

  it("keeps attributes of rows for every copy, and moves array formulas below", async () => {
    const cells = { ...CELLS, A5: { formula: '<f t="array" ref="A5:A6">A1:A2*1</f><v>1</v>' }, A6: { value: 9 } };
    const filled = await fillWorkbook(oneSheet(cells, { rows: { 2: 'ht="30" customHeight="1"' } }), ITEMS);
    const xml = partText(filled, SHEET);
    expect([...xml.matchAll(/<row r="(\d)" ht="30" customHeight="1">/g)].map(([, row]) => row)).toEqual([
      "2",
      "3",
      "4",
    ]);
    expect(xml).toContain('<c r="A7"><f t="array" ref="A7:A8">A1:A4*1</f></c>');
  });

  it("moves defined names, print areas and titles", async () => {
    const filled = await fillWorkbook(
      {
        ...oneSheet(CELLS),
        names:
          '<definedName name="_xlnm.Print_Area" localSheetId="0">Offer!$A$1:$B$4</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">Offer!$A:$B,Offer!$1:$2</definedName><definedName name="Items">Offer!$A$2</definedName><definedName name="Total">Offer!$A$4</definedName>',
      },
      ITEMS,
    );
    const names = [...partText(filled, "xl/workbook.xml").matchAll(/<definedName [^>]*>([^<]*)</g)].map(
      ([, text]) => text,
    );
    expect(names).toEqual(["Offer!$A$1:$B$6", "Offer!$A:$B,Offer!$1:$4", "Offer!$A$2:$A$4", "Offer!$A$6"]);
  });

  it("grows tables, and names their columns after their filled headings", async () => {
    const table =
      '<table id="1" name="T" displayName="T" ref="A1:B3" totalsRowCount="1"><autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="{{head}}" totalsRowFunction="sum"/><tableColumn id="2" name="B"><calculatedColumnFormula>A2*2+$A$3</calculatedColumnFormula></tableColumn></tableColumns></table>';
    const filled = await fillWorkbook(
      {
        ...oneSheet(
          {
            A1: "{{head}}",
            B1: "B",
            A2: "{{#items}}{{n}}",
            B2: "=A2*2",
            C2: "{{/items}}",
            A3: "=SUM(A2:A2)",
          },
          {
            links: { rId1: ["table", "../tables/table1.xml"] },
            after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
          },
        ),
        parts: { "xl/tables/table1.xml": table },
        types: { "xl/tables/table1.xml": TABLE },
      },
      { ...ITEMS, head: "Amount & <more>" },
    );
    const xml = partText(filled, "xl/tables/table1.xml");
    expect(xml).toContain('ref="A1:B5" totalsRowCount="1"><autoFilter ref="A1:B4"/>');
    expect(xml).toContain('name="Amount &amp; &lt;more&gt;" totalsRowFunction="sum"');
    expect(xml).toContain("<calculatedColumnFormula>A2*2+$A$5</calculatedColumnFormula>");
    expect(cellsOf(filled).A1).toBe("Amount & <more>");
  });

  const drawn: WorkbookInput = {
    ...oneSheet(CELLS, {
      links: {
        rId1: ["drawing", "../drawings/drawing1.xml"],
        rId2: ["comments", "../comments1.xml"],
        rId3: ["vmlDrawing", "../drawings/vmlDrawing1.vml"],
      },
      after: '<drawing r:id="rId1"/><legacyDrawing r:id="rId3"/>',
    }),
    parts: {
      "xl/drawings/drawing1.xml": `<xdr:wsDr ${XDR}><xdr:twoCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>3</xdr:row></xdr:from><xdr:to><xdr:col>6</xdr:col><xdr:row>8</xdr:row></xdr:to><xdr:graphicFrame/></xdr:twoCellAnchor><xdr:twoCellAnchor editAs="oneCell"><xdr:from><xdr:col>4</xdr:col><xdr:row>0</xdr:row></xdr:from><xdr:to><xdr:col>6</xdr:col><xdr:row>3</xdr:row></xdr:to></xdr:twoCellAnchor></xdr:wsDr>`,
      "xl/drawings/_rels/drawing1.xml.rels": relationships({ rId1: ["chart", "../charts/chart1.xml"] }),
      "xl/charts/chart1.xml":
        '<c:chartSpace xmlns:c="c"><c:ser><c:cat><c:strRef><c:f>Offer!$A$2</c:f><c:strCache><c:ptCount val="1"/></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Offer!$B$2:$B$2</c:f><c:numCache/></c:numRef></c:val></c:ser></c:chartSpace>',
      "xl/comments1.xml":
        '<comments><commentList><comment ref="A2" authorId="0"/><comment ref="A4" authorId="0"/></commentList></comments>',
      "xl/drawings/vmlDrawing1.vml":
        '<xml><v:shape><br><x:ClientData ObjectType="Note"><x:Anchor>1, 15, 3, 10, 3, 15, 7, 4</x:Anchor><x:Row>3</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>',
    },
    types: { "xl/drawings/drawing1.xml": DRAWING, "xl/charts/chart1.xml": CHART },
  };

  it("moves drawings and comments, and grows the ranges of charts without their old values", async () => {
    const filled = await fillWorkbook(drawn, ITEMS);
    const drawing = partText(filled, "xl/drawings/drawing1.xml");
    expect([...drawing.matchAll(/<xdr:row>(\d+)</g)].map(([, row]) => row)).toEqual(["5", "10", "0", "3"]);
    const chart = partText(filled, "xl/charts/chart1.xml");
    expect(chart).toContain("<c:strRef><c:f>Offer!$A$2:$A$4</c:f></c:strRef>");
    expect(chart).toContain("<c:numRef><c:f>Offer!$B$2:$B$4</c:f></c:numRef>");
    expect(partText(filled, "xl/comments1.xml")).toContain(
      '<comment ref="A2" authorId="0"/><comment ref="A6" authorId="0"/>',
    );
    expect(partText(filled, "xl/drawings/vmlDrawing1.vml")).toContain(
      "<x:Anchor>1, 15, 5, 10, 3, 15, 9, 4</x:Anchor><x:Row>5</x:Row>",
    );
  });

  it("takes the comments of removed rows out, with their shapes", async () => {
    const shape = (row: number): string =>
      `<v:shape id="s${row}"><x:ClientData ObjectType="Note"><x:Anchor>1, 15, ${row}, 10, 3, 15, 9, 4</x:Anchor><x:Row>${row}</x:Row></x:ClientData></v:shape>`;
    const filled = await fillWorkbook(
      {
        ...oneSheet(
          { A1: "{{#vip}}", A2: "thanks", A3: "{{/vip}}", A4: 1 },
          { links: { rId1: ["comments", "../comments1.xml"], rId2: ["vmlDrawing", "../v.vml"] } },
        ),
        parts: {
          "xl/comments1.xml": '<comments><commentList><comment ref="A2"/><comment ref="A4"/></commentList></comments>',
          "xl/v.vml": `<xml>${shape(1)}${shape(3)}</xml>`,
        },
      },
      { vip: false },
    );
    expect(partText(filled, "xl/comments1.xml")).toContain('<commentList><comment ref="A1"/></commentList>');
    expect(partText(filled, "xl/v.vml")).toMatch(
      /^<xml><v:shape id="s3">.*<x:Row>0<\/x:Row><\/x:ClientData><\/v:shape><\/xml>$/,
    );
  });

  const packed = (bytes: Uint8Array): Map<string, string> =>
    new Map(
      (listZip(bytes) ?? []).map((entry) => {
        const { start, end } = dataRange(bytes, entry);
        return [entry.name, Buffer.from(bytes.subarray(start, end)).toString("base64")];
      }),
    );

  it("keeps the bytes of parts that nothing changes, and drops results that may be wrong", async () => {
    const input: WorkbookInput = {
      sheets: [
        { name: "Offer", cells: { A1: "{{n}}", B1: "=A1*2" } },
        { name: "Reads", cells: { A1: "=Far!A1", B1: "=1+1" } },
        { name: "Far", cells: { A1: "=Offer!B1" } },
        { name: "Apart", cells: { A1: "=A2*2", A2: 4 } },
      ],
      parts: { "xl/calcChain.xml": "<calcChain/>", "xl/media/image1.png": new Uint8Array([1, 2, 3]) },
      links: { chain: ["calcChain", "calcChain.xml"] },
    };
    const before = workbookOf(input);
    const { bytes } = await fillExcel(before, fillRequest({ n: 1 }));
    const [old, now] = [packed(before), packed(bytes)];
    expect([...old.keys()].filter((name) => old.get(name) !== now.get(name))).toEqual([
      "xl/worksheets/sheet1.xml",
      "xl/worksheets/sheet2.xml",
      "xl/worksheets/sheet3.xml",
      "xl/workbook.xml",
      "xl/sharedStrings.xml",
    ]);
    expect(partText(bytes, "xl/worksheets/sheet2.xml")).not.toContain("<v>");
    expect(partText(bytes, "xl/workbook.xml")).toContain('<calcPr calcId="191029" fullCalcOnLoad="1"/>');
    expect((await fillExcel(before, fillRequest({ n: 1 }))).bytes).toEqual(bytes);
  });

  it("empties shared strings that no cell has any more, and keeps the others in their places", async () => {
    const input: WorkbookInput = {
      sheets: [
        { name: "Offer", cells: { A1: "{{n}}", B1: "{{#on}}secret{{/on}}", C1: "Total", D1: "both" } },
        {
          name: "Rows",
          cells: {
            A1: "{{#on}}",
            A2: "gone",
            B2: "both",
            A3: "{{/on}}",
            A4: "{{#items}}{{n}}",
            B4: "each",
            C4: "{{/items}}",
          },
        },
      ],
    };
    const filled = await fillWorkbook(input, { n: "x", on: false, ...ITEMS });
    const strings = partText(filled, "xl/sharedStrings.xml");
    const left = [...strings.matchAll(/<si><t[^>]*?(?:\/>|>([^<]*)<)/g)].map(([, text]) => text ?? "");
    expect(left).toEqual(["", "", "Total", "both", "", "", "", "", "each", ""]);
    expect(cellsOf(filled, 1)).toMatchObject({ A1: "x", C1: "Total", D1: "both" });
    expect(cellsOf(filled, 2)).toMatchObject({ A1: 1, B1: "each", A3: 3, B3: "each" });
    const plain = {
      ...oneSheet({ A1: "{{n}}", B1: { value: 1 } }),
      parts: { "xl/sharedStrings.xml": "<sst><si><t>{{n}}</t></si><si><t>never used</t></si></sst>" },
    };
    expect(partText(await fillWorkbook(plain, { n: 1 }), "xl/sharedStrings.xml")).toBe(
      "<sst><si><t/></si><si><t>never used</t></si></sst>",
    );
  });

  it("drops the order of calculation once rows move", async () => {
    const input = {
      ...oneSheet(CELLS),
      parts: { "xl/calcChain.xml": '<calcChain><c r="A4"/></calcChain>' },
      links: { chain: ["calcChain", "calcChain.xml"] as const },
    };
    const filled = packed(await fillWorkbook(input, ITEMS));
    expect(filled.has("xl/calcChain.xml")).toBe(false);
    expect(partText(await fillWorkbook(input, ITEMS), "xl/_rels/workbook.xml.rels")).not.toContain("calcChain");
  });

  it("fills cells with defined names, absent ones too", async () => {
    const names =
      '<definedName name="customer">Offer!$B$7</definedName><definedName name="due.on">Offer!$A$1</definedName><definedName name="area">Offer!$A$1:$B$2</definedName>';
    const input = {
      ...oneSheet({ A1: { style: 1 }, C7: 1 }, { before: '<cols><col min="2" max="2" style="1"/></cols>' }),
      names,
      formats: ["dd.mm.yyyy"],
    };
    const { fields } = await describeExcel(workbookOf(input));
    expect(fields.map(({ name, valueType }) => [name, valueType])).toEqual([
      ["customer", null],
      ["due.on", "date"],
    ]);
    const filled = await fillWorkbook(input, { customer: "+Ann", due: { on: "2026-03-04" } });
    expect(cellsOf(filled)).toEqual({ A1: 46085, B7: "+Ann", C7: 1 });
    expect(partText(filled, SHEET)).toContain('<c r="B7" s="1" t="inlineStr">');
  });

  it("takes names of cells with a value as fields only where there are no tags, and fills them when asked", async () => {
    const names = '<definedName name="rate">Offer!$A$1</definedName>';
    const plain = { ...oneSheet({ A1: 5 }), names };
    const tagged = { ...oneSheet({ A1: 5, A2: "{{x}}" }), names };
    expect((await describeExcel(workbookOf(plain))).fields.map(({ name }) => name)).toEqual(["rate"]);
    expect((await describeExcel(workbookOf(tagged))).fields.map(({ name }) => name)).toEqual(["x"]);
    expect(cellsOf(await fillWorkbook(tagged, { x: 1, rate: 7 }))).toEqual({ A1: 7, A2: 1 });
    await expect(fillWorkbook(tagged, { other: 7 })).rejects.toThrow(/does not have the field other/);
  });

  it("fills workbooks with prefixed elements and without references", async () => {
    const prefixed = workbookOf({
      ...oneSheet({}),
      parts: {
        [SHEET]:
          '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>${table:items.n}</x:t></x:is></x:c><x:c><x:f>A1+1</x:f><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      },
    });
    const { bytes } = await fillExcel(prefixed, fillRequest({ items: [{ n: "a" }, { n: 2 }] }));
    expect(partText(bytes, SHEET)).toContain(
      '<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t xml:space="preserve">a</x:t></x:is></x:c><x:c r="B1"><x:f>A1+1</x:f></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>2</x:v></x:c>',
    );
  });

  it("gives a workbook for a template of Excel", async () => {
    const mainType = "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml";
    const filled = await fillExcel(workbookOf({ ...oneSheet({ A1: "{{n}}" }), mainType }), fillRequest({ n: 1 }));
    expect(filled.contentType).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    expect(partText(filled.bytes, "[Content_Types].xml")).toContain("sheet.main+xml");
  });
});

describe("describeExcel", () => {
  it.each([
    [
      "an array formula over repeated rows",
      { ...CELLS, C1: { formula: '<f t="array" ref="C1:C3">A1:A3</f>' } },
      {},
      /formula over C1:C3 in sheet Offer, cell C1 cannot follow/,
    ],
    [
      "a reference over sheets",
      { ...CELLS, C4: "=SUM(Offer:Other!A2)" },
      {},
      /several sheets in sheet Offer, cell C4 cannot follow/,
    ],
    [
      "a table with its heading repeated",
      CELLS,
      { links: { r: ["table", "../tables/table1.xml"] as const } },
      /table T in sheet Offer cannot follow/,
    ],
  ])("refuses %s", async (_, cells, more, sentence) => {
    const input: WorkbookInput = {
      sheets: [
        { name: "Offer", cells, ...more },
        { name: "Other", cells: {} },
      ],
      parts: { "xl/tables/table1.xml": '<table displayName="T" ref="A2:B3"/>' },
    };
    await expect(describeExcel(workbookOf(input))).rejects.toThrow(sentence);
    await expect(fillExcel(workbookOf(input), fillRequest(ITEMS))).rejects.toBeInstanceOf(UnprocessableEntity);
  });
});

describe("pictures", () => {
  const PNG = Uint8Array.from(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
      "base64",
    ),
  );
  const images = new Map([["blob", PNG]]);

  it("are anchored at their cells in the measures that are asked for, in a new drawing or the sheet's own", async () => {
    const value = { _ref: "blob", width_mm: 20 };
    const filled = await fillWorkbook(
      oneSheet({ A1: "${table:items.n}", B1: "${image:logo}" }, { after: '<pageMargins/><tableParts count="0"/>' }),
      { items: [{ n: value }, { n: value }], logo: value },
      { images },
    );
    const drawing = partText(filled, "xl/drawings/drawing1.xml");
    expect(
      [...drawing.matchAll(/<xdr:col>(\d)<.*?<xdr:row>(\d)<.*?<xdr:ext cx="(\d+)" cy="(\d+)"/g)].map((found) =>
        found.slice(1),
      ),
    ).toEqual([
      ["0", "0", "720000", "360000"],
      ["1", "0", "720000", "360000"],
      ["0", "1", "720000", "360000"],
      ["1", "1", "720000", "360000"],
    ]);
    expect(partText(filled, SHEET)).toMatch(/<pageMargins\/><drawing xmlns:r="[^"]+" r:id="rId1"\/><tableParts/);
    expect(new Set([...drawing.matchAll(/cNvPr id="(\d+)"/g)].map(([, id]) => id)).size).toBe(4);
    expect(partText(filled, "xl/drawings/_rels/drawing1.xml.rels").match(/media\/picture1\.png/g)).toHaveLength(1);
  });

  it("are refused inside a text, and when they are not there", async () => {
    await expect(fillWorkbook(oneSheet({ A1: "a {{x}}" }), { x: { _ref: "blob" } }, { images })).rejects.toThrow(
      /inside a text/,
    );
    await expect(fillWorkbook(oneSheet({ A1: "{{x}}" }), { x: { _ref: "none" } })).rejects.toBeInstanceOf(BadRequest);
  });
});
