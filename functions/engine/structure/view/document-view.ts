/**
 * Views a layout for extraction: tokens on visual rows, across blocks, cut into segments at wide gaps. Inches from the
 * top left corner of the upright page, which is the page as shown except for turned scans.
 */
import type { Layout, Page, Word } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { unionBox } from "../../layout/geometry.ts";
import { oncePer } from "../../values/lazily.ts";
import { type FieldPair, viewPairs } from "./field-pairs.ts";
import { cachedSpelling, type PlacedToken, placeWords, type Spell } from "./page-tokens.ts";
import { type TableView, viewTables } from "./table-view.ts";
import type { Row, Segment, Token } from "./tokens.ts";
import { type EntryView, viewEntries } from "./view-form-entries.ts";

export interface PageView {
  number: number;
  width: number;
  height: number;
  rows: Row[];
}

export interface DocumentView {
  pages: PageView[];
  /** All rows, page after page, top to bottom. */
  rows: Row[];
  segments: Segment[];
  /** Tables of the reader, page after page. */
  tables: TableView[];
  /** Pairs of labels and values of the reader, by the label, page after page. */
  pairs: ReadonlyMap<Segment, FieldPair>;
  /** Places of a form, page after page. */
  entries: EntryView[];
}

/** Gap that parts two segments, and gap between words that the reader put on different lines. */
const MAX_SEGMENT_GAP_EM = 0.95;
const MAX_LINE_GAP_EM = 0.6;

/** Gap of letters that are parts of one word broken by kerning; the narrowest spaces are twice as wide. */
const MAX_KERNING_GAP_EM = 0.07;

const BULLET = /^[|·•∙●▪■]$/u;
const MAX_BULLET_GAP_EM = 2.5;

/**
 * True if a word and a row are on one line. Recognised words' boxes hug their ink: they share a line where most of the
 * lower one lies beside the other.
 */
function sharesRow({ token, middle }: PlacedToken, row: { middle: number; height: number }): boolean {
  const height = token.box.bottom - token.box.top;
  const apart = middle - row.middle;
  if (!token.recognised) return apart <= 0.5 * Math.min(height, row.height);
  const low = Math.min(height, row.height);
  return (height + row.height) / 2 - apart >= 0.5 * low && apart <= 0.5 * Math.max(height, row.height);
}

const fromLeft = (a: PlacedToken, b: PlacedToken): number =>
  a.token.box.left - b.token.box.left || a.token.index - b.token.index;

/** Groups words whose middles lie within half a height of the row's own middle into rows. */
function groupRows(placed: PlacedToken[]): PlacedToken[][] {
  const sorted = [...placed].sort((a, b) => a.middle - b.middle || fromLeft(a, b));
  const rows: { words: PlacedToken[]; middle: number; height: number }[] = [];
  for (const one of sorted) {
    const { box } = one.token;
    const height = box.bottom - box.top;
    const row = rows.at(-1);
    if (row !== undefined && sharesRow(one, row)) {
      const count = row.words.length;
      row.words.push(one);
      row.middle = (row.middle * count + one.middle) / (count + 1);
      row.height = Math.max(row.height, height);
    } else {
      rows.push({ words: [one], middle: one.middle, height });
    }
  }
  // Parts of one word share a box: the sort must keep their order (index, then position).
  return rows.map(({ words }) => words.sort(fromLeft));
}

/** True if one word was broken between two tokens: letters stand apart by a hair, and neither is a number or a mark. */
function isBroken(before: Token | undefined, token: Token): boolean {
  if (before === undefined || before.recognised || before.index === token.index) return false;
  const gap = token.box.left - before.box.right;
  const letters = /\p{L}$/u.test(before.text) && /^\p{L}/u.test(token.text);
  return letters && Math.abs(gap) < MAX_KERNING_GAP_EM * Math.min(before.em, token.em);
}

/**
 * Makes a segment. Its arrays are copied to their length: a grown array holds room for many more, and most segments are
 * short.
 */
function makeSegment(tokens: readonly Token[], page: number, row: number): Segment {
  const parts: string[] = [];
  let length = 0;
  const starts = tokens.map((token, at) => {
    if (at > 0 && !isBroken(tokens[at - 1], token)) {
      parts.push(" ");
      length += 1;
    }
    const start = length;
    parts.push(token.text);
    length += token.text.length;
    return start;
  });
  const [first] = tokens;
  const box = first !== undefined && tokens.length === 1 ? first.box : unionBox(tokens.map((token) => token.box));
  return { page, row, tokens: tokens.slice(), text: parts.join(""), starts, box };
}

/** True if a gap parts a word from the one before it on its row. */
function isApart({ token: before, line }: PlacedToken, { token, line: own }: PlacedToken): boolean {
  // A colon set apart belongs to the label before it, however wide the gap.
  if (/^[:：]+$/.test(token.text)) return false;
  const gap = token.box.left - before.box.right;
  const em = Math.max(before.em, token.em);
  // Bullets between the parts of a line hold it together.
  if ((BULLET.test(token.text) || BULLET.test(before.text)) && gap < MAX_BULLET_GAP_EM * em) return false;
  return gap > MAX_SEGMENT_GAP_EM * em || (gap > MAX_LINE_GAP_EM * em && own !== line);
}

function cutSegments(words: readonly PlacedToken[], page: number, row: number): Segment[] {
  const tokens = words.map(({ token }) => token);
  const segments: Segment[] = [];
  let from = 0;
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before === undefined || !isApart(before, word)) continue;
    segments.push(makeSegment(tokens.slice(from, at), page, row));
    from = at;
  }
  segments.push(makeSegment(tokens.slice(from), page, row));
  return segments;
}

/** The view so far, page after page. */
interface ViewInProgress extends Omit<DocumentView, "pages"> {
  pairs: Map<Segment, FieldPair>;
}

/** Views a page with its tables and pairs; words are identified by their objects only while their page is viewed. */
function viewPage(shown: Page, spell: Spell, view: ViewInProgress): PageView {
  const tokensOf = new Map<Word, Token[]>();
  const upright = deskewPage(shown);
  const { number, width, height } = upright;
  const rows = groupRows(placeWords(upright, shown, spell, tokensOf)).map((words): Row => {
    const index = view.rows.length;
    const segments = cutSegments(words, number, index);
    const row = { page: number, index, box: unionBox(segments.map(({ box }) => box)), segments };
    view.rows.push(row);
    for (const segment of segments) view.segments.push(segment);
    return row;
  });
  view.tables.push(...viewTables(upright, tokensOf));
  const pairs = viewPairs({ shown, upright }, view.pairs.size, { tokensOf, rows, makeSegment });
  for (const pair of pairs) view.pairs.set(pair.label, pair);
  view.entries.push(...viewEntries({ shown, upright }, view.entries.length, tokensOf));
  return { number, width, height, rows };
}

/**
 * Views every page of a layout, which must not change: once, however many callers, because two views of a manual do not
 * fit into one process.
 */
export const viewDocument = oncePer((layout: Layout): DocumentView => viewPages(layout.pages));

function viewPages(pages: readonly Page[]): DocumentView {
  const spell = cachedSpelling();
  const view: ViewInProgress = { rows: [], segments: [], tables: [], pairs: new Map(), entries: [] };
  return { pages: pages.map((page) => viewPage(page, spell, view)), ...view };
}
