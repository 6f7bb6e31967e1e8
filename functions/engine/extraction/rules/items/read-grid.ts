/** Rows of a grid → items of a list: each property from its column's cell, with the words it was read from. */

import type { Field, Shape } from "../../../schema/schema-shape.ts";
import type { Token } from "../../../structure/view/tokens.ts";
import { foldText, trimValue } from "../../../values/text-folding.ts";
import { type Finding, foundOr, type Node, nothing } from "../findings.ts";
import { type Reading, sized } from "../value-reader.ts";
import { CODE, type Fit, type Wanted } from "./fit-grid.ts";
import { type Grid, type GridCell, type GridRow, isSumRow } from "./item-grid.ts";

/** Text of a cell taken for a value, in characters. */
const LONGEST = 4000;
/** How sure a value is that its column's heading and its own form speak for. */
const CONFIDENCE = 0.84;

/** The tokens that text positions `start` to `end` of a cell touch; lines are parted by one character, or by none. */
function tokensOf(cell: GridCell, start: number, end: number): Token[] {
  let at = 0;
  return cell.tokens.filter((token) => {
    const from = cell.text.indexOf(token.text, at);
    // A word parted at the line's end has lost its hyphen.
    const bare = from < 0 ? token.text.replace(/[-\u00ad]$/u, "") : token.text;
    const place = from < 0 ? cell.text.indexOf(bare, at) : from;
    if (place < 0) return false;
    at = place + bare.length;
    return place < end && start < at;
  });
}

/** The first statement of a cell: its lines up to a space, or to one that was broken though more would have fitted. */
function statementOf(cell: GridCell): GridCell {
  const right = Math.max(...cell.lines.flatMap((line) => line.tokens.map((token) => token.box.right)));
  const upTo = cell.lines.findIndex((line, at) => {
    const next = cell.lines[at + 1]?.tokens[0];
    const last = line.tokens.at(-1);
    if (next === undefined || last === undefined) return true;
    const room = right - last.box.right;
    // A space between the lines parts them too.
    if (next.box.top - last.box.bottom > 0.6 * last.em) return true;
    return room > next.box.right - next.box.left + 0.3 * last.em;
  });
  const lines = cell.lines.slice(0, upTo + 1);
  const text = lines.map((line) => line.text).join(" ");
  return { lines, text, tokens: lines.flatMap((line) => line.tokens) };
}

const NET = /^\W*nett?[oi]?(?:\s?preis|\s?price)?\W/;

/** The price that is charged, of a cell that works it out line by line: `Brut: 65,00 / Rabais: 5,00 / Net: 60,00`. */
function chargedIn(cell: GridCell): GridCell {
  const own = cell.lines.filter(({ text }) => NET.test(foldText(text)));
  const [line] = own;
  return own.length === 1 && line !== undefined ? { lines: own, ...line } : cell;
}

/** Characters of a quantity with its unit. */
const COUNT = 24;

/** In a column of codes anything short is one, `1` and `A` too: elsewhere a code has to look like one. */
const isShortCode = ({ meaning, field, reader }: Wanted, text: string): boolean =>
  meaning.value === "code" && field.type === "string" && text.length <= CODE && reader.read(text).length === 0;

/** Properties that name an item rather than describe it. */
const NAMING = /name|title|product|article|item|service|bezeichnung|artikel|designation|producto|articulo|product/;

function readText(wanted: Wanted, cell: GridCell): Reading[] {
  const value = trimValue(cell.text);
  if (value === "" || value.length > LONGEST || !sized(wanted.field, value)) return [];
  const start = cell.text.indexOf(value);
  return start < 0 ? [] : [{ start, end: start + value.length, value, fit: 1 }];
}

function readCell(wanted: Wanted, given: GridCell): Finding | null {
  const { field, reader, meaning } = wanted;
  // A quantity as text is wanted as it is printed, unit and all.
  const counted = meaning.value === "quantity" && field.type === "string" && given.text.length <= COUNT;
  const plain = (reader.kind === "text" && field.choices === null) || counted || isShortCode(wanted, given.text);
  const naming = plain && meaning.concept === "item-description" && NAMING.test(field.name.toLowerCase());
  const priced = !plain && meaning.concept === "unit-price";
  const oneOf = (lines: GridCell): GridCell => (naming ? statementOf(lines) : priced ? chargedIn(lines) : lines);
  const cell = given.lines.length > 1 ? oneOf(given) : given;
  const [reading] = plain ? readText(wanted, cell) : reader.read(cell.text);
  if (reading === undefined) return null;
  const tokens = tokensOf(cell, reading.start, reading.end);
  return tokens.length === 0 ? null : { value: reading.value, tokens, confidence: CONFIDENCE * reading.fit };
}

type ReadField = (field: Field) => Finding | null;

function itemNode(shape: Shape, read: ReadField): Node {
  if (shape.kind === "nothing") return nothing();
  if (shape.kind === "list") return { kind: "list", items: [] };
  if (shape.kind === "object")
    return { kind: "object", members: shape.members.map(({ name, shape: member }) => [name, itemNode(member, read)]) };
  const { field } = shape;
  if (field.calculated) return nothing("derived");
  if (field.constant !== null) return { kind: "plain", value: field.constant, reason: "constant" };
  return foundOr(read(field));
}

/** What a unit is called behind its number: `20 Stk`, `14 Std.`, `3 hours`. */
const UNIT_BEHIND = /^[-+(]?[\d.,'’ ]*\d\)?\s*(?<unit>\p{L}[\p{L}.²³/]{0,12})(?:\(s\))?$/u;

function unitBehind(cell: GridCell | undefined): Finding | null {
  const unit = cell === undefined ? undefined : UNIT_BEHIND.exec(cell.text)?.groups?.unit;
  if (cell === undefined || unit === undefined) return null;
  const start = cell.text.lastIndexOf(unit);
  return { value: unit, tokens: tokensOf(cell, start, start + unit.length), confidence: CONFIDENCE * 0.9 };
}

/** What went out counts down, whatever its sign; what came in as it stands. */
function signedIn(row: GridRow, wanted: readonly Wanted[], signed: NonNullable<Fit["signed"]>): Finding | null {
  const amount = wanted.find(({ field }) => field === signed.field);
  const read = (column: number): Finding | null => {
    const cell = row.cells.get(column);
    return cell === undefined || amount === undefined ? null : readCell(amount, cell);
  };
  const out = read(signed.debit);
  if (out === null || out.value === 0) return read(signed.credit);
  return typeof out.value === "number" ? { ...out, value: -Math.abs(out.value) } : out;
}

/** The properties of one row that the page shows. */
function findingsOf(row: GridRow, { wanted, columns, signed }: Fit): Map<Field, Finding> {
  const found = new Map<Field, Finding>();
  for (const one of wanted) {
    const column = columns.get(one.field);
    const cell = column === undefined ? undefined : row.cells.get(column);
    const finding = cell === undefined ? null : readCell(one, cell);
    if (finding !== null) found.set(one.field, finding);
  }
  const either = signed === null ? null : signedIn(row, wanted, signed);
  if (signed !== null && either !== null) found.set(signed.field, either);
  const unit = wanted.find(({ meaning, field }) => meaning.concept === "unit" && !columns.has(field));
  const counted = wanted.find(({ meaning }) => meaning.concept === "quantity");
  const column = counted === undefined ? undefined : columns.get(counted.field);
  const behind = unit === undefined || column === undefined ? null : unitBehind(row.cells.get(column));
  if (unit !== undefined && behind !== null) found.set(unit.field, behind);
  return found;
}

interface ReadRow {
  row: GridRow;
  found: Map<Field, Finding>;
}

/**
 * What makes a row an item: a number or date where most rows have one, and a sum of money where nearly all have one.
 * Other rows go on with what stands above them, or head a group.
 */
function isItemAmong(rows: readonly ReadRow[], wanted: readonly Wanted[]): (row: ReadRow) => boolean {
  const valued = wanted.filter(({ reader }) => reader.kind === "value").map(({ field }) => field);
  const sums = wanted.filter(({ meaning }) => meaning.value === "amount").map(({ field }) => field);
  const has =
    (fields: readonly Field[]) =>
    (one: ReadRow): boolean =>
      fields.some((field) => one.found.has(field));
  const needsValue = rows.filter(has(valued)).length > rows.length / 3;
  const needsSum = rows.filter(has(sums)).length > rows.length / 2;
  return (row) => (!needsValue || has(valued)(row)) && (!needsSum || has(sums)(row));
}

/** The items of a grid. @param most items at most */
export function readGrid(item: Shape, grid: Grid, fit: Fit, most: number): Node[] {
  const rows = grid.rows
    .filter((row) => !isSumRow(row))
    .map((row) => ({ row, found: findingsOf(row, fit) }))
    .filter(({ found }) => found.size > 0);
  const least = Math.min(2, fit.columns.size + (fit.signed === null ? 0 : 1));
  const isItem = isItemAmong(
    rows,
    fit.wanted.filter(({ field }) => fit.columns.has(field) || fit.signed?.field === field),
  );
  return rows
    .filter((one) => one.found.size >= least && isItem(one))
    .slice(0, most)
    .map(({ found }) => itemNode(item, (field) => found.get(field) ?? null));
}
