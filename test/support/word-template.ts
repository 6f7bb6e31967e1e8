/** Word templates made by code, and what is in a filled one. */
import { unzipSync } from "fflate";
import type { FilledTemplate, FillRequest, TemplateField } from "../../functions/engine/templates/template.ts";
import { describeWord, fillWord } from "../../functions/engine/templates/word/word-template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { type Parts, packageOf, relationships } from "./office-parts.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export const WORD_NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");

const TYPES: Readonly<Record<string, string>> = {
  document: "document.main",
  header: "header",
  footer: "footer",
  footnotes: "footnotes",
  endnotes: "endnotes",
  styles: "styles",
  settings: "settings",
  numbering: "numbering",
};

const overrideOf = (name: string): string => {
  const type = TYPES[/^word\/([a-z]+)\d*\.xml$/u.exec(name)?.[1] ?? ""];
  const own = `application/vnd.openxmlformats-officedocument.wordprocessingml.${type}+xml`;
  return type === undefined ? "" : `<Override PartName="/${name}" ContentType="${own}"/>`;
};

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export interface WordTemplate {
  body: string;
  header?: string;
  footer?: string;
  footnotes?: string;
  endnotes?: string;
  styles?: string;
  settings?: string;
  numbering?: string;
  /** Of the body, besides those of the parts above. */
  relationships?: Record<string, readonly [string, string]>;
  parts?: Parts;
}

const ROOTS = { header: "hdr", footer: "ftr" } as const;

/** A Word file with these parts. */
export function wordTemplate({ body, relationships: more = {}, parts = {}, ...own }: WordTemplate): Uint8Array {
  const links: Record<string, readonly [string, string]> = { ...more };
  const made: Parts = {};
  for (const [name, content] of Object.entries(own)) {
    const root = name in ROOTS ? ROOTS[name as keyof typeof ROOTS] : name;
    made[`word/${name}1.xml`] = `${HEAD}<w:${root} ${WORD_NAMESPACES}>${content}</w:${root}>`;
    links[name] = [name, `${name}1.xml`];
  }
  const edges = (["header", "footer"] as const)
    .filter((name) => own[name] !== undefined)
    .map((name) => `<w:${name}Reference w:type="default" r:id="${name}"/>`);
  const end = `<w:sectPr>${edges.join("")}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`;
  const all: Parts = {
    "word/document.xml": `${HEAD}<w:document ${WORD_NAMESPACES}><w:body>${body}${end}</w:body></w:document>`,
    ...made,
    ...parts,
  };
  return packageOf({
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${Object.keys(all).map(overrideOf).join("")}</Types>`,
    "_rels/.rels": relationships({ rId1: ["officeDocument", "word/document.xml"] }),
    "word/_rels/document.xml.rels": relationships(links),
    ...all,
  });
}

/** A paragraph: text in one run, or given runs. */
export const p = (content: string, properties = ""): string =>
  `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${content.startsWith("<") ? content : t(content)}</w:p>`;

export const t = (text: string, look = ""): string =>
  text === "" ? "" : `<w:r>${look === "" ? "" : `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

export const cell = (content: string, properties = ""): string =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${properties}</w:tcPr>${content.startsWith("<") ? content : p(content)}</w:tc>`;

export const row = (...cells: string[]): string =>
  `<w:tr>${cells.map((one) => (one.startsWith("<w:tc>") ? one : cell(one))).join("")}</w:tr>`;

export const table = (columns: number, ...rows: string[]): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(columns)}</w:tblGrid>${rows.join("")}</w:tbl>`;

/** A content control: properties, then content. */
export const control = (properties: string, content: string): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

const REQUEST: Omit<FillRequest, "fields"> = {
  images: new Map(),
  flatten: false,
  missingIsError: false,
  ignoreUnknown: false,
};

export const fill = (
  template: WordTemplate | Uint8Array,
  fields: JsonObject,
  request: Partial<FillRequest> = {},
): Promise<FilledTemplate> =>
  fillWord(template instanceof Uint8Array ? template : wordTemplate(template), { ...REQUEST, ...request, fields });

export const describeTemplate = async (template: WordTemplate | Uint8Array): Promise<TemplateField[]> =>
  (await describeWord(template instanceof Uint8Array ? template : wordTemplate(template))).fields;

export const partOf = (bytes: Uint8Array, name = "word/document.xml"): string =>
  new TextDecoder().decode(unzipSync(bytes)[name]);

const plain = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The text of each paragraph of a part, a table's row on one line. */
export function linesOf(bytes: Uint8Array, name?: string): string[] {
  const lines: string[] = [];
  let text = "";
  let cells: string[] | undefined;
  for (const [sign, , content] of partOf(bytes, name).matchAll(
    /<(w:t)(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:br\/>|<w:tab\/>|<w:sym [^>]*>|<w:drawing>|<\/w:p>|<w:p\/>|<w:tr>|<\/w:tr>|<\/w:tc>/gu,
  )) {
    if (sign.startsWith("<w:t ") || sign.startsWith("<w:t>")) text += plain(content ?? "");
    else if (sign === "<w:br/>") text += "\n";
    else if (sign === "<w:tab/>") text += "\t";
    else if (sign === "<w:drawing>") text += "[picture]";
    else if (sign.startsWith("<w:sym")) text += "[sign]";
    else if (sign === "<w:tr>") cells = [];
    else if (sign === "</w:tr>") {
      lines.push((cells ?? []).join(" | "));
      cells = undefined;
    } else if (sign === "</w:tc>") {
      cells?.push(text.replace(/\n$/u, ""));
      text = "";
    } else if (cells !== undefined) text += "\n";
    else {
      lines.push(text);
      text = "";
    }
  }
  return lines;
}

/** The lines of a template that is filled. */
export const filledLines = async (template: WordTemplate | string, fields: JsonObject): Promise<string[]> =>
  linesOf((await fill(typeof template === "string" ? { body: template } : template, fields)).bytes);
