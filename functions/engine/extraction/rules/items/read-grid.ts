/** Reads items from a grid's rows: each property from its column's cell, with the words that it was read from. */

import type { Field, Shape } from "../../../schema/schema-shape.ts";
import {
  type PrintedRecord,
  type RecordCell,
  type RecordSet,
  recordTexts,
} from "../../../structure/records/record-set.ts";
import { isSumRow } from "../../../structure/records/sum-rows.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { foldText, trimValue } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { anyFolded } from "../../../values/vocabulary/word-patterns.ts";
import { type Finding, findingNode, nullNode, type ResultNode } from "../findings.ts";
import { fitsLengthAndPattern, type Reading } from "../value-reader.ts";
import { type GridFit, MAX_CODE_CHARS } from "./fit-grid.ts";
import { itemsAmong, type ReadRow } from "./item-test.ts";
import type { WantedProperty } from "./wanted-columns.ts";

const MAX_CELL_CHARS = 4000;
/** Confidence of a value that fits its column's heading and form. */
const CELL_CONFIDENCE = 0.84;

/** The tokens at text positions `start` to `end` of a cell; lines are separated by one character or none. */
function tokensOf(cell: RecordCell, start: number, end: number): Token[] {
  let at = 0;
  return cell.tokens.filter((token) => {
    const from = cell.text.indexOf(token.text, at);
    // Joined words have lost their hyphen.
    const bare = from < 0 ? token.text.replace(/[-\u00ad]$/u, "") : token.text;
    const place = from < 0 ? cell.text.indexOf(bare, at) : from;
    if (place < 0) return false;
    at = place + bare.length;
    return place < end && start < at;
  });
}

/** The first paragraph of a cell: up to a gap, or to a line that ends early. */
function firstParagraphOf(cell: RecordCell): RecordCell {
  const right = Math.max(...cell.lines.flatMap((line) => line.tokens.map((token) => token.box.right)));
  const upTo = cell.lines.findIndex((line, at) => {
    const next = cell.lines[at + 1]?.tokens[0];
    const last = line.tokens.at(-1);
    if (next === undefined || last === undefined) return true;
    const room = right - last.box.right;
    // A gap between lines ends the paragraph.
    if (next.box.top - last.box.bottom > 0.6 * last.em) return true;
    return room > next.box.right - next.box.left + 0.3 * last.em;
  });
  const lines = cell.lines.slice(0, upTo + 1);
  const text = lines.map((line) => line.text).join(" ");
  return { lines, text, tokens: lines.flatMap((line) => line.tokens) };
}

const NET_PRICE_LABEL = new RegExp(`^\\W*(?:${anyFolded(wordsOf(({ totals }) => totals.netPrices))})\\W`);

/** The net price in a cell that computes it line by line: `Brut: 65,00 / Rabais: 5,00 / Net: 60,00`. */
function netPriceLine(cell: RecordCell): RecordCell {
  const own = cell.lines.filter(({ text }) => NET_PRICE_LABEL.test(foldText(text)));
  const [line] = own;
  return own.length === 1 && line !== undefined ? { lines: own, ...line } : cell;
}

/** Characters of a quantity with its unit. */
const MAX_QUANTITY_CHARS = 24;

/** A short text in a column of codes, such as `1` or `A`, is a code; elsewhere codes need their form. */
const isShortCode = ({ meaning, field, reader }: WantedProperty, text: string): boolean =>
  meaning.value === "code" &&
  field.type === "string" &&
  text.length <= MAX_CODE_CHARS &&
  reader.read(text).length === 0;

/** Names of properties that name an item rather than describe it. */
const ITEM_NAME_PROPERTY = new RegExp(anyFolded(wordsOf(({ properties }) => properties.itemNames)));

/** Recognition parts marks from their words: `PIZZA MARGARI .`, `PFAND 0, 15`; and tills mark items with stars. */
const joinMarks = (text: string): string => text.replace(/ (?=[.,](?:\s|$))|(?<=\d[.,]) (?=\d)|^\*+\s?/g, "");

function readText(wanted: WantedProperty, cell: RecordCell): Reading[] {
  // A cell's punctuation is its own; marks between cells are not.
  const value = cell.text.replace(/\s+/g, " ").replace(/^[\s|•·]+|[\s|•·]+$/gu, "");
  if (trimValue(value) === "" || value.length > MAX_CELL_CHARS || !fitsLengthAndPattern(wanted.field, value)) return [];
  const start = cell.text.indexOf(value);
  const spoken = cell.tokens.some(({ recognised }) => recognised) ? joinMarks(value) : value;
  return start < 0 ? [] : [{ start, end: start + value.length, value: spoken, fit: 1 }];
}

/** A text of a table of data, as it is. */
function verbatimFinding(field: Field, { tokens }: RecordCell, value: string): Finding | null {
  const fits = value !== "" && value.length <= MAX_CELL_CHARS && fitsLengthAndPattern(field, value);
  return fits ? { value, tokens, confidence: CELL_CONFIDENCE } : null;
}

function readCell(wanted: WantedProperty, given: RecordCell): Finding | null {
  const { field, reader, meaning } = wanted;
  // A quantity as text is kept as printed, with its unit.
  const isQuantity = meaning.value === "quantity" && field.type === "string" && given.text.length <= MAX_QUANTITY_CHARS;
  const plain = (reader.kind === "text" && field.choices === null) || isQuantity || isShortCode(wanted, given.text);
  if (plain && given.verbatim !== undefined) return verbatimFinding(field, given, given.verbatim);
  const naming = plain && meaning.concept === "item-description" && ITEM_NAME_PROPERTY.test(field.name.toLowerCase());
  const priced = !plain && meaning.concept === "unit-price";
  const oneOf = (lines: RecordCell): RecordCell =>
    naming ? firstParagraphOf(lines) : priced ? netPriceLine(lines) : lines;
  if (!plain && given.value !== undefined && field.type !== "string")
    return { value: given.value, tokens: given.tokens, confidence: CELL_CONFIDENCE };
  const cell = given.lines.length > 1 ? oneOf(given) : given;
  const [reading] = plain ? readText(wanted, cell) : reader.read(cell.text);
  if (reading === undefined) return null;
  const tokens = tokensOf(cell, reading.start, reading.end);
  return tokens.length === 0 ? null : { value: reading.value, tokens, confidence: CELL_CONFIDENCE * reading.fit };
}

type ReadField = (field: Field) => Finding | null;

/** An item of a list as a tree: its constants, and the properties that are found. */
export function itemNode(shape: Shape, read: ReadField): ResultNode {
  if (shape.kind === "nothing") return nullNode();
  if (shape.kind === "list") return { kind: "list", items: [] };
  if (shape.kind === "object")
    return { kind: "object", members: shape.members.map(({ name, shape: member }) => [name, itemNode(member, read)]) };
  const { field } = shape;
  if (field.calculated) return nullNode("derived");
  if (field.constant !== null) return { kind: "plain", value: field.constant, reason: "constant" };
  return findingNode(read(field));
}

/** A unit behind its number: `20 Stk`, `14 Std.`, `3 hours`. */
const NUMBER_WITH_UNIT = /^[-+(]?[\d.,'’ ]*\d\)?\s*(?<unit>\p{L}[\p{L}.²³/]{0,12})(?:\(s\))?$/u;

function unitBehind(cell: RecordCell | undefined): Finding | null {
  const unit = cell === undefined ? undefined : NUMBER_WITH_UNIT.exec(cell.text)?.groups?.unit;
  if (cell === undefined || unit === undefined) return null;
  const start = cell.text.lastIndexOf(unit);
  return { value: unit, tokens: tokensOf(cell, start, start + unit.length), confidence: CELL_CONFIDENCE * 0.9 };
}

/** Debits are negative, whatever their sign; credits are kept as printed. */
function signedAmountIn(
  row: PrintedRecord,
  wanted: readonly WantedProperty[],
  signed: NonNullable<GridFit["signed"]>,
): Finding | null {
  const amount = wanted.find(({ field }) => field === signed.field);
  const read = (column: number): Finding | null => {
    const cell = row.cells.get(column);
    return cell === undefined || amount === undefined ? null : readCell(amount, cell);
  };
  const out = read(signed.debit);
  if (out === null || out.value === 0) return read(signed.credit);
  return typeof out.value === "number" ? { ...out, value: -Math.abs(out.value) } : out;
}

/** The properties found in one row. */
export function findingsOf(row: PrintedRecord, { wanted, columns, signed }: GridFit): Map<Field, Finding> {
  const found = new Map<Field, Finding>();
  for (const one of wanted) {
    const column = columns.get(one.field);
    const cell = column === undefined ? undefined : row.cells.get(column);
    const finding = cell === undefined ? null : readCell(one, cell);
    if (finding !== null) found.set(one.field, finding);
  }
  const either = signed === null ? null : signedAmountIn(row, wanted, signed);
  if (signed !== null && either !== null) found.set(signed.field, either);
  const unit = wanted.find(({ meaning, field }) => meaning.concept === "unit" && !columns.has(field));
  const counted = wanted.find(({ meaning }) => meaning.concept === "quantity");
  const column = counted === undefined ? undefined : columns.get(counted.field);
  const behind = unit === undefined || column === undefined ? null : unitBehind(row.cells.get(column));
  if (unit !== undefined && behind !== null) found.set(unit.field, behind);
  return found;
}

/**
 * Takes the only prices of a list for its amounts, where a printed total adds them up, whatever their quantities: `Item`,
 * `Price`, and below it `Total`.
 */
function pricesAsAmounts(
  rows: readonly ReadRow[],
  { wanted, columns, signed }: GridFit,
  isPrinted: (amount: number) => boolean,
): ReadRow[] {
  const fieldOf = (concept: string): Field | undefined =>
    wanted.find(({ meaning }) => meaning.concept === concept)?.field;
  const [price, amount, quantity] = [fieldOf("unit-price"), fieldOf("line-amount"), fieldOf("quantity")];
  if (price === undefined || amount === undefined || !columns.has(price) || columns.has(amount) || signed !== null)
    return [...rows];
  const numberOf = ({ found }: ReadRow, field: Field): number | null => {
    const value = found.get(field)?.value;
    return typeof value === "number" ? value : null;
  };
  const prices = rows.flatMap((row) => numberOf(row, price) ?? []);
  const total = prices.reduce((sum, value) => sum + value, 0);
  // One piece of each costs the same either way.
  const areSingle = quantity !== undefined && rows.every((row) => numberOf(row, quantity) === 1);
  if (prices.length < 2 || areSingle || !isPrinted(total)) return [...rows];
  return rows.map(({ row, found }) => ({
    row,
    found: new Map([...found].map(([field, finding]) => [field === price ? amount : field, finding])),
  }));
}

/** Columns that a row numbers below their headings. */
const MIN_NUMBERED_COLUMNS = 4;
/** The row numbers the columns: `1 | 2 | 3 | 4`. */
const numbersColumns = (texts: readonly string[]): boolean =>
  texts.length >= MIN_NUMBERED_COLUMNS &&
  texts.every((text, at) => /^\d{1,2}$/.test(text) && Number(text) === Number(texts[0]) + at);

/** The items of a record set. */
export interface ReadItems {
  items: ResultNode[];
  /** The amounts of those that have one, or the prices of a list without. */
  amounts: number[];
}

/** The items of a record set. @param isPrinted the document prints this amount */
export function readGrid(
  item: Shape,
  grid: RecordSet,
  fit: GridFit,
  limits: { maxItems: number; isPrinted: (amount: number) => boolean },
): ReadItems {
  const read = grid.records
    .filter((row) => !isSumRow(recordTexts(row)) && !numbersColumns(recordTexts(row)))
    .map((row) => ({ row, found: findingsOf(row, fit) }))
    .filter(({ found }) => found.size > 0);
  const rows = pricesAsAmounts(read, fit, limits.isPrinted);
  // A sum needs each of its rows, whatever is left of its words.
  const most = grid.evidence === "printed total" ? 1 : 2;
  const least = Math.min(most, fit.columns.size + (fit.signed === null ? 0 : 1));
  const own = fit.wanted.filter(
    ({ field }) => fit.columns.has(field) || fit.signed?.field === field || rows.some(({ found }) => found.has(field)),
  );
  const items = itemsAmong(rows, own, limits.isPrinted).filter(({ found }) => found.size >= least);
  const given = items.slice(0, limits.maxItems);
  const [amount] = ["line-amount", "unit-price"].flatMap(
    (concept) => own.find(({ meaning }) => meaning.concept === concept)?.field ?? [],
  );
  return {
    items: given.map(({ found }) => itemNode(item, (field) => found.get(field) ?? null)),
    amounts: given.flatMap(({ found }) => {
      const value = amount === undefined ? undefined : found.get(amount)?.value;
      return typeof value === "number" ? [value] : [];
    }),
  };
}
