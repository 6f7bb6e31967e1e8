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

interface Builder {
  sheet: string;
  loops: Loop[];
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
  const known = builder.loops.find(
    (loop) => loop.isTable && loop.first === row && loop.parent === parent && loop.path.join(".") === list.join("."),
  );
  return (
    known ??
    openLoop(builder, { path: list, inverted: false, isTable: true, source, place, first: row, last: row }, parent)
  );
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

const holds = (block: { first: number; last: number }, row: number): boolean => row >= block.first && row <= block.last;

/** The blocks of loops with one of these parents. */
function blocksWithin(builder: Builder, parents: ReadonlySet<Loop | undefined>): RowBlock[] {
  const blocks: RowBlock[] = [];
  const loops = builder.loops.filter((loop) => parents.has(loop.parent) && loop.first <= loop.last);
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
  for (const block of blocks) block.children = blocksWithin(builder, new Set(block.loops));
  return blocks;
}

/** Adds a removed row to the innermost block around it. */
function addRemoved(blocks: RowBlock[], row: number): void {
  const around = blocks.find((block) => block.loops.length > 0 && holds(block, row));
  if (around === undefined) {
    blocks.push({ first: row, last: row, loops: [], children: [] });
    blocks.sort((a, b) => a.first - b.first);
  } else addRemoved(around.children, row);
}

export interface SheetBlocks {
  blocks: RowBlock[];
  /** Tags of the sheet, those of loops in their sections. */
  uses: TagUse[];
  faults: UnprocessableEntity[];
}

/** Finds the blocks of a sheet. @param rows with tags, in order */
export function findBlocks(sheet: string, rows: readonly TaggedRow[]): SheetBlocks {
  const builder: Builder = { sheet, loops: [], open: [], uses: [], faults: [], markers: new Set() };
  for (const row of rows) for (const [column, pieces] of row.cells) addCell(builder, row, column, pieces);
  for (const loop of builder.open) builder.faults.push(tagFault(loop.source, loop.place, "is never closed"));
  // A row that begins and ends a section in itself has that section's content.
  const within = new Set(builder.loops.filter((loop) => loop.first === loop.last).map((loop) => loop.first));
  for (const row of rows) {
    const isMarker = row.bare && !within.has(row.number) && [...row.cells.values()].every(isOnlyMarkers);
    if (isMarker) builder.markers.add(row.number);
  }
  for (const loop of builder.loops) trimLoop(loop, builder.markers);
  const blocks = blocksWithin(builder, new Set([undefined]));
  for (const row of builder.markers) addRemoved(blocks, row);
  return { blocks, uses: builder.uses, faults: builder.faults };
}
