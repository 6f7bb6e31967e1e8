/** Document-wide parts of a layout: its text, and lists of paragraphs, tables, figures and sections. */
import type { Box, FigureBlock, Page, TableBlock, TextBlockKind } from "../../ports/layout.ts";
import { barcodeMembers, type LayoutPart, polygon, spanOf, spansOf } from "./page-view.ts";
import { blockLines, lineText, pageWords } from "./page-words.ts";

/** Paragraph role names that layouts of other services use. */
const PARAGRAPH_ROLES: Partial<Record<TextBlockKind, string>> = {
  heading: "sectionHeading",
  header: "pageHeader",
  footer: "pageFooter",
  note: "footnote",
};

const LIST_PARTS: readonly LayoutPart[] = ["paragraphs", "tables", "figures", "barcodes", "sections"];

type WordSpans = ReturnType<typeof spansOf>;

/** Block id `p1/b0`: the page number and the block's index on the page in reading order, from 0. */
const blockId = (page: Page, index: number): string => `p${page.number}/b${index}`;
const boundingRegionsOf = (page: Page, box: Box) => [{ pageNumber: page.number, polygon: polygon(box) }];

const viewTable = (page: Page, table: TableBlock, id: string, spans: WordSpans) => ({
  id,
  rowCount: table.rows,
  columnCount: table.columns,
  spans: spanOf(blockLines(table), spans),
  boundingRegions: boundingRegionsOf(page, table.box),
  cells: table.cells.map((cell) => ({
    rowIndex: cell.row,
    columnIndex: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    kind: cell.row < table.headerRows ? "columnHeader" : "content",
    content: cell.text ?? cell.lines.map(lineText).join("\n"),
    spans: spanOf(cell.lines, spans),
    boundingRegions: boundingRegionsOf(page, cell.box),
    elements: [],
  })),
});

const viewFigure = ({ caption }: FigureBlock, place: { id: string; boundingRegions: unknown[] }) => ({
  ...place,
  elements: [],
  ...(caption === undefined ? {} : { caption: { content: caption } }),
});

/** Collects the lists page by page, in document order. */
export class LayoutLists {
  readonly #parts: readonly LayoutPart[];
  readonly #paragraphs: unknown[] = [];
  readonly #tables: unknown[] = [];
  readonly #figures: unknown[] = [];
  readonly #barcodes: unknown[] = [];
  readonly #sections: { id: string; elements: string[] }[] = [];

  readonly #continued: string[] = [];
  #isInSection: boolean;

  /** @param continues the pages before have begun a section */
  constructor(parts: readonly LayoutPart[], continues = false) {
    this.#parts = parts;
    this.#isInSection = continues;
  }

  /** Elements of the section that the pages before have begun. */
  get continued(): readonly string[] {
    return this.#continued;
  }

  /** True when any list was requested. */
  get hasRequestedLists(): boolean {
    return this.#parts.some((part) => LIST_PARTS.some((list) => list === part));
  }

  /** @param offset start of the page's text in the document's text, in UTF-16 code units */
  add(page: Page, offset: number): void {
    const spans = spansOf(pageWords(page), offset);
    page.blocks.forEach((block, index) => {
      const id = blockId(page, index);
      this.#addToSection(id, block.kind);
      const boundingRegions = boundingRegionsOf(page, block.box);
      if (block.kind === "table") this.#tables.push(viewTable(page, block, id, spans));
      else if (block.kind === "figure") this.#figures.push(viewFigure(block, { id, boundingRegions }));
      else if (block.kind === "barcode") this.#barcodes.push({ id, boundingRegions, ...barcodeMembers(block) });
      else {
        const role = PARAGRAPH_ROLES[block.kind];
        const content = block.lines.map(lineText).join(" ");
        const paragraph = { id, content, spans: spanOf(block.lines, spans), boundingRegions };
        this.#paragraphs.push(role === undefined ? paragraph : { ...paragraph, role });
      }
    });
  }

  /** Adds a block to the current section. A heading begins a section; page headers and footers belong to none. */
  #addToSection(id: string, kind: string): void {
    if (kind === "header" || kind === "footer") return;
    if (kind === "heading" || !this.#isInSection) this.#sections.push({ id: `s/${id}`, elements: [id] });
    else (this.#sections.at(-1)?.elements ?? this.#continued).push(id);
    this.#isInSection = true;
  }

  /** The requested lists by name. */
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

/** The text that spans count in: the words of a page with single spaces. */
export const pageText = (page: Page): string =>
  pageWords(page)
    .map(({ text }) => text)
    .join(" ");
