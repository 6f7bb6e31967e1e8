/** Cuts a layout into passages. Pure. */
import type { Block, Box, Layout, Line, TableBlock, TextBlock } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import { blockText, linesText } from "../structure/layout-text.ts";
import { MAX_PASSAGE_CHARS, type Passage } from "./passage.ts";
import { headerText, type TablePiece, tablePieces } from "./table-passages.ts";

/** End of a sentence, where a long paragraph is cut. */
const SENTENCE_END = /[.!?:;。！？]["”»)]?$/u;

/** Level of a heading without one. */
const LOWEST_LEVEL = 6;

/** Text on its way into a passage. */
interface Piece {
  text: string;
  box: Box;
}

interface Heading extends Piece {
  level: number;
  page: number;
}

/** Cuts a line that is longer than a passage between its words. */
function cutLine(line: Line): Line[] {
  const parts: Line[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const word of line.words) {
    const part = parts.at(-1);
    if (part === undefined || length + word.text.length + 1 > MAX_PASSAGE_CHARS) {
      parts.push({ box: word.box, words: [word] });
      length = word.text.length;
    } else {
      part.words.push(word);
      part.box = unionBox([part.box, word.box]);
      length += word.text.length + 1;
    }
  }
  return parts;
}

const lengthOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { words }) => sum + words.reduce((all, { text }) => all + text.length + 1, 0), 0);

/** Cuts the lines of a paragraph that is longer than a passage, behind a sentence where one ends in the second half. */
function cutParagraph(lines: readonly Line[]): Piece[] {
  const pieces: Piece[] = [];
  let from: Line[] = [];
  const close = (count: number): void => {
    const taken = from.slice(0, count);
    pieces.push({ text: linesText(taken, "\n"), box: unionBox(taken.map(({ box }) => box)) });
    from = from.slice(count);
  };
  for (const line of lines.flatMap((one) => (lengthOf([one]) > MAX_PASSAGE_CHARS ? cutLine(one) : [one]))) {
    if (from.length > 0 && lengthOf([...from, line]) > MAX_PASSAGE_CHARS) {
      const ends = from.findLastIndex(({ words }) => SENTENCE_END.test(words.at(-1)?.text ?? ""));
      close(ends >= from.length / 2 ? ends + 1 : from.length);
    }
    from.push(line);
  }
  if (from.length > 0) close(from.length);
  return pieces;
}

const isRunning = ({ kind }: Block): boolean => kind === "header" || kind === "footer";

/** The pieces of a block without passages of its own. */
function piecesOf(block: Exclude<Block, TableBlock>): Piece[] {
  if (block.kind === "barcode") return [{ text: `${block.format}: ${block.value}`, box: block.box }];
  if (lengthOf(block.lines) > MAX_PASSAGE_CHARS) return cutParagraph(block.lines);
  const text = blockText(block);
  return text === "" ? [] : [{ text, box: block.box }];
}

/** Passages in the making: the open headings, and the text that is not a passage yet. */
class Cutter {
  readonly passages: Passage[] = [];
  readonly #path: Heading[] = [];
  /** Headings without text below them yet. */
  #bare: Heading[] = [];
  #open: Piece[] = [];
  #page = 0;
  /** Header of the last table, for one that continues it. */
  #header = "";

  page(number: number): void {
    this.#close();
    this.#page = number;
  }

  block(block: Block): void {
    if (isRunning(block)) return;
    if (block.kind === "heading") this.#heading(block);
    else if (block.kind === "table") this.#table(block);
    else for (const piece of piecesOf(block)) this.#text(piece);
  }

  end(): Passage[] {
    this.#close();
    this.#closeBare(0);
    return this.passages;
  }

  #heading(block: TextBlock): void {
    this.#close();
    const level = block.level ?? LOWEST_LEVEL;
    this.#closeBare(level);
    while ((this.#path.at(-1)?.level ?? 0) >= level) this.#path.pop();
    const heading = { text: linesText(block.lines, " "), box: block.box, level, page: this.#page };
    if (heading.text === "") return;
    this.#path.push(heading);
    this.#bare.push(heading);
  }

  /** Text below headings begins with those of its own page; the others are only in its path. */
  #takeBare(): Piece[] {
    const own = this.#bare.filter(({ page }) => page === this.#page);
    this.#bare = [];
    return own;
  }

  /** A heading that another of its level or above follows has no text: it is a passage of its own. */
  #closeBare(level: number): void {
    const over = this.#bare.filter((heading) => heading.level >= level);
    const last = over.at(-1);
    if (last === undefined) return;
    const pieces = over.filter(({ page }) => page === last.page);
    this.#bare = [];
    this.#push(pieces, last.page);
  }

  #text(piece: Piece): void {
    if (this.#open.length === 0) this.#open = this.#takeBare();
    const length = this.#open.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (this.#open.length > 0 && length + piece.text.length > MAX_PASSAGE_CHARS) this.#close();
    this.#open.push(piece);
  }

  #table(table: TableBlock): void {
    const pieces = tablePieces(table, table.continued === true ? this.#header : "");
    const header = headerText(table);
    if (table.continued !== true || header !== "") this.#header = header;
    if (pieces.length === 0) return;
    this.#close();
    const [first, ...rest] = pieces as [TablePiece, ...TablePiece[]];
    const before = this.#takeBare();
    const text = [...before.map((heading) => heading.text), first.text].join("\n");
    const bbox = unionBox([...before.map(({ box }) => box), first.bbox]);
    for (const piece of [{ ...first, text, bbox }, ...rest]) this.#add(piece, this.#page);
  }

  #close(): void {
    const pieces = this.#open;
    this.#open = [];
    if (pieces.length > 0) this.#push(pieces, this.#page);
  }

  #push(pieces: readonly Piece[], page: number): void {
    const text = pieces.map((piece) => piece.text).join("\n");
    this.#add({ text, bbox: unionBox(pieces.map(({ box }) => box)) }, page);
  }

  #add(piece: TablePiece, page: number): void {
    this.passages.push({ page, ...piece, headings: this.#path.map(({ text }) => text) });
  }
}

/**
 * The passages of a document, in reading order. None spans a heading or two pages; a heading begins the passage of the
 * text below it. A table is one passage, or parts of whole rows. Running headers and footers are left out.
 */
export function cutPassages({ pages }: Pick<Layout, "pages">): Passage[] {
  const cutter = new Cutter();
  for (const page of pages) {
    cutter.page(page.number);
    for (const block of page.blocks) cutter.block(block);
  }
  return cutter.end();
}
