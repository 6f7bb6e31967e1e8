/** What a layout shows beside its pages: its text, and lists of paragraphs, tables, figures and sections over all pages. */
import type { Box, FigureBlock, Page, TableBlock, TextBlockKind } from "../../ports/layout.ts";
import { codeOf, type LayoutPart, polygon, spanOf, spansOf } from "./page-view.ts";
import { blockLines, lineText, pageWords } from "./page-words.ts";

/** The names by which layouts of other services tell what a paragraph is. */
const ROLES: Partial<Record<TextBlockKind, string>> = {
  heading: "sectionHeading",
  header: "pageHeader",
  footer: "pageFooter",
  note: "footnote",
};

const LISTS: readonly LayoutPart[] = ["paragraphs", "tables", "figures", "barcodes", "sections"];

type Spans = ReturnType<typeof spansOf>;

/** `p1/b0`: by its page and its place there in reading order, from 0. */
const idOf = (page: Page, index: number): string => `p${page.number}/b${index}`;
const regionsOf = (page: Page, box: Box) => [{ pageNumber: page.number, polygon: polygon(box) }];

const viewTable = (page: Page, table: TableBlock, id: string, spans: Spans) => ({
  id,
  rowCount: table.rows,
  columnCount: table.columns,
  spans: spanOf(blockLines(table), spans),
  boundingRegions: regionsOf(page, table.box),
  cells: table.cells.map((cell) => ({
    rowIndex: cell.row,
    columnIndex: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    kind: cell.row < table.headerRows ? "columnHeader" : "content",
    content: cell.lines.map(lineText).join("\n"),
    spans: spanOf(cell.lines, spans),
    boundingRegions: regionsOf(page, cell.box),
    elements: [],
  })),
});

const viewFigure = ({ caption }: FigureBlock, place: { id: string; boundingRegions: unknown[] }) => ({
  ...place,
  elements: [],
  ...(caption === undefined ? {} : { caption: { content: caption } }),
});

/** Collects the lists page by page, in the document's order. */
export class LayoutLists {
  readonly #parts: readonly LayoutPart[];
  readonly #paragraphs: unknown[] = [];
  readonly #tables: unknown[] = [];
  readonly #figures: unknown[] = [];
  readonly #barcodes: unknown[] = [];
  readonly #sections: { id: string; elements: string[] }[] = [];

  constructor(parts: readonly LayoutPart[]) {
    this.#parts = parts;
  }

  /** Whether any of them was asked for. */
  get wanted(): boolean {
    return this.#parts.some((part) => LISTS.some((list) => list === part));
  }

  /** @param offset where the page's text begins in the document's, in UTF-16 code units */
  add(page: Page, offset: number): void {
    const spans = spansOf(pageWords(page), offset);
    page.blocks.forEach((block, index) => {
      const id = idOf(page, index);
      this.#addToSection(id, block.kind);
      const boundingRegions = regionsOf(page, block.box);
      if (block.kind === "table") this.#tables.push(viewTable(page, block, id, spans));
      else if (block.kind === "figure") this.#figures.push(viewFigure(block, { id, boundingRegions }));
      else if (block.kind === "barcode") this.#barcodes.push({ id, boundingRegions, ...codeOf(block) });
      else {
        const role = ROLES[block.kind];
        const content = block.lines.map(lineText).join(" ");
        const shared = { id, content, spans: spanOf(block.lines, spans), boundingRegions };
        this.#paragraphs.push(role === undefined ? shared : { ...shared, role });
      }
    });
  }

  /** A heading begins a section; what repeats at the edges of pages belongs to none. */
  #addToSection(id: string, kind: string): void {
    if (kind === "header" || kind === "footer") return;
    const current = this.#sections.at(-1);
    if (current === undefined || kind === "heading") this.#sections.push({ id: `s/${id}`, elements: [id] });
    else current.elements.push(id);
  }

  /** Those that were asked for, by their names. */
  lists(): Record<string, unknown[]> {
    const all = {
      paragraphs: this.#paragraphs,
      tables: this.#tables,
      figures: this.#figures,
      barcodes: this.#barcodes,
      sections: this.#sections,
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => this.#parts.some((part) => part === name)));
  }
}

/** The text that spans count in: a page's words with single spaces. */
export const pageText = (page: Page): string =>
  pageWords(page)
    .map(({ text }) => text)
    .join(" ");
