/**
 * Pages for formats without pages (plain text, Word, sheets): a grid of 10 columns and 6 rows an inch on letter pages,
 * so that "right of", "below" and "page 2" have a meaning. Boxes are in inches from the top left corner.
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
import { limitFailure, MAX_CELLS, MAX_PAGES, MAX_WORDS } from "./layout-limits.ts";
import {
  COLUMNS_PER_INCH,
  GridCache,
  ROWS_PER_INCH,
  type RowToken,
  roundInches,
  splitRuns,
  type TextRun,
  toLines,
  wrapRuns,
} from "./logical-rows.ts";
import { type GridCell, GridTable, type RowPiece } from "./logical-tables.ts";

const PAGE_WIDTH_INCHES = 8.5;
const MIN_PAGE_HEIGHT_INCHES = 11;
export const ROWS_PER_PAGE = 66;

export interface LogicalPagesOptions {
  provider: string;
  /** Columns after which a row wraps. Longer words are cut; pages grow as wide as needed. */
  columns: number;
  /** Rows after which a page ends, besides form feeds. Default 66. */
  rowsPerPage?: number;
  /** 1-based pages to keep; absent: all. */
  pageRange?: readonly number[];
}

/** Kind and form of a text block. */
export interface TextBlockOptions {
  kind: TextBlockKind;
  level?: number;
  /** Text before the block's own: a bullet or number. */
  marker?: string;
  /** Columns of indentation. */
  indent?: number;
}

export interface TableOptions {
  headerRows?: number;
  /** Rows that begin a new page. */
  breakBefore?: ReadonlySet<number>;
  /** The table continues the previous one. */
  continued?: boolean;
  /** The cells are data: every character of them counts. */
  verbatim?: boolean;
}

const PARAGRAPH_OPTIONS: TextBlockOptions = { kind: "paragraph" };

function textBlock({ kind, level, marker }: TextBlockOptions, lines: Line[]): TextBlock {
  const box = unionBox(lines.map((line) => line.box));
  return { kind, box, lines, ...(level === undefined ? {} : { level }), ...(marker === undefined ? {} : { marker }) };
}

/** Lays out a document's text in reading order. @throws JobFailure for a document over the limits of a layout */
export class LogicalPages {
  readonly #options: LogicalPagesOptions;
  readonly #rowsPerPage: number;
  readonly #wanted: ReadonlySet<number> | undefined;
  readonly #pages: Page[] = [];
  readonly #cache = new GridCache();
  #number = 1;
  #row = 0;
  #words = 0;
  #cells = 0;
  #right = PAGE_WIDTH_INCHES;
  #blocks: Block[] = [];
  #blockOptions = PARAGRAPH_OPTIONS;
  #lines: Line[] = [];

  constructor(options: LogicalPagesOptions) {
    this.#options = options;
    this.#rowsPerPage = options.rowsPerPage ?? ROWS_PER_PAGE;
    this.#wanted = options.pageRange === undefined ? undefined : new Set(options.pageRange);
  }

  /** Adds one line of a paragraph, on as many rows as it needs. A blank line ends the paragraph. */
  line(runs: readonly TextRun[]): void {
    if (this.#placeLine(runs, 0)) return;
    this.endBlock();
    this.#row += 1;
  }

  /** Adds a whole text block: line feeds begin new rows, form feeds new pages. */
  block(runs: readonly TextRun[], options = PARAGRAPH_OPTIONS): void {
    this.endBlock();
    this.#blockOptions = options;
    const { marker, indent = 0 } = options;
    const marked = marker === undefined ? runs : [{ text: `${marker} ` }, ...runs];
    for (const [index, stretch] of splitRuns(marked, "\f").entries()) {
      if (index > 0 && !this.atTop) this.breakPage();
      for (const line of splitRuns(stretch)) this.#placeLine(line, indent);
    }
    this.endBlock();
    this.#blockOptions = PARAGRAPH_OPTIONS;
  }

  /** Adds a table with aligned columns. A row moves to the next page whole, unless no page is high enough. */
  table(rows: readonly (readonly GridCell[])[], options: TableOptions = {}): void {
    this.endBlock();
    const table = new GridTable(rows, this.#cache, options.verbatim);
    let continued = options.continued ?? false;
    let pieces: RowPiece[] = [];
    const endPage = (): void => {
      this.#pushTable(table, pieces, options.headerRows ?? 0, continued);
      continued ||= pieces.length > 0;
      pieces = [];
    };
    for (const [row, height] of table.heights.entries()) {
      const fits = this.#row + height <= this.#rowsPerPage || height > this.#rowsPerPage;
      if ((!fits || options.breakBefore?.has(row)) && !this.atTop) {
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

  /** Adds a picture. @param size inches @param runs the picture's alternative text */
  figure(size: { width: number; height: number }, runs: readonly TextRun[]): void {
    this.endBlock();
    const columns = Math.min(Math.max(Math.round(size.width * COLUMNS_PER_INCH), 1), this.#options.columns);
    const text = splitRuns(runs).flatMap((line) => [...wrapRuns(line, Math.max(columns, 1))]);
    const wished = Math.max(Math.round(size.height * ROWS_PER_INCH), text.length, 1);
    const height = Math.min(wished, this.#rowsPerPage);
    if (this.#row + height > this.#rowsPerPage && !this.atTop) this.breakPage();
    if (this.#isWanted) {
      const lines = text.slice(0, height).flatMap((tokens, at) => toLines(tokens, 0, this.#row + at, this.#cache));
      this.#count(lines.reduce((sum, line) => sum + line.words.length, 0));
      const top = roundInches(this.#row / ROWS_PER_INCH);
      const bottom = roundInches((this.#row + height) / ROWS_PER_INCH);
      this.#blocks.push({
        kind: "figure",
        box: { left: 0, top, right: roundInches(columns / COLUMNS_PER_INCH), bottom },
        lines,
      });
    }
    this.#row += height;
  }

  /** Ends the current text block. */
  endBlock(): void {
    if (this.#lines.length === 0) return;
    this.#blocks.push(textBlock(this.#blockOptions, this.#lines));
    this.#lines = [];
    // The rest of the block, on the next page, has no marker.
    const { marker: _, ...options } = this.#blockOptions;
    this.#blockOptions = options;
  }

  /** Ends the current page. */
  breakPage(): void {
    this.endBlock();
    if (this.#isWanted) {
      const height = Math.max(MIN_PAGE_HEIGHT_INCHES, roundInches(this.#row / ROWS_PER_INCH));
      const size = { width: roundInches(this.#right), height, unit: "inch", rotation: 0 } as const;
      this.#pages.push({ number: this.#number, ...size, blocks: this.#blocks });
    }
    if (this.#number === MAX_PAGES) throw limitFailure("pages");
    this.#number += 1;
    this.#row = 0;
    this.#right = PAGE_WIDTH_INCHES;
    this.#blocks = [];
  }

  /** True while the current page is empty. */
  get atTop(): boolean {
    return this.#row === 0;
  }

  /** Number of the current page and count of its blocks. */
  get position(): { page: number; blocks: number } {
    return { page: this.#number, blocks: this.#blocks.length };
  }

  /** Returns the layout. No content may follow. */
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
    if (this.#words > MAX_WORDS) throw limitFailure("words");
  }

  #pushTable(table: GridTable, pieces: readonly RowPiece[], headerRows: number, continued: boolean): void {
    const made = table.block(pieces, headerRows);
    if (made === undefined || !this.#isWanted) return;
    this.#count(made.words);
    this.#cells += made.block.cells.length;
    if (this.#cells > MAX_CELLS) throw limitFailure("cells");
    this.#blocks.push(continued ? { ...made.block, continued } : made.block);
    this.#right = Math.max(this.#right, made.block.box.right);
  }

  /** @returns true when the line had a word */
  #placeLine(runs: readonly TextRun[], indent: number): boolean {
    let placed = false;
    for (const tokens of wrapRuns(runs, this.#options.columns - indent)) {
      this.#placeRow(tokens, indent);
      placed = true;
    }
    return placed;
  }

  #placeRow(tokens: readonly RowToken[], offset: number): void {
    if (this.#row >= this.#rowsPerPage) this.breakPage();
    if (this.#isWanted) {
      this.#count(tokens.length);
      for (const line of toLines(tokens, offset, this.#row, this.#cache)) {
        this.#lines.push(line);
        this.#right = Math.max(this.#right, line.box.right);
      }
    }
    this.#row += 1;
  }
}
