/** A workbook with a long list: texts, numbers, dates and formulas of each row, totals, merged cells and formats. */
import { strToU8, zipSync } from "fflate";
import type { JsonObject } from "../../functions/ports/json.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const text = (reference: string, value: string, style = 0): string =>
  `<c r="${reference}" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`;
const formula = (reference: string, value: string): string => `<c r="${reference}"><f>${value}</f></c>`;

const DATA =
  `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${text("A1", "Report {{title}}")}</row><row r="4">${text("A4", "Item")}</row>` +
  `<row r="5">${text("A5", "{{#items}}{{name}}")}${text("B5", "{{qty}}")}${text("C5", "{{price}}", 1)}${formula("D5", "B5*C5")}${formula("E5", "SUM(D$5:D5)")}` +
  `${text("F5", "{{note}}")}${text("G5", "{{date}}", 2)}${formula("H5", "D5/SUM(D$5:D$5)")}${text("I5", "EUR")}${text("J5", "{{ok}}{{/items}}")}</row>` +
  `<row r="6">${formula("B6", "COUNT(B5)")}${formula("D6", "SUM(D5:D5)")}</row></sheetData><mergeCells count="1"><mergeCell ref="K5:L5"/></mergeCells>` +
  '<conditionalFormatting sqref="D5"><cfRule type="expression" priority="1"><formula>D5&gt;$D$6/100</formula></cfRule></conditionalFormatting></worksheet>';
const SUM = `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${formula("A1", "SUM(Data!D5:D5)")}</row></sheetData></worksheet>`;
const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>` +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="2"/><xf numFmtId="14"/></cellXfs></styleSheet>';

const links = (all: Record<string, string>): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(all)
    .map(([target, type], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

const PARTS: Record<string, string> = {
  "[Content_Types].xml":
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  "_rels/.rels": links({ "xl/workbook.xml": "officeDocument" }),
  "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Sum" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": links({ "sheet1.xml": "worksheet", "sheet2.xml": "worksheet", "styles.xml": "styles" }),
  "xl/sheet1.xml": DATA,
  "xl/sheet2.xml": SUM,
  "xl/styles.xml": STYLES,
};

export const longListWorkbook = (): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, strToU8(part)])));

export const longList = (rows: number): JsonObject => ({
  title: "of the year",
  items: Array.from({ length: rows }, (_, index) => ({
    name: `Item ${index}`,
    qty: index % 17,
    price: index / 7,
    note: `A note about item ${index}, with <signs> & more`,
    date: new Date(Date.UTC(2026, 0, 1 + (index % 365))).toISOString().slice(0, 10),
    ok: index % 2 === 0,
  })),
});
