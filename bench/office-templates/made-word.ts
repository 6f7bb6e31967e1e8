/** Word templates made by code. */
import { strToU8, zipSync } from "fflate";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

export const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl><w:tblPr/><w:tblGrid/>${rows
    .map((cells) => `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("")}</w:tr>`)
    .join("")}</w:tbl>`;

/** A document with this body. */
export const madeWord = (body: string): Uint8Array =>
  zipSync({
    "[Content_Types].xml": strToU8(
      `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${DOCUMENT}"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/document.xml": strToU8(`<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`),
  });
