/** Cells that ticks divide for the parts of one number, as `123-45-6789` or `1,234|00`: one place to write. */
import { area, unionBox } from "../../layout/geometry.ts";
import type { Cell, PageSpace } from "./page-space.ts";

/** Shares of the width that the parts of a number of three, two and four digits have, and their greatest difference. */
const PART_SHARES = [3 / 9, 2 / 9, 4 / 9];
const MAX_SHARE_DIFFERENCE = 0.05;
/** Width of such a number in ems. */
const MAX_NUMBER_EM = 16;
/** Distance of sides that two cells share, in ems. */
const SAME_SIDE_EM = 0.4;

/** Width of the cents of an amount in ems, and their greatest share of the width before them. */
const MAX_CENTS_EM = 2.2;
const MAX_CENTS_SHARE = 0.4;

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

/** True for cells of one row that share a side. */
const isNext = ({ box: a }: Cell, { box: b }: Cell, em: number): boolean =>
  [a.right - b.left, a.top - b.top, a.bottom - b.bottom].every((gap) => Math.abs(gap) <= SAME_SIDE_EM * em);

/** True for a narrow cell without a head of its own after a wide one: a tick divides the cents from the amount. */
function isCents(amount: Cell, cents: Cell, space: PageSpace): boolean {
  const [whole, part] = [amount.box.right - amount.box.left, cents.box.right - cents.box.left];
  return (
    part <= MAX_CENTS_EM * space.em &&
    part <= MAX_CENTS_SHARE * whole &&
    whole <= MAX_NUMBER_EM * space.em &&
    space.headTowards(cents.box, "above").length === 0
  );
}

/** Joins empty cells beside each other whose widths are those of the parts of a number. */
export function joinNumberParts(cells: readonly Cell[], space: PageSpace): Cell[] {
  const { em } = space;
  const joined = new Map<Cell, Cell>();
  const gone = new Set<Cell>();
  const free = cells.filter(
    ({ box }) => area(box) > 0 && box.right - box.left <= MAX_NUMBER_EM * em && space.runsIn(box).length === 0,
  );
  for (const first of free) {
    const second = free.find((one) => isNext(first, one, em));
    if (second === undefined) continue;
    const third = free.find((one) => isNext(second, one, em));
    const parts = third === undefined ? [first, second] : [first, second, third];
    if (!isNumber(parts, em)) parts.length = isCents(first, second, space) ? 2 : 0;
    if (parts.length === 0) continue;
    joined.set(first, { box: unionBox(parts.map(({ box }) => box)), alone: false });
    for (const part of parts.slice(1)) gone.add(part);
  }
  return cells.filter((cell) => !gone.has(cell)).map((cell) => joined.get(cell) ?? cell);
}
