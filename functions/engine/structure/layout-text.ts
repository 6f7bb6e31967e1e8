/** Text of lines and blocks, with words that a line's end cut in two joined again. */
import type { Block, Line, TableBlock, TableCell, TextBlock, Word } from "../../ports/layout.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";
import { continuesRow } from "./block-rows.ts";

/** Separator of two lines of one row: wide enough to differ from a space; the text reader reads it back as a gap. */
const COLUMN_SPACE = "   ";

/** Hyphen-minus, soft hyphen, hyphen. */
const HYPHENS = "-\u00ad\u2010";
const HYPHEN = /[-\u00ad\u2010]$/;
const COMPOUND = /[\p{L}\p{N}][-\u2010]$/u;
/** `pre- and postwar`: the hyphen stands for what follows later. */
const CONJUNCTIONS = new RegExp(`^(?:${anyOf(wordsOf(({ grammar }) => grammar.conjunctions))})$`, "iu");

export const endsWithHyphen = (text: string): boolean => text.length > 1 && HYPHENS.includes(text.slice(-1));
export const isConjunction = (text: string): boolean => CONJUNCTIONS.test(text);

/** A word as it is read: both halves of a cut one together. */
export interface JoinedWord {
  text: string;
  /** Its successor: a word of its line, a line further to the right on the row, or a new row. */
  before: "word" | "column" | "row";
  /** The first of its words in the layout; style and link are that one's. */
  first: Word;
}

/** True if a compound was cut at its own hyphen (`well-` + `known`). */
const continuesCompound = (before: string, next: string): boolean =>
  COMPOUND.test(before) && /^[\p{L}\p{N}]/u.test(next) && !isConjunction(next);

/**
 * Words in reading order, those cut at a line's end joined: the line's end moves behind the joined word.
 * @param compounds true to join compounds that keep their hyphen too
 */
export function joinedWords(lines: readonly Line[], compounds: boolean): JoinedWord[] {
  const read: JoinedWord[] = [];
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    const next = lines[index + 1];
    const end = next !== undefined && continuesRow(line, next) ? "column" : "row";
    for (const [at, word] of line.words.entries()) {
      const before = at === line.words.length - 1 ? end : "word";
      const last = at === 0 ? read.at(-1) : undefined;
      if (last !== undefined && above?.hyphenated === true) {
        last.text = last.text.replace(HYPHEN, "") + word.text;
        last.before = "row";
      } else if (compounds && last?.before === "row" && continuesCompound(last.text, word.text)) {
        last.text += word.text;
      } else {
        read.push({ text: word.text, before, first: word });
      }
    }
  }
  return read;
}

function joinWords(words: readonly JoinedWord[], spaces: Record<JoinedWord["before"], string>): string {
  let text = "";
  let space = "";
  for (const word of words) {
    text += space + word.text;
    space = spaces[word.before];
  }
  return text;
}

/**
 * Text of lines that follow each other, such as a cell's: words with single spaces, lines with `joiner`. A word cut at
 * a line's end is whole and stands before the joiner.
 */
export const linesText = (lines: readonly Line[], joiner: string): string =>
  joinWords(joinedWords(lines, joiner === " "), { word: " ", column: joiner, row: joiner });

/** A table's cells by rows, each row from left to right. */
export function tableRows(table: TableBlock): TableCell[][] {
  const rows: TableCell[][] = Array.from({ length: table.rows }, () => []);
  for (const cell of table.cells) rows[cell.row]?.push(cell);
  return rows;
}

/** Symbol fonts have their bullets in the private use area. */
const PRIVATE_USE = /^[\ue000-\uf8ff]/;

const withReadableMark = ({ marker }: TextBlock, text: string): string =>
  marker !== undefined && PRIVATE_USE.test(text) ? text.replace(PRIVATE_USE, marker) : text;

/**
 * Text of a block: rows by line feeds, parts of a row (columns, cells) by three spaces, words cut at a line's end whole
 * on the row where they begin. A row of a table is one row of text.
 */
export function blockText(block: Block): string {
  if (block.kind === "table") {
    return tableRows(block)
      .map((cells) =>
        cells
          .map((cell) => cell.text?.replaceAll("\n", " ") ?? linesText(cell.lines, " "))
          .filter((text) => text !== ""),
      )
      .filter((cells) => cells.length > 0)
      .map((cells) => cells.join(COLUMN_SPACE))
      .join("\n");
  }
  const text = joinWords(joinedWords(block.lines, false), { word: " ", column: COLUMN_SPACE, row: "\n" });
  return block.kind === "list-item" ? withReadableMark(block, text) : text;
}
