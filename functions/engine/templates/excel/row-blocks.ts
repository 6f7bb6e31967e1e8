/** The rows of a sheet that lists repeat and conditions remove, by the tags in its cells. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { columnLetters } from "../../readers/office/xlsx/sheet.ts";
import { tagFault } from "../office/tag-fault.ts";
import { fieldName, type TagUse } from "../office/tag-fields.ts";
import { templateField } from "../template.ts";
import { type CellPiece, closes, isOnlyMarkers, type MarkerPiece } from "./cell-text.ts";
import type { Loop } from "./loop.ts";

/** Rows that are repeated together; side by side in one row there may be several lists. */
export interface RowBlock {
  first: number;
  last: number;
  /** None for a row that only begins or ends sections, which is removed. */
  loops: Loop[];
  children: RowBlock[];
}

/** A row with its tags by column; `bare` where nothing else is in it. */
export interface TaggedRow {
  number: number;
  cells: ReadonlyMap<number, CellPiece[]>;
  bare: boolean;
}

/** Most sections over rows in a sheet; real templates have some dozens. */
const MAX_LOOPS = 10_000;
/** Most sections inside each other. */
const MAX_DEPTH = 20;

interface Builder {
  sheet: string;
  loops: Loop[];
  /** Lists of the row that is read, by their names. */
  tables: Map<string, Loop>;
  open: Loop[];
  uses: TagUse[];
  faults: UnprocessableEntity[];
  /** Rows that only begin or end sections. */
  markers: Set<number>;
}

/** The tags of pieces as fields are made of them. */
export const usesOf = (pieces: readonly CellPiece[]): TagUse[] =>
  pieces.flatMap((piece): TagUse[] => {
    if (piece.kind === "section") {
      const { path, inverted } = piece;
      return [{ kind: "section", path, inverted, uses: usesOf(piece.pieces) }];
    }
    if (piece.kind !== "value" && piece.kind !== "picture") return [];
    const { kind, expression, valueType } = piece;
    const use: TagUse = { kind, expression };
    if (valueType === null || expression.filters.length > 0) return [use];
    // The format of the cell tells more than the tag.
    return [use, { kind: "field", field: templateField(fieldName(expression.path), "text", { valueType }) }];
  });

function addUse(builder: Builder, owner: Loop | undefined, use: TagUse): void {
  (owner?.uses ?? builder.uses).push(use);
}

function openLoop(builder: Builder, loop: Omit<Loop, "uses" | "parent">, parent: Loop | undefined): Loop {
  const { source, place } = loop;
  if (builder.loops.length === MAX_LOOPS) {
    throw tagFault(source, place, `is one of more than ${MAX_LOOPS.toLocaleString("en-US")} sections of the sheet`);
  }
  if (builder.open.length === MAX_DEPTH) throw tagFault(source, place, `is inside more than ${MAX_DEPTH} sections`);
  const opened: Loop = { ...loop, parent, uses: [] };
  builder.loops.push(opened);
  const { path, inverted, isTable, uses } = opened;
  addUse(builder, parent, { kind: "section", path, inverted, repeats: isTable, uses });
  return opened;
}

function closeLoop(builder: Builder, marker: MarkerPiece, row: number, place: string): void {
  const loop = builder.open.at(-1);
  if (loop === undefined || !closes(marker, loop)) {
    const problem = loop === undefined ? "closes nothing" : `closes nothing; ${loop.source} is open`;
    builder.faults.push(tagFault(marker.source, place, problem));
    return;
  }
  builder.open.pop();
  loop.last = row;
}

/** The list of a row that `${table:…}` names, made at its first tag. */
function tableLoop(builder: Builder, list: readonly string[], row: number, source: string, place: string): Loop {
  const parent = builder.open.at(-1);
  const name = list.join(".");
  const known = builder.tables.get(name);
  if (known?.parent === parent && known?.first === row) return known;
  const loop = { path: list, inverted: false, isTable: true, source, place, first: row, last: row };
  const opened = openLoop(builder, loop, parent);
  builder.tables.set(name, opened);
  return opened;
}

function addCell(builder: Builder, row: TaggedRow, column: number, pieces: readonly CellPiece[]): void {
  const place = `sheet ${builder.sheet}, cell ${columnLetters(column)}${row.number}`;
  for (const piece of pieces) {
    const owner = builder.open.at(-1);
    if (piece.kind === "close") closeLoop(builder, piece, row.number, place);
    else if (piece.kind === "open" || piece.kind === "inverted") {
      const { path, kind, source } = piece;
      const inverted = kind === "inverted";
      const loop = { path, inverted, isTable: false, source, place, first: row.number, last: row.number };
      builder.open.push(openLoop(builder, loop, owner));
    } else if (piece.kind === "value" || piece.kind === "picture") {
      piece.owner = piece.list === undefined ? owner : tableLoop(builder, piece.list, row.number, piece.source, place);
      for (const use of usesOf([piece])) addUse(builder, piece.owner, use);
    } else if (piece.kind === "section") {
      piece.owner = owner;
      for (const use of usesOf([piece])) addUse(builder, owner, use);
    }
  }
}

/** Leaves out the rows that only begin or end a section of several rows. */
function trimLoop(loop: Loop, markers: ReadonlySet<number>): void {
  if (loop.isTable || loop.first === loop.last) return;
  while (loop.first <= loop.last && markers.has(loop.first)) loop.first += 1;
  while (loop.last >= loop.first && markers.has(loop.last)) loop.last -= 1;
}

/** The blocks of loops with one of these parents. */
function blocksWithin(builder: Builder, byParent: LoopsByParent, parents: readonly (Loop | undefined)[]): RowBlock[] {
  const blocks: RowBlock[] = [];
  const loops = parents.flatMap((parent) => byParent.get(parent) ?? []).filter((loop) => loop.first <= loop.last);
  for (const loop of loops.toSorted((a, b) => a.first - b.first)) {
    const last = blocks.at(-1);
    if (last === undefined || loop.first > last.last) {
      blocks.push({ first: loop.first, last: loop.last, loops: [loop], children: [] });
    } else if (loop.first === last.first && loop.last === last.last && loop.first === loop.last) last.loops.push(loop);
    else {
      const other = last.loops[0]?.source ?? "";
      builder.faults.push(tagFault(loop.source, loop.place, `shares rows with ${other}; give each its own rows`));
    }
  }
  for (const block of blocks) block.children = blocksWithin(builder, byParent, block.loops);
  return blocks;
}

type LoopsByParent = ReadonlyMap<Loop | undefined, Loop[]>;

/** Adds removed rows to the innermost blocks around them. @param rows in order */
function withRemoved(blocks: readonly RowBlock[], rows: readonly number[]): RowBlock[] {
  const all: RowBlock[] = [];
  let at = 0;
  const removeBefore = (end: number): void => {
    for (let row = rows[at]; row !== undefined && row < end; row = rows[at]) {
      all.push({ first: row, last: row, loops: [], children: [] });
      at += 1;
    }
  };
  for (const block of blocks) {
    removeBefore(block.first);
    const start = at;
    while ((rows[at] ?? Number.POSITIVE_INFINITY) <= block.last) at += 1;
    all.push({ ...block, children: withRemoved(block.children, rows.slice(start, at)) });
  }
  removeBefore(Number.POSITIVE_INFINITY);
  return all;
}

export interface SheetBlocks {
  blocks: RowBlock[];
  /** Tags of the sheet, those of loops in their sections. */
  uses: TagUse[];
  faults: UnprocessableEntity[];
}

/** Finds the blocks of a sheet. @param rows with tags, in order */
export function findBlocks(sheet: string, rows: readonly TaggedRow[]): SheetBlocks {
  const builder: Builder = { sheet, loops: [], tables: new Map(), open: [], uses: [], faults: [], markers: new Set() };
  for (const row of rows) for (const [column, pieces] of row.cells) addCell(builder, row, column, pieces);
  for (const loop of builder.open) builder.faults.push(tagFault(loop.source, loop.place, "is never closed"));
  // A row that begins and ends a section in itself has that section's content.
  const within = new Set(builder.loops.filter((loop) => loop.first === loop.last).map((loop) => loop.first));
  for (const row of rows) {
    const isMarker = row.bare && !within.has(row.number) && [...row.cells.values()].every(isOnlyMarkers);
    if (isMarker) builder.markers.add(row.number);
  }
  for (const loop of builder.loops) trimLoop(loop, builder.markers);
  const blocks = blocksWithin(
    builder,
    Map.groupBy(builder.loops, ({ parent }) => parent),
    [undefined],
  );
  return { blocks: withRemoved(blocks, [...builder.markers]), uses: builder.uses, faults: builder.faults };
}
