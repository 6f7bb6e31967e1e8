/**
 * Pages for documents that have none (plain text, Word, sheets): a grid of 10 columns and 6 rows an inch on letter
 * pages, so that "right of", "below" and "page 2" mean something. Boxes in inches from the top left corner.
 */
import {
  type Block,
  LAYOUT_VERSION,
  type Layout,
  type Line,
  type Page,
  type TextBlock,
  type TextBlockKind,
} from "../../../ports/layout.ts";
import { unionBox } from "../geometry.ts";
import { MOST_CELLS, MOST_PAGES, MOST_WORDS, tooMuch } from "./layout-limits.ts";
import {
  COLUMNS_PER_INCH,
  ROWS_PER_INCH,
  type Run,
  round,
  Shared,
  splitRuns,
  type Token,
  toLines,
  wrap,
} from "./logical-rows.ts";
import { type GridCell, LaidTable, type RowPiece } from "./logical-tables.ts";

const PAGE_WIDTH = 8.5;
const PAGE_HEIGHT = 11;
export const ROWS_PER_PAGE = 66;

export interface LogicalPagesOptions {
  provider: string;
  /** Columns at which a row of text goes on in the next one. Longer words are cut; pages grow as wide as needed. */
  columns: number;
  /** Rows after which a page ends, form feeds aside. Default 66. */
  rowsPerPage?: number;
  /** 1-based pages to keep; absent: all. */
  pageRange?: readonly number[];
}

/** What a block of text is. */
export interface BlockLooks {
  kind: TextBlockKind;
  level?: number;
  /** Stands before the text. */
  marker?: string;
  /** Columns that it stands in from the left. */
  indent?: number;
}

export interface TableLooks {
  headerRows?: number;
  /** Rows that begin on a page of their own. */
  breakBefore?: ReadonlySet<number>;
  /** It goes on from the table before. */
  continued?: boolean;
}

const PARAGRAPH: BlockLooks = { kind: "paragraph" };

function textBlock({ kind, level, marker }: BlockLooks, lines: Line[]): TextBlock {
  const box = unionBox(lines.map((line) => line.box));
  return { kind, box, lines, ...(level === undefined ? {} : { level }), ...(marker === undefined ? {} : { marker }) };
}

/** Takes a document's text in reading order and lays it out. @throws JobFailure for more of it than can be kept */
export class LogicalPages {
  readonly #options: LogicalPagesOptions;
  readonly #rowsPerPage: number;
  readonly #wanted: ReadonlySet<number> | undefined;
  readonly #pages: Page[] = [];
  readonly #shared = new Shared();
  #number = 1;
  #row = 0;
  #words = 0;
  #cells = 0;
  #right = PAGE_WIDTH;
  #blocks: Block[] = [];
  #looks = PARAGRAPH;
  #lines: Line[] = [];

  constructor(options: LogicalPagesOptions) {
    this.#options = options;
    this.#rowsPerPage = options.rowsPerPage ?? ROWS_PER_PAGE;
    this.#wanted = options.pageRange === undefined ? undefined : new Set(options.pageRange);
  }

  /** One line of a paragraph, on as many rows as it needs. A blank one ends the paragraph. */
  line(runs: readonly Run[]): void {
    if (this.#placeLine(runs, 0)) return;
    this.endBlock();
    this.#row += 1;
  }

  /** A whole block of text: line feeds begin new rows, form feeds new pages. */
  block(runs: readonly Run[], looks = PARAGRAPH): void {
    this.endBlock();
    this.#looks = looks;
    const { marker, indent = 0 } = looks;
    const marked = marker === undefined ? runs : [{ text: `${marker} ` }, ...runs];
    for (const [index, stretch] of splitRuns(marked, "\f").entries()) {
      if (index > 0 && !this.atTop) this.breakPage();
      for (const line of splitRuns(stretch)) this.#placeLine(line, indent);
    }
    this.endBlock();
    this.#looks = PARAGRAPH;
  }

  /** Cells by columns that line up. A row goes to the next page whole, unless no page is as high. */
  table(rows: readonly (readonly GridCell[])[], looks: TableLooks = {}): void {
    this.endBlock();
    const table = new LaidTable(rows, this.#shared);
    let continued = looks.continued ?? false;
    let pieces: RowPiece[] = [];
    const endPage = (): void => {
      this.#pushTable(table, pieces, looks.headerRows ?? 0, continued);
      continued ||= pieces.length > 0;
      pieces = [];
    };
    for (const [row, height] of table.heights.entries()) {
      const fits = this.#row + height <= this.#rowsPerPage || height > this.#rowsPerPage;
      if ((!fits || looks.breakBefore?.has(row)) && !this.atTop) {
        endPage();
        this.breakPage();
      }
      for (let from = 0; from < height; ) {
        if (this.#row >= this.#rowsPerPage) {
          endPage();
          this.breakPage();
        }
        const piece = { row, from, top: this.#row, height: Math.min(height - from, this.#rowsPerPage - this.#row) };
        pieces.push(piece);
        from += piece.height;
        this.#row += piece.height;
      }
    }
    endPage();
  }

  /** A picture. @param size inches @param runs text that stands for it */
  figure(size: { width: number; height: number }, runs: readonly Run[]): void {
    this.endBlock();
    const columns = Math.min(Math.max(Math.round(size.width * COLUMNS_PER_INCH), 1), this.#options.columns);
    const text = splitRuns(runs).flatMap((line) => [...wrap(line, Math.max(columns, 1))]);
    const wished = Math.max(Math.round(size.height * ROWS_PER_INCH), text.length, 1);
    const height = Math.min(wished, this.#rowsPerPage);
    if (this.#row + height > this.#rowsPerPage && !this.atTop) this.breakPage();
    if (this.#isWanted) {
      const lines = text.slice(0, height).flatMap((tokens, at) => toLines(tokens, 0, this.#row + at, this.#shared));
      this.#count(lines.reduce((sum, line) => sum + line.words.length, 0));
      const top = round(this.#row / ROWS_PER_INCH);
      const bottom = round((this.#row + height) / ROWS_PER_INCH);
      this.#blocks.push({
        kind: "figure",
        box: { left: 0, top, right: round(columns / COLUMNS_PER_INCH), bottom },
        lines,
      });
    }
    this.#row += height;
  }

  endBlock(): void {
    if (this.#lines.length === 0) return;
    this.#blocks.push(textBlock(this.#looks, this.#lines));
    this.#lines = [];
    // What goes on elsewhere has its mark where it began.
    const { marker: _, ...looks } = this.#looks;
    this.#looks = looks;
  }

  /** What comes next stands on another page. */
  breakPage(): void {
    this.endBlock();
    if (this.#isWanted) {
      const height = Math.max(PAGE_HEIGHT, round(this.#row / ROWS_PER_INCH));
      const size = { width: round(this.#right), height, unit: "inch", rotation: 0 } as const;
      this.#pages.push({ number: this.#number, ...size, blocks: this.#blocks });
    }
    if (this.#number === MOST_PAGES) throw tooMuch("pages");
    this.#number += 1;
    this.#row = 0;
    this.#right = PAGE_WIDTH;
    this.#blocks = [];
  }

  /** Whether nothing stands on the current page yet. */
  get atTop(): boolean {
    return this.#row === 0;
  }

  /** Number of the current page, and how many blocks stand on it. */
  get place(): { page: number; blocks: number } {
    return { page: this.#number, blocks: this.#blocks.length };
  }

  /** The layout; the pages take nothing more. */
  finish(): Layout {
    if (!this.atTop || this.#number === 1) this.breakPage();
    const { provider } = this.#options;
    return { v: LAYOUT_VERSION, provider, logicalPages: true, pageCount: this.#number - 1, pages: this.#pages };
  }

  get #isWanted(): boolean {
    return this.#wanted === undefined || this.#wanted.has(this.#number);
  }

  #count(words: number): void {
    this.#words += words;
    if (this.#words > MOST_WORDS) throw tooMuch("words");
  }

  #pushTable(table: LaidTable, pieces: readonly RowPiece[], headerRows: number, continued: boolean): void {
    const made = table.block(pieces, headerRows);
    if (made === undefined || !this.#isWanted) return;
    this.#count(made.words);
    this.#cells += made.block.cells.length;
    if (this.#cells > MOST_CELLS) throw tooMuch("cells");
    this.#blocks.push(continued ? { ...made.block, continued } : made.block);
    this.#right = Math.max(this.#right, made.block.box.right);
  }

  /** @returns whether the line had any word */
  #placeLine(runs: readonly Run[], indent: number): boolean {
    let placed = false;
    for (const tokens of wrap(runs, this.#options.columns - indent)) {
      this.#placeRow(tokens, indent);
      placed = true;
    }
    return placed;
  }

  #placeRow(tokens: readonly Token[], offset: number): void {
    if (this.#row >= this.#rowsPerPage) this.breakPage();
    if (this.#isWanted) {
      this.#count(tokens.length);
      for (const line of toLines(tokens, offset, this.#row, this.#shared)) {
        this.#lines.push(line);
        this.#right = Math.max(this.#right, line.box.right);
      }
    }
    this.#row += 1;
  }
}
