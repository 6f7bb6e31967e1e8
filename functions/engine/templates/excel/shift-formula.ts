/**
 * Formulas after rows are repeated. A range over repeated rows grows; a formula of a repeated row reads the rows of its own
 * copy, and with `$` the first ones; other references follow their cells.
 */
import { MAX_ROWS } from "../../readers/office/xlsx/sheet.ts";
import { type FormulaPart, type Reference, type ReferenceEnd, referenceText } from "./formula-tokens.ts";
import {
  blockAt,
  commonRows,
  copyBelow,
  firstPlace,
  keepsRows,
  lastPlace,
  outermostCopy,
  type PlacedRows,
} from "./row-layout.ts";

/** Placed rows by the sheet's name in lower case; undefined for a sheet that is not there. */
export type SheetLayouts = ReadonlyMap<string, PlacedRows>;

export interface FormulaPlace {
  layouts: SheetLayouts;
  /** Lower-case name of the formula's sheet; empty for a formula of no sheet. */
  sheet: string;
  /** The copy that the formula is in, or the whole sheet. */
  rows: PlacedRows;
  /** Letters of the formula's column; undefined for a formula of no cell. */
  column?: string;
}

const REMOVED = "#REF!";

type Span = { from: number; to: number };

/** Rows on another sheet: those of the same item where both sheets repeat rows for one list. */
function otherSheetRows({ from, to = from }: Reference, target: PlacedRows, place: FormulaPlace): PlacedRows {
  const own = outermostCopy(place.rows)?.copyOf;
  const block = own === undefined ? undefined : blockAt(target, from.row);
  if (own === undefined || block === undefined || own.block.list !== block.list) return target;
  // A range over more than the item's rows is one over the list.
  if (blockAt(target, to.row) !== block) return target;
  return block.copies[own.index] ?? target;
}

/** Where an end of a reference is read from: the rows of its copy, of all copies, or of the sheet. */
function rowsFor(
  end: ReferenceEnd,
  reference: Reference,
  target: PlacedRows,
  place: FormulaPlace,
  isOwn: boolean,
): PlacedRows {
  if (!isOwn) return end.pinned ? target : otherSheetRows(reference, target, place);
  const rows = commonRows(place.rows, end.row);
  const isPinned = end.pinned && rows === place.rows && rows.copyOf !== undefined;
  return isPinned ? (rows.copyOf?.block.within ?? rows) : rows;
}

const isOneRow = ({ from, to }: Reference): boolean => to === undefined || to.row === from.row;

/** The row above a copy, for a reference to the cell above: the copy before it, as when a formula is filled down. */
function rowAbove(
  { row, pinned, column }: ReferenceEnd,
  { takesNumber }: Reference,
  { rows, column: own }: FormulaPlace,
): number | undefined {
  if (pinned || column.replace("$", "") !== own) return undefined;
  const copy = copyBelow(rows, row);
  if (copy === undefined) return undefined;
  const isGone = takesNumber && copy.index === 0 && firstPlace(copy.block.within, row) === rows.start;
  // The first copy has nothing above itself where that row only began the list.
  return isGone ? undefined : rows.start - 1;
}

/** Places of both ends; `from` is after `to` where no row remains. */
function spanOf(reference: Reference, target: PlacedRows, place: FormulaPlace, isOwn: boolean): Span {
  const { from } = reference;
  const to = reference.to ?? from;
  const [top, bottom] = from.row <= to.row ? [from, to] : [to, from];
  const follows = isOwn && (isOneRow(reference) || bottom.row >= place.rows.first);
  const above = (end: ReferenceEnd): number | undefined => (follows ? rowAbove(end, reference, place) : undefined);
  return {
    from: above(top) ?? firstPlace(rowsFor(top, reference, target, place, isOwn), top.row),
    to: above(bottom) ?? lastPlace(rowsFor(bottom, reference, target, place, isOwn), bottom.row),
  };
}

const withRow = (end: ReferenceEnd, row: number): ReferenceEnd => ({ ...end, row });

/** A single cell: its first place, or all of them where a function takes a list. */
function singleText(reference: Reference, { from, to }: Span): string {
  const { qualifier } = reference;
  if (reference.side !== undefined) {
    const row = Math.min(reference.side === "from" ? from : to, MAX_ROWS);
    return referenceText({ qualifier, from: withRow(reference.from, Math.max(row, 1)), to: undefined });
  }
  if (from > MAX_ROWS) return REMOVED;
  const grows = reference.takesRange && to > from;
  return referenceText({
    qualifier,
    from: withRow(reference.from, from),
    to: grows ? withRow(reference.from, Math.min(to, MAX_ROWS)) : undefined,
  });
}

function shiftReference(reference: Reference, place: FormulaPlace): string {
  const [name = place.sheet] = reference.sheets;
  const target = place.layouts.get(name.toLowerCase());
  if (target === undefined) return referenceText(reference);
  const isOwn = name.toLowerCase() === place.sheet;
  if (target.blocks.length === 0 && !(isOwn && place.rows.copyOf !== undefined)) return referenceText(reference);
  const span = spanOf(reference, target, place, isOwn);
  if (span.from > span.to && reference.side === undefined) {
    // A row that a condition took away: nothing adds nothing.
    return reference.takesNumber ? "0" : REMOVED;
  }
  if (reference.to === undefined) return singleText(reference, span);
  if (span.from > MAX_ROWS) return REMOVED;
  const last = Math.min(span.to, MAX_ROWS);
  const [from, to] =
    reference.from.row <= reference.to.row
      ? [withRow(reference.from, span.from), withRow(reference.to, last)]
      : [withRow(reference.from, last), withRow(reference.to, span.from)];
  return referenceText({ qualifier: reference.qualifier, from, to });
}

/** Writes a formula for its place. */
export function shiftFormula(parts: readonly FormulaPart[], place: FormulaPlace): string {
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : shiftReference(part, place);
  return text;
}

/** True for a reference that spans several sheets, such as `Jan:Dec!B5`. */
export const spansSheets = (part: FormulaPart): part is Reference => typeof part !== "string" && part.sheets.length > 1;

/** Lower-case names of the sheets that a formula names; the own one as an empty text. */
export function sheetsNamed(parts: readonly FormulaPart[]): Set<string> {
  const named = new Set<string>();
  for (const part of parts) {
    if (typeof part === "string") continue;
    if (part.sheets.length === 0) named.add("");
    for (const sheet of part.sheets) named.add(sheet.toLowerCase());
  }
  return named;
}

/** Moves the relative references of a shared formula, as its other cells read it. */
export function translateFormula(
  parts: readonly FormulaPart[],
  rows: number,
  columns: number,
  move: ColumnMover,
): string {
  const moved = (end: ReferenceEnd): ReferenceEnd => ({
    column: move(end.column, columns),
    pinned: end.pinned,
    row: end.pinned ? end.row : wrap(end.row + rows),
  });
  return parts
    .map((part) =>
      typeof part === "string"
        ? part
        : referenceText({ ...part, from: moved(part.from), to: part.to === undefined ? undefined : moved(part.to) }),
    )
    .join("");
}

/** Moves a column's letters with their `$`. */
export type ColumnMover = (column: string, columns: number) => string;

const wrap = (row: number): number => ((row - 1 + MAX_ROWS) % MAX_ROWS) + 1;

/** True where every sheet keeps its rows. */
export const keepsAllRows = (layouts: SheetLayouts): boolean => [...layouts.values()].every(keepsRows);
