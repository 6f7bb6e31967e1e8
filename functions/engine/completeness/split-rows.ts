/** Rows of a table whose cells do not share a line: a part of them stands a little higher or lower than the others. */

import { type Joined, joinedUnit, joinUnits, type Unit, type Units } from "./candidate-rows.ts";
import { cellsIn, conforms, type Frame } from "./column-layout.ts";
import type { RowSet } from "./row-group-types.ts";

/** Columns of a frame that tells a row of its own from two lines that fit it by chance; and of them on the row's main line. */
const FEWEST_COLUMNS = 3;
const FEWEST_CELLS = 2;
/** Of the height of a line: what is further away is another line of text. */
const APART = 0.6;

/** Whether two rows together fill the columns that a row of the table fills, each some of them. */
function isOneRow(frame: Frame, main: Unit, rest: Unit): boolean {
  if (main.page !== rest.page || main.cells.length < FEWEST_CELLS || rest.cells.length >= main.cells.length)
    return false;
  const height = Math.min(main.box.bottom - main.box.top, rest.box.bottom - rest.box.top);
  const gap = Math.max(rest.box.top - main.box.bottom, main.box.top - rest.box.bottom);
  if (gap > APART * height) return false;
  const filled = cellsIn(frame, main).texts;
  if ([...cellsIn(frame, rest).texts.keys()].some((column) => filled.has(column))) return false;
  return !conforms(frame, main) && conforms(frame, joinedUnit(main, { from: [rest], beside: true }));
}

/**
 * Lines beside the tables of a document that are one row of them together.
 * @param proven rows that are known to be whole @param near by page, the tables on it and its neighbours
 */
export function joinSplitRows(
  units: Units,
  proven: ReadonlySet<Unit>,
  near: ReadonlyMap<number, readonly RowSet[]>,
): Units {
  const joins: Joined[] = [];
  const used = new Set<number>();
  const isFree = (unit: Unit | undefined): unit is Unit =>
    unit !== undefined && unit.table === undefined && !proven.has(unit) && !used.has(unit.order);
  for (const main of units.all) {
    const own = near.get(main.page)?.filter(({ frame }) => frame.keys.length >= FEWEST_COLUMNS) ?? [];
    if (own.length === 0 || !isFree(main)) continue;
    const rest = [units.all[main.order + 1], units.all[main.order - 1]].find(
      (unit) => isFree(unit) && own.some(({ frame }) => isOneRow(frame, main, unit)),
    );
    if (rest === undefined) continue;
    for (const { order } of [main, rest]) used.add(order);
    joins.push({ into: main.order, from: [rest], beside: true });
  }
  return joins.length === 0 ? units : joinUnits(units, joins);
}
