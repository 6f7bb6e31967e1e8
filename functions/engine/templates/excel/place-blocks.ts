/** Gives each row its places: one for each item of the lists that repeat it. */
import { BadRequest } from "../../../ports/errors.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { lookUp, sectionScopes, type TagScope } from "../office/tag-expression.ts";
import type { Loop } from "./loop.ts";
import type { RowBlock } from "./row-blocks.ts";
import { type LoopScopes, type PlacedBlock, type PlacedRows, wholeSheet } from "./row-layout.ts";

/**
 * True for a list without items: one blank row stays in place of its rows, so that tables, charts and sums over it stay
 * whole. A condition that does not hold leaves nothing.
 */
function leavesBlank(loop: Loop, scope: TagScope | undefined): boolean {
  if (loop.inverted || scope === undefined) return false;
  const value = lookUp(scope, loop.path);
  if (loop.isTable || Array.isArray(value)) return true;
  return (value === undefined || value === null) && loop.uses.some(({ kind }) => kind !== "section");
}

const itemsOf = (loop: Loop, scopes: LoopScopes): TagScope[] => {
  const scope = scopes.get(loop.parent);
  return scope === undefined ? [] : sectionScopes(scope, loop.path, loop.inverted);
};

/** One blank row instead of the block's rows. */
function blankCopy(block: RowBlock, placed: PlacedBlock, scopes: LoopScopes): PlacedRows {
  const { first, last } = block;
  const copy: PlacedRows = {
    first,
    last,
    start: placed.start,
    blocks: [],
    copyOf: { block: placed, index: 0 },
    scopes,
    blank: true,
  };
  if (last > first) {
    const none = { first: first + 1, last, start: placed.start + 1, height: 0, copies: [], within: copy, list: "" };
    copy.blocks.push(none);
  }
  return copy;
}

const listName = ({ loops }: RowBlock): string => loops.map(({ path }) => path.join(".")).join(" ");

function placeBlock(block: RowBlock, within: PlacedRows, start: number, budget: RenderedItems): PlacedBlock {
  const { first, last, loops } = block;
  const placed: PlacedBlock = { first, last, start, height: 0, copies: [], within, list: listName(block) };
  const items = loops.map((loop) => itemsOf(loop, within.scopes));
  const count = Math.max(0, ...items.map(({ length }) => length));
  budget.add(count);
  for (let index = 0; index < count; index += 1) {
    const scopes = new Map(within.scopes);
    for (const [at, loop] of loops.entries()) scopes.set(loop, items[at]?.[index]);
    const copyStart = start + placed.height;
    const copy: PlacedRows = {
      first,
      last,
      start: copyStart,
      blocks: [],
      copyOf: { block: placed, index },
      scopes,
      blank: false,
    };
    placed.height += placeAll(block.children, copy, budget);
    placed.copies.push(copy);
  }
  if (count === 0 && loops.some((loop) => leavesBlank(loop, within.scopes.get(loop.parent)))) {
    placed.copies.push(blankCopy(block, placed, within.scopes));
    placed.height = 1;
  }
  return placed;
}

/** Places blocks inside rows. @returns rows of the filled sheet */
function placeAll(blocks: readonly RowBlock[], rows: PlacedRows, budget: RenderedItems): number {
  let shift = rows.start - rows.first;
  for (const block of blocks) {
    const placed = placeBlock(block, rows, block.first + shift, budget);
    rows.blocks.push(placed);
    shift += placed.height - (block.last - block.first + 1);
  }
  return rows.last + shift - rows.start + 1;
}

/**
 * Places all rows of a sheet.
 * @param lastRow of the template's sheet
 * @throws BadRequest for lists with more items than a fill has, or than a sheet has rows
 */
export function placeRows(blocks: readonly RowBlock[], scope: TagScope, budget: RenderedItems): PlacedRows {
  const rows = wholeSheet(new Map([[undefined, scope]]));
  placeAll(blocks, rows, budget);
  return rows;
}

/** @throws BadRequest for a sheet that would have more rows than Excel opens */
export function checkHeight(sheet: string, last: number, most: number): void {
  if (last <= most) return;
  throw new BadRequest(
    `The sheet ${sheet} would have ${last.toLocaleString("en-US")} rows, and Excel opens ${most.toLocaleString("en-US")}; send fewer items`,
  );
}
