/** Minimal Office documents, zipped by hand: only the parts that a reader needs. */
import { strToU8, zipSync } from "fflate";

type Parts = Record<string, string>;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const MAIN_TYPES = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
};

export const zipOf = (parts: Parts): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

const contentTypes = (overrides: Record<string, string>): string =>
  `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>${Object.entries(overrides)
    .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
    .join("")}</Types>`;

const mainRelationship = (target: string): string =>
  `${DECLARATION}<Relationships xmlns="${RELATIONSHIPS}">` +
  `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="${target}"/></Relationships>`;

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export const wordRun = (text: string, bold = false): string =>
  `<w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;

export const wordParagraph = (...runs: string[]): string =>
  `<w:p>${runs.map((run) => (run.startsWith("<w:") ? run : wordRun(run))).join("")}</w:p>`;

export const wordTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("")}</w:tr>`)
    .join("")}</w:tbl>`;

export const WORD_PAGE_BREAK = '<w:r><w:br w:type="page"/></w:r>';

/** The parts of a Word document with this body. */
export const wordParts = (...body: string[]): Parts => ({
  "[Content_Types].xml": contentTypes({ "word/document.xml": MAIN_TYPES.docx }),
  "_rels/.rels": mainRelationship("word/document.xml"),
  "word/document.xml": `${DECLARATION}<w:document xmlns:w="${WORD}"><w:body>${body.join("")}</w:body></w:document>`,
});

export const docx = (...body: string[]): Uint8Array => zipOf(wordParts(...body));

/** A workbook of one sheet; numbers as numbers, everything else as text. */
export function xlsx(sheetName: string, rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const cell = (value: string | number, row: number, column: number): string => {
    const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
    return typeof value === "number"
      ? `<c r="${reference}"><v>${value}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`;
  };
  const data = rows
    .map((values, row) => `<row r="${row + 1}">${values.map((value, at) => cell(value, row, at)).join("")}</row>`)
    .join("");
  return zipOf({
    "[Content_Types].xml": contentTypes({
      "xl/workbook.xml": MAIN_TYPES.xlsx,
      "xl/worksheets/sheet1.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml",
    }),
    "_rels/.rels": mainRelationship("xl/workbook.xml"),
    "xl/workbook.xml":
      `${DECLARATION}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>` +
      `<sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      `${DECLARATION}<Relationships xmlns="${RELATIONSHIPS}">` +
      `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `${DECLARATION}<worksheet xmlns="${SHEET}"><sheetData>${data}</sheetData></worksheet>`,
  });
}
