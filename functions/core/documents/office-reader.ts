/** Word, Excel and PowerPoint files as text on logical pages. The parser sees only parts that were checked before. */
import { zipSync } from "fflate";
import type { OfficeContentNode, OfficeParserAST, SupportedFileType } from "officeparser";
import { JOB_SENTENCES, JobFailure } from "../errors.ts";
import type { Layout } from "./layout.ts";
import { LogicalPages, ROWS_PER_PAGE, type Run, splitRuns, type TableCell } from "./logical-pages.ts";
import { usualPartName } from "./office-package.ts";
import { isEncryptedOffice } from "./sniff.ts";
import { inflate, listZip } from "./zip.ts";

/** A real document may inflate two hundred times; past this sum it is no document. */
const MOST_INFLATED_BYTES = 200_000_000;
const LETTER_COLUMNS = 85;
/** A page of Word's own may hold smaller type than the grid does. */
const ROWS_PER_WORD_PAGE = 2 * ROWS_PER_PAGE;
const XML_PART = /\.(?:xml|rels)$/i;
const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i;

const corrupted = (cause?: unknown): JobFailure =>
  new JobFailure(JOB_SENTENCES.corrupted, cause === undefined ? {} : { cause });

const utf8 = new TextDecoder();
const utf16 = [new TextDecoder("utf-16le"), new TextDecoder("utf-16be")];

/** Entities could draw anything into a text, many times over; no office application writes them. In any encoding. */
function declaresEntities(part: Uint8Array): boolean {
  if (DOCTYPE.test(utf8.decode(part))) return true;
  return part.includes(0) && utf16.some((decoder) => DOCTYPE.test(decoder.decode(part)));
}

/**
 * The XML parts alone in an archive of our own: pictures, fonts and embedded files are not inflated, let alone parsed.
 * @throws JobFailure (corrupted) for an archive that is damaged, inflates too far or declares entities
 */
function repackage(bytes: Uint8Array): Uint8Array {
  const entries = listZip(bytes);
  if (entries === undefined) throw corrupted();
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > MOST_INFLATED_BYTES) throw corrupted();
  const parts = inflate(bytes, (name) => XML_PART.test(name));
  if (parts === undefined) throw corrupted();
  for (const part of parts.values()) if (declaresEntities(part)) throw corrupted();
  return zipSync(Object.fromEntries([...parts].map(([name, part]) => [usualPartName(name), part])), { level: 0 });
}

async function parse(bytes: Uint8Array, fileType: SupportedFileType): Promise<OfficeParserAST> {
  // Loaded at first use: it takes 100 ms, and most documents are PDFs.
  const { OfficeParser } = await import("officeparser");
  try {
    return await OfficeParser.parseOffice(Buffer.from(repackage(bytes)), {
      fileType,
      ignoreComments: true,
      ignoreSlideMasters: true,
      ignorePageGeometry: true,
      includeBreakNodes: true,
      decompressionLimits: { maxUncompressedBytes: MOST_INFLATED_BYTES },
    });
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupted(error);
  }
}

/** A node's metadata as far as it is used here; the parser's type is a union of all formats' own. */
interface NodeFacts {
  row?: number;
  col?: number;
  colSpan?: number;
  breakType?: string;
  sheetName?: string;
}

const factsOf = (node: OfficeContentNode): NodeFacts => (node.metadata ?? {}) as NodeFacts;

const isPageBreak = (node: OfficeContentNode): boolean =>
  node.type === "break" && (factsOf(node).breakType === "page" || factsOf(node).breakType === "lastRenderedPage");

const FORM_FEED = "\f";

/** The text of a paragraph or cell; paragraphs within it and typed breaks as line feeds, page breaks as form feeds. */
function runsOf(node: OfficeContentNode): Run[] {
  if (isPageBreak(node)) return [{ text: FORM_FEED }];
  if (node.type === "break") return [{ text: "\n" }];
  const children = node.children ?? [];
  if (children.length === 0) {
    const text = node.text ?? "";
    return text === "" ? [] : [node.formatting?.bold === true ? { text, bold: true } : { text }];
  }
  return children.flatMap((child, index) => {
    const begins = index > 0 && BLOCKS.has(child.type);
    return begins ? [{ text: "\n" }, ...runsOf(child)] : runsOf(child);
  });
}

const BLOCKS = new Set(["paragraph", "heading", "list", "table", "row", "code"]);
const PAGES = new Set(["slide", "sheet", "page"]);

const cellRuns = (node: OfficeContentNode): Run[] =>
  runsOf(node).map((run) => ({ ...run, text: run.text.replaceAll(FORM_FEED, "") }));

function cellsOf(row: OfficeContentNode): TableCell[] {
  return (row.children ?? []).map((cell, index) => {
    const { col, colSpan } = factsOf(cell);
    return { column: col ?? index, span: Math.max(colSpan ?? 1, 1), runs: cellRuns(cell) };
  });
}

function addTable(pages: LogicalPages, table: OfficeContentNode): void {
  const rows = (table.children ?? []).filter((node) => node.type === "row");
  if (rows.length > 0) pages.table(rows.map(cellsOf));
}

function addParagraph(pages: LogicalPages, node: OfficeContentNode): void {
  for (const line of splitRuns(runsOf(node))) {
    let rest: Run[] = [];
    for (const { text, ...looks } of line) {
      for (const [index, part] of text.split(FORM_FEED).entries()) {
        if (index > 0) {
          if (rest.length > 0) pages.line(rest);
          rest = [];
          if (!pages.atTop) pages.breakPage();
        }
        if (part !== "") rest.push({ text: part, ...looks });
      }
    }
    pages.line(rest);
  }
  pages.endBlock();
}

function addNodes(pages: LogicalPages, nodes: readonly OfficeContentNode[], notes: OfficeContentNode[]): void {
  for (const node of nodes) {
    if (node.type === "note") notes.push(node);
    else if (node.type === "table") addTable(pages, node);
    else if (PAGES.has(node.type)) addPage(pages, node);
    else if (isPageBreak(node) && !pages.atTop) pages.breakPage();
    else if (node.type !== "image" && node.type !== "drawing" && node.type !== "break") addParagraph(pages, node);
    notes.push(...(node.notes ?? []));
  }
}

/** A slide or sheet on a page of its own, its notes behind it. */
function addPage(pages: LogicalPages, node: OfficeContentNode): void {
  if (!pages.atTop) pages.breakPage();
  const { sheetName } = factsOf(node);
  const children = node.children ?? [];
  const notes: OfficeContentNode[] = [];
  if (node.type === "sheet" && sheetName !== undefined) pages.line([{ text: sheetName, bold: true }]);
  const rows = children.filter((child) => child.type === "row");
  if (rows.length > 0) pages.table(rows.map(cellsOf));
  addNodes(
    pages,
    children.filter((child) => child.type !== "row"),
    notes,
  );
  for (const note of notes) addParagraph(pages, note);
}

/** Running heads repeat on every page and differ little between sections: each text once. */
function addOnce(pages: LogicalPages, nodes: readonly OfficeContentNode[] | undefined): void {
  const seen = new Set<string>();
  for (const node of nodes ?? []) {
    const text = (node.text ?? "").trim();
    if (node.type !== "table" && (text === "" || seen.has(text))) continue;
    seen.add(text);
    addNodes(pages, [node], []);
  }
}

const hasWordPages = (nodes: readonly OfficeContentNode[]): boolean =>
  nodes.some(
    (node) =>
      (node.type === "break" && factsOf(node).breakType === "lastRenderedPage") || hasWordPages(node.children ?? []),
  );

/**
 * The text of an office document: paragraphs in order, table cells as lines on rows, heads first and footers and
 * footnotes last; a page for each sheet, slide, and page break that the file states.
 * @param provider the kind of document, and the name of what read it
 * @param pageRange 1-based logical pages; absent: all
 * @throws JobFailure: corrupted; password protected
 */
export async function readOfficeDocument(
  bytes: Uint8Array,
  provider: "docx" | "xlsx" | "pptx",
  pageRange?: readonly number[],
): Promise<Layout> {
  if (isEncryptedOffice(bytes)) throw new JobFailure(JOB_SENTENCES.password);
  const { content, auxiliary } = await parse(bytes, provider);
  const pages = new LogicalPages({
    provider,
    columns: LETTER_COLUMNS,
    ...(hasWordPages(content) ? { rowsPerPage: ROWS_PER_WORD_PAGE } : {}),
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const notes: OfficeContentNode[] = [];
  addOnce(pages, auxiliary?.headers);
  addNodes(pages, content, notes);
  for (const note of notes) addParagraph(pages, note);
  addOnce(pages, auxiliary?.footers);
  return pages.finish();
}
