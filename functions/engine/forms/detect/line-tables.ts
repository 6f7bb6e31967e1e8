/** Tables of lines: captions divide the first line into columns, and the equal lines under it are its further rows. */
import type { Candidate } from "./candidate.ts";
import type { PageSpace } from "./page-space.ts";

/** Space between the parts of a line that captions divide, in ems. */
export const SPLIT_GAP_EM = 0.3;
/** Difference of that space and of the ends of equal lines, in ems, and distance of two rows. */
const SAME_GAP_EM = 0.1;
const SAME_END_EM = 1;
const MIN_ROW_DISTANCE_EM = 0.8;
const MAX_ROW_DISTANCE_EM = 3.2;

/** True for rooms beside each other that captions divided, from end to end of their line. */
function isDivided(row: readonly Candidate[], em: number): boolean {
  const [first, last] = [row[0], row.at(-1)];
  if (row.length < 2 || first === undefined || last === undefined) return false;
  if (first.box.left > first.around.left || last.box.right < last.around.right) return false;
  return row.every(({ box }, index) => {
    const next = row[index + 1];
    return next === undefined || Math.abs(next.box.left - box.right - SPLIT_GAP_EM * em) < SAME_GAP_EM * em;
  });
}

/** True for the next line under a divided one: of its ends, with no print over it. */
function isNextRow({ around: upper }: Candidate, { box, around }: Candidate, space: PageSpace): boolean {
  const { em } = space;
  const distance = around.bottom - upper.bottom;
  const hasEnds = (["left", "right"] as const).every(
    (end) => box[end] === around[end] && Math.abs(around[end] - upper[end]) <= SAME_END_EM * em,
  );
  if (!hasEnds || distance < MIN_ROW_DISTANCE_EM * em || distance > MAX_ROW_DISTANCE_EM * em) return false;
  return space.runsAt({ ...around, top: upper.bottom }).length === 0;
}

/**
 * Divides the lines under a divided one as it is.
 * @param rooms over lines
 * @returns the places of tables of two and more rows, and the rooms of all other lines
 */
export function divideRows(
  rooms: readonly Candidate[],
  space: PageSpace,
): { inTables: Candidate[]; others: Candidate[] } {
  const rows = [...Map.groupBy(rooms, ({ around }) => `${around.left} ${around.right} ${around.bottom}`).values()]
    .map((row) => row.toSorted((a, b) => a.box.left - b.box.left))
    .sort((a, b) => (a[0]?.around.bottom ?? 0) - (b[0]?.around.bottom ?? 0));
  const inTables = new Set<Candidate>();
  const divided: Candidate[][] = [];
  const others: Candidate[] = [];
  for (const row of rows) {
    const [line] = row;
    const upper = divided.findLast(([one]) => one !== undefined && line !== undefined && isNextRow(one, line, space));
    if (upper === undefined || line === undefined || row.length > 1) {
      if (isDivided(row, space.em)) divided.push(row);
      others.push(...row);
      continue;
    }
    const parts = upper.map(({ box: { left, right } }): Candidate => ({ ...line, box: { ...line.box, left, right } }));
    divided.push(parts);
    for (const one of [...upper, ...parts]) inTables.add(one);
  }
  return { inTables: [...inTables], others: others.filter((one) => !inTables.has(one)) };
}
