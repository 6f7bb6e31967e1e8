/** Record sets: the rows that a document prints as one list, with their cells by column, whatever they were found by. */
import type { Box } from "../../../ports/layout.ts";
import type { Token } from "../view/tokens.ts";

export interface RecordCell {
  tokens: Token[];
  /** Its lines with single spaces; hyphenated words are joined. */
  text: string;
  lines: { tokens: Token[]; text: string }[];
  /** The number that its words mean, where they do not spell it: recognition lost a decimal mark. */
  value?: number;
  /** In a table of data: its text, every character of it. */
  verbatim?: string;
}

/** Text at its place. Inches. */
export interface Placed {
  page: number;
  box: Pick<Box, "top" | "bottom">;
}

/** One row of a list: a line of the page, or several that belong together. */
export interface PrintedRecord extends Placed {
  /** By column, from 0. */
  cells: Map<number, RecordCell>;
}

/** A record set's area on one page. Inches. */
export interface Area {
  page: number;
  top: number;
  bottom: number;
}

/**
 * The reason to take rows for one list: the reader found a table, a row of labels heads them, or nothing heads them and
 * their amounts add up to a printed total, are the products of printed quantities and prices, or are recognised ones
 * that make a part of a total, or have the signs of a till. Else the shape of lines tells: values or words in columns, keys in sequence, bullets,
 * separators, records of labelled lines (`cards`), or their position alone (`block`).
 */
export type RecordEvidence =
  | ("table" | "headings" | "printed total" | "products" | "part of a printed total" | "signs of a till")
  | ("lines" | "words" | "keys" | "items" | "pattern" | "cards" | "block");

/** Nothing but their amounts proves such rows. */
export const isProvenBySums = (evidence: RecordEvidence | undefined): boolean =>
  evidence === "printed total" || evidence === "products" || evidence === "part of a printed total";

/** Recognition may have lost other rows of such a list: no sum tells. */
export const mayLackRows = (evidence: RecordEvidence | undefined): boolean =>
  evidence === "part of a printed total" || evidence === "signs of a till";

/** Rows that stand together. @template Row records by column, or lines of the pages with their places */
export interface RecordSet<Row extends Placed = PrintedRecord> {
  evidence: RecordEvidence;
  /** One per page, in page order. */
  areas: Area[];
  /** Column headings, `""` for columns without one; of lines only those that are printed. */
  headings: string[];
  records: Row[];
  /** Meanings of the columns (concepts of the vocabulary) where no heading states them. */
  concepts?: readonly string[];
  /** A table of data: its rows and columns are the file's own. */
  verbatim?: true;
}

/** The areas of rows, page by page. */
export function areasOf(rows: readonly Placed[]): Area[] {
  const areas: Area[] = [];
  for (const { page, box } of rows) {
    const last = areas.at(-1);
    if (last?.page === page) last.bottom = Math.max(last.bottom, box.bottom);
    else areas.push({ page, top: box.top, bottom: box.bottom });
  }
  return areas;
}

const HYPHENATED = /\p{L}[-\u00ad]$/u;

/** A cell of lines of tokens. @param textOf gives a token's text */
export function cellOf(lines: readonly Token[][], textOf = (token: Token): string => token.text): RecordCell {
  const own = lines.map((tokens) => ({ tokens, text: tokens.map(textOf).join(" ") }));
  let text = "";
  for (const line of own) {
    const parted = HYPHENATED.test(text) && /^\p{Ll}/u.test(line.text);
    text = parted ? text.slice(0, -1) + line.text : text === "" ? line.text : `${text} ${line.text}`;
  }
  return { tokens: lines.flat(), text, lines: own };
}

/** The texts of a record's cells, from left to right. */
export const recordTexts = ({ cells }: PrintedRecord): string[] =>
  [...cells].sort((a, b) => a[0] - b[0]).map(([, { text }]) => text);
