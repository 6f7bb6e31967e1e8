/**
 * Record sets without headings: lines with amounts in one column, down to a total that adds them up to the cent, or whose
 * amounts are the products of printed counts and prices. Till receipts and plain bills print their items so.
 */

import type { Notation } from "../../values/numbers.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { Row, Token } from "../view/tokens.ts";
import { CountedLines } from "./counted-lines.ts";
import type { PrintedNumber } from "./counts-and-prices.ts";
import { MIN_PROVEN_WHOLE_AMOUNT, type PricedLine, withoutCode } from "./priced-lines.ts";
import { provenLists } from "./proven-lines.ts";
import { areasOf, cellOf, type PrintedRecord, type RecordCell, type RecordSet } from "./record-set.ts";

/** Lines that describe one amount; the gap above them, in heights, that ends them; and their common left edge. */
const MAX_DESCRIPTION_LINES = 4;
const MAX_LINE_GAP_HEIGHTS = 1;
const SAME_INDENT_EM = 1.5;
/** A line with the code of an article, and perhaps the sign of a tax. */
const CODE_LINE = /^\d{5,}(?: \S{1,3})?$/;
/** The lines above an amount that describe it, where its own line has no words. */
function wordsAbove(line: PricedLine, from: number, rows: readonly Row[]): Token[][] {
  const found: Token[][] = [];
  let below = line.row;
  let left: number | null = null;
  for (let index = line.row.index - 1; index >= from && found.length < MAX_DESCRIPTION_LINES; index -= 1) {
    const row = rows[index];
    if (row === undefined || row.page !== line.row.page) break;
    const height = Math.max(row.box.bottom - row.box.top, below.box.bottom - below.box.top);
    const tokens = row.segments.flatMap((segment) => segment.tokens);
    if (below.box.top - row.box.bottom > MAX_LINE_GAP_HEIGHTS * height) break;
    below = row;
    // The code of an article stands between its name and its amount.
    if (left === null && CODE_LINE.test(tokens.map(({ text }) => text).join(" "))) continue;
    left ??= row.box.left;
    if (Math.abs(row.box.left - left) > SAME_INDENT_EM * line.em) break;
    if (
      !tokens.some(({ text }) => /\p{L}{2}/u.test(text)) ||
      tokens.some(({ text }) => /^[-−–]\p{Sc}?\d+[.,]\d/u.test(text))
    )
      break;
    found.unshift(withoutCode(tokens));
  }
  return found;
}

/** A line as a record. @param from the first row that is free to describe it */
function recordOf(
  line: PricedLine,
  from: number,
  { place, leading, evidence }: LineShape,
  counted: CountedLines,
): PrintedRecord | null {
  const found = counted.countedOf(line);
  const own = line.words.filter((token) => !leading.taken.has(token));
  const beside = own.length > 0 && (place === "beside" || lettersIn(own) >= MIN_LETTERS_OF_NAME);
  const words = beside ? [own] : place === "beside" && line.hasOthers ? [] : wordsAbove(line, from, counted.view.rows);
  const cells = new Map<number, RecordCell>();
  if (words.length > 0) cells.set(0, cellOf(words));
  const { quantity = leading.isCount ? line.leading : null, price = null } = found?.counted ?? {};
  if (quantity !== null) cells.set(1, numberCell(quantity));
  if (price !== null) cells.set(2, numberCell(price));
  const { tokens, value, spelled } = line.amount;
  cells.set(3, spelled ? cellOf([tokens]) : numberCell({ tokens, value }));
  // A row that a sum needs is one, though recognition leaves no words of it.
  const isNeeded = evidence === "printed total" && line.amount.tokens.some(({ recognised }) => recognised);
  return words.length === 0 && !isNeeded ? null : { page: line.row.page, box: line.row.box, cells };
}

/** A cell whose words say more than its number: `1x`, `29,90/kg`. */
const numberCell = ({ tokens, value }: PrintedNumber): RecordCell => ({ ...cellOf([tokens]), value });

type WordsPlace = "beside" | "above";

/** Most amounts have their words there; where these stand above, words beside others are misread counts, or units. */
function wordsPlaceOf(lines: readonly PricedLine[]): WordsPlace {
  const named = new Set(lines.map(({ words }) => words.map(({ text }) => text).join(" ")));
  const apart = lines.filter(({ row }, at) => row.index - (lines[at - 1]?.row.index ?? row.index - 2) > 1).length;
  const areUnits = named.size * 2 < lines.length && apart === lines.length;
  return areUnits || lines.filter(({ words }) => words.length > 0).length * 2 < lines.length ? "above" : "beside";
}

/** Letters beside an amount that name an item where the others' names stand above: `1 gab EUR` names none. */
const MIN_LETTERS_OF_NAME = 8;

const lettersIn = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);

interface LeadingNumbers {
  taken: ReadonlySet<Token>;
  isCount: boolean;
}

/** The common shape of the lines of one list. */
interface LineShape {
  evidence: RecordSet["evidence"];
  place: WordsPlace;
  leading: LeadingNumbers;
}

/** Share of a list's lines with a number before their words, from which it is a count or a position. */
const MIN_LEADING_SHARE = 0.5;

/** Numbers before the words of most lines: positions where they run from 1, otherwise counts. */
function leadingNumbersOf(lines: readonly PricedLine[], isCounted: (line: PricedLine) => boolean): LeadingNumbers {
  const found = lines.filter((line) => line.leading !== null || isCounted(line));
  const numbers = lines.flatMap(({ leading }) => leading ?? []);
  if (numbers.length === 0 || found.length < MIN_LEADING_SHARE * lines.length)
    return { taken: new Set(), isCount: false };
  const isRunning = numbers.length > 1 && numbers.every(({ value }, at) => value === at + 1);
  return { taken: new Set(numbers.flatMap(({ tokens }) => tokens)), isCount: !isRunning };
}

const CONCEPTS = ["item-description", "quantity", "unit-price", "line-amount"] as const;

const cached = new WeakMap<DocumentView, Map<Notation, RecordSet[]>>();

/** The record sets of lines with amounts that sums or products prove; found once for a view. */
export function summedRecords(view: DocumentView, notation: Notation): readonly RecordSet[] {
  const known = cached.get(view) ?? new Map<Notation, RecordSet[]>();
  cached.set(view, known);
  const sets = known.get(notation) ?? findSummedRecords(view, notation);
  known.set(notation, sets);
  return sets;
}

function findSummedRecords(view: DocumentView, notation: Notation): RecordSet[] {
  const usual = recordsAmong(new CountedLines(view, notation));
  if (usual.length > 0) return usual;
  const whole = recordsAmong(new CountedLines(view, notation, MIN_PROVEN_WHOLE_AMOUNT));
  return whole.filter(({ evidence }) => evidence === "printed total");
}

function recordsAmong(counted: CountedLines): RecordSet[] {
  const sets = provenLists(counted).flatMap(({ lines, evidence }): RecordSet[] => {
    const shape: LineShape = {
      evidence,
      place: wordsPlaceOf(lines),
      leading: leadingNumbersOf(lines, (line) => counted.countedOf(line) !== null),
    };
    const records = lines.flatMap(
      (line, at) => recordOf(line, (lines[at - 1]?.row.index ?? -1) + 1, shape, counted) ?? [],
    );
    // Nothing parts the first amount's words from the text above the list: they are as many lines as others have.
    const most = records.slice(1).reduce((longest, { cells }) => Math.max(longest, cells.get(0)?.lines.length ?? 0), 0);
    const named = records[0]?.cells.get(0);
    if (most > 0 && named !== undefined)
      records[0]?.cells.set(0, cellOf(named.lines.slice(-most).map(({ tokens }) => tokens)));
    const [headings, areas] = [CONCEPTS.map(() => ""), areasOf(lines.map(({ row }) => row))];
    return records.length === 0 ? [] : [{ evidence, areas, headings, records, concepts: CONCEPTS }];
  });
  // Amounts alone, beside a list with names, are those of taxes or payments.
  const named = sets.filter(({ records }) => records.some(({ cells }) => cells.has(0)));
  return named.length > 0 ? named : sets;
}
