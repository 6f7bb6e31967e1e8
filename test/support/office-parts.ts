/** Office documents part by part, beyond test/support/office.ts: lists, notes, sheets, slides. */
import { strToU8, zipSync } from "fflate";

const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main";

export type Parts = Record<string, string | Uint8Array>;

/** Parts in an archive, deflated. */
export const packageOf = (parts: Parts): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  );

/** Relationships by id: type and target, with `!` before an external target. */
export const relationships = (all: Record<string, readonly [type: string, target: string]>): string =>
  `<Relationships xmlns="${PACKAGE}">${Object.entries(all)
    .map(([id, [type, target]]) => {
      const mode = target.startsWith("!") ? ' TargetMode="External"' : "";
      return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target.replace(/^!/, "")}"${mode}/>`;
    })
    .join("")}</Relationships>`;

const NAMESPACES =
  `xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:a="${DRAWING}" ` +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml"';

export interface WordOptions {
  body: string;
  styles?: string;
  numbering?: string;
  footnotes?: string;
  endnotes?: string;
  settings?: string;
  /** In addition to those of the parts above. */
  relationships?: Record<string, readonly [string, string]>;
  parts?: Parts;
}

/** A Word document with these parts. */
export function wordPackage({ body, parts = {}, relationships: more = {}, ...own }: WordOptions): Uint8Array {
  const all: Parts = {
    "[Content_Types].xml":
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": relationships({ rId1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    ...parts,
  };
  const links: Record<string, readonly [string, string]> = { ...more };
  for (const name of ["styles", "numbering", "footnotes", "endnotes", "settings"] as const) {
    const content = own[name];
    if (content === undefined) continue;
    all[`word/${name}.xml`] = `<w:${name} ${NAMESPACES}>${content}</w:${name}>`;
    links[name] = [name, `${name}.xml`];
  }
  all["word/_rels/document.xml.rels"] = relationships(links);
  return packageOf(all);
}

/** A header or footer part. */
export const edgePart = (kind: "hdr" | "ftr", content: string): string =>
  `<w:${kind} ${NAMESPACES}>${content}</w:${kind}>`;

/** A paragraph: properties, then text in one run, or given runs. */
export const p = (content: string, properties = ""): string =>
  `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${content.startsWith("<") ? content : r(content)}</w:p>`;

export const r = (text: string, properties = ""): string =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

export interface SheetOptions {
  name?: string;
  state?: string;
  /** The content of the worksheet. */
  content: string;
  relationships?: Record<string, readonly [string, string]>;
}

export interface WorkbookOptions {
  sheets: SheetOptions[];
  /** Shared texts, as `<si>` holds them. */
  strings?: string[];
  styles?: string;
  /** Attributes of `workbookPr`. */
  properties?: string;
  parts?: Parts;
}

/** A workbook with these sheets. */
export function workbook({ sheets, strings = [], styles, properties = "", parts = {} }: WorkbookOptions): Uint8Array {
  const all: Parts = {
    "[Content_Types].xml":
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "_rels/.rels": relationships({ rId1: ["officeDocument", "xl/workbook.xml"] }),
    "xl/sharedStrings.xml": `<sst xmlns="${SHEET}">${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet xmlns="${SHEET}">${styles ?? ""}</styleSheet>`,
    ...parts,
  };
  const links: Record<string, readonly [string, string]> = {
    strings: ["sharedStrings", "sharedStrings.xml"],
    styles: ["styles", "styles.xml"],
  };
  const list = sheets.map(({ name, state, content, relationships: own }, index) => {
    links[`s${index}`] = ["worksheet", `worksheets/sheet${index + 1}.xml`];
    all[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${SHEET}" xmlns:r="${OFFICE}">${content}</worksheet>`;
    if (own !== undefined) all[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = relationships(own);
    return `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="s${index}"/>`;
  });
  all["xl/workbook.xml"] =
    `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${list.join("")}</sheets></workbook>`;
  all["xl/_rels/workbook.xml.rels"] = relationships(links);
  return packageOf(all);
}

/** Rows of inline texts and numbers from A1; undefined leaves a cell out. */
export const sheetData = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  `<sheetData>${rows
    .map((cells, row) => {
      const made = cells.map((value, column) => {
        const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
        if (value === undefined) return "";
        return typeof value === "number"
          ? `<c ${at}><v>${value}</v></c>`
          : `<c ${at} t="inlineStr"><is><t>${value}</t></is></c>`;
      });
      return `<row r="${row + 1}">${made.join("")}</row>`;
    })
    .join("")}</sheetData>`;

export interface SlideOptions {
  /** The content of the shape tree. */
  shapes: string;
  attributes?: string;
  /** Text of the notes. */
  notes?: string;
  relationships?: Record<string, readonly [string, string]>;
}

const slidePart = (name: string, tree: string, attributes = ""): string =>
  `<p:${name} xmlns:p="${SLIDE}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}" ${attributes}><p:cSld><p:spTree>${tree}</p:spTree></p:cSld></p:${name}>`;

/**
 * A presentation of 10 by 7.5 inches. @param layout shapes of the slides' layout @param master shapes of their master
 */
export function presentation(
  slides: SlideOptions[],
  layout = "",
  master = "",
  masterStyles = "",
  parts: Parts = {},
): Uint8Array {
  const all: Parts = {
    "[Content_Types].xml":
      '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
    "_rels/.rels": relationships({ rId1: ["officeDocument", "ppt/presentation.xml"] }),
    "ppt/slideLayouts/layout.xml": slidePart("sldLayout", layout),
    "ppt/slideLayouts/_rels/layout.xml.rels": relationships({ m: ["slideMaster", "../slideMasters/master.xml"] }),
    "ppt/slideMasters/master.xml": slidePart("sldMaster", master).replace(
      "</p:sldMaster>",
      `<p:txStyles>${masterStyles}</p:txStyles></p:sldMaster>`,
    ),
    ...parts,
  };
  const links: Record<string, readonly [string, string]> = {};
  for (const [index, { shapes, attributes = "", notes, relationships: more = {} }] of slides.entries()) {
    links[`s${index}`] = ["slide", `slides/slide${index + 1}.xml`];
    all[`ppt/slides/slide${index + 1}.xml`] = slidePart("sld", shapes, attributes);
    const own: Record<string, readonly [string, string]> = {
      l: ["slideLayout", "../slideLayouts/layout.xml"],
      ...more,
    };
    if (notes !== undefined) {
      own.n = ["notesSlide", `../notesSlides/notes${index + 1}.xml`];
      all[`ppt/notesSlides/notes${index + 1}.xml`] = slidePart("notes", shape({ type: "body", text: notes }));
    }
    all[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relationships(own);
  }
  all["ppt/presentation.xml"] = `<p:presentation xmlns:p="${SLIDE}" xmlns:r="${OFFICE}"><p:sldIdLst>${slides
    .map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`)
    .join("")}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`;
  all["ppt/_rels/presentation.xml.rels"] = relationships(links);
  return packageOf(all);
}

const EMU_PER_INCH = 914_400;

/** A frame in inches. */
export const frame = (left: number, top: number, width: number, height: number): string =>
  `<a:xfrm><a:off x="${left * EMU_PER_INCH}" y="${top * EMU_PER_INCH}"/><a:ext cx="${width * EMU_PER_INCH}" cy="${height * EMU_PER_INCH}"/></a:xfrm>`;

/** A shape with paragraphs of its own, or with a text. @param at from `frame` */
export const shape = ({
  type,
  index,
  at = "",
  text,
  paragraphs,
  style = "",
}: {
  type?: string;
  index?: string;
  at?: string;
  text?: string;
  paragraphs?: string;
  style?: string;
}): string => {
  const holder =
    type === undefined && index === undefined
      ? ""
      : `<p:ph${type === undefined ? "" : ` type="${type}"`}${index === undefined ? "" : ` idx="${index}"`}/>`;
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${at}</p:spPr>` +
    `<p:txBody><a:bodyPr/><a:lstStyle>${style}</a:lstStyle>${paragraphs ?? `<a:p><a:r><a:t>${text ?? ""}</a:t></a:r></a:p>`}</p:txBody></p:sp>`
  );
};
