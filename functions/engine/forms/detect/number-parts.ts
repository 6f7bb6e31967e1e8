/** Cells that ticks divide for the parts of one number, as `123-45-6789`: one place to write. */
import { area, unionBox } from "../../layout/geometry.ts";
import type { Cell, PageSpace } from "./page-space.ts";

/** Shares of the width that the parts of a number of three, two and four digits have, and their greatest difference. */
const PART_SHARES = [3 / 9, 2 / 9, 4 / 9];
const MAX_SHARE_DIFFERENCE = 0.05;
/** Width of such a number in ems. */
const MAX_NUMBER_EM = 16;
/** Distance of sides that two cells share, in ems. */
const SAME_SIDE_EM = 0.4;

function isNumber(parts: readonly Cell[], em: number): boolean {
  const box = unionBox(parts.map((part) => part.box));
  const width = box.right - box.left;
  return (
    width <= MAX_NUMBER_EM * em &&
    parts.length === PART_SHARES.length &&
    parts.every((part, index) => {
      const share = (part.box.right - part.box.left) / width;
      return Math.abs(share - (PART_SHARES[index] ?? 0)) <= MAX_SHARE_DIFFERENCE;
    })
  );
}

/** Joins empty cells beside each other whose widths are those of the parts of a number. */
export function joinNumberParts(cells: readonly Cell[], space: PageSpace): Cell[] {
  const { em } = space;
  const isNext = ({ box: a }: Cell, { box: b }: Cell): boolean =>
    [a.right - b.left, a.top - b.top, a.bottom - b.bottom].every((gap) => Math.abs(gap) <= SAME_SIDE_EM * em);
  const isFree = ({ box }: Cell): boolean => area(box) > 0 && space.runsIn(box).length === 0;
  const joined = new Map<Cell, Cell>();
  const gone = new Set<Cell>();
  const narrow = cells.filter(({ box }) => box.right - box.left <= MAX_NUMBER_EM * em);
  for (const first of narrow) {
    const second = narrow.find((one) => isNext(first, one));
    const third = second === undefined ? undefined : narrow.find((one) => isNext(second, one));
    if (second === undefined || third === undefined) continue;
    const parts = [first, second, third];
    if (!isNumber(parts, em) || !parts.every(isFree)) continue;
    joined.set(first, { box: unionBox(parts.map(({ box }) => box)), alone: false });
    gone.add(second).add(third);
  }
  return cells.filter((cell) => !gone.has(cell)).map((cell) => joined.get(cell) ?? cell);
}
