/** Places to write in cells and boxes: the room that rules enclose and print leaves free. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, extendBox, intersection, intersects } from "../../layout/geometry.ts";
import type { Fill } from "../../structure/tables/table-parts.ts";
import type { Candidate } from "./candidate.ts";
import { freeRoom, type RoomNeeds } from "./free-room.ts";
import { joinNumberParts } from "./number-parts.ts";
import { type Cell, inkBox, type PageSpace } from "./page-space.ts";

/** Room that a person needs to write, in ems of the page's type. */
const MIN_ROOM_WIDTH_EM = 1.6;
const MIN_ROOM_HEIGHT_EM = 0.85;
/**
 * Share of a cell's height that the room takes at least: beside a label that is centred, the strips above and below it
 * are no rooms. Ems from which a room is high enough in any cell.
 */
const MIN_HEIGHT_SHARE = 0.4;
const ALWAYS_ENOUGH_EM = 1.5;
/** Height of a written line in ems. */
const LINE_HEIGHT_EM = 1.5;
/** Rooms of one cell. */
const MAX_ROOMS = 6;
/** A comb's cells: their width in ems, and relative to the mean width; their number. */
const MAX_COMB_CELL_EM = 2.4;
const MAX_COMB_WIDTH_DIFFERENCE = 0.2;
const MIN_COMB_CELLS = 3;
/** Distance of two cells of one comb, and of their edges, in ems. */
const MAX_COMB_GAP_EM = 0.35;

/** Height of the cells of a comb of two relative to their width: room for one character each. */
const MIN_PAIR_HEIGHT = 0.8;

/** True for two cells that share a side and have no other neighbours: room for two digits, as of a day. */
function isPair(row: readonly Cell[], space: PageSpace): boolean {
  const [first, second] = row;
  if (row.length !== 2 || first === undefined || second === undefined) return false;
  const { left, top, right, bottom } = first.box;
  const isFree = (["left", "above", "below"] as const).every((side) => space.cellBeside(first.box, side) === undefined);
  const isFreeToo = (["right", "above", "below"] as const).every(
    (side) => space.cellBeside(second.box, side) === undefined,
  );
  return isFree && isFreeToo && bottom - top >= MIN_PAIR_HEIGHT * (right - left);
}

/** Cells of one height and width beside each other, without print: one place with a cell a character. */
function joinCombs(cells: readonly Cell[], space: PageSpace): { combs: Candidate[]; rest: Cell[] } {
  const { em } = space;
  const narrow = cells.filter(
    ({ box }) => box.right - box.left <= MAX_COMB_CELL_EM * em && space.runsIn(box).length === 0,
  );
  const ordered = [...narrow].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
  const used = new Set<Cell>();
  const combs: Candidate[] = [];
  for (const first of ordered) {
    if (used.has(first)) continue;
    const row = [first];
    for (const next of ordered) {
      const last = row.at(-1) ?? first;
      const gap = next.box.left - last.box.right;
      const isLevel =
        Math.abs(next.box.top - first.box.top) <= MAX_COMB_GAP_EM * em &&
        Math.abs(next.box.bottom - first.box.bottom) <= MAX_COMB_GAP_EM * em;
      const [width, usual] = [next.box.right - next.box.left, first.box.right - first.box.left];
      const isAlike = Math.abs(width - usual) <= MAX_COMB_WIDTH_DIFFERENCE * usual;
      if (!used.has(next) && isLevel && isAlike && Math.abs(gap) <= MAX_COMB_GAP_EM * em) row.push(next);
    }
    if (row.length < MIN_COMB_CELLS && !isPair(row, space)) continue;
    for (const cell of row) used.add(cell);
    const box = { ...first.box, right: row.at(-1)?.box.right ?? first.box.right };
    combs.push({ shape: "comb", box, around: box, comb: row.length });
  }
  return { combs, rest: cells.filter((cell) => !used.has(cell)) };
}

/** Gap between lines of one text in ems of the page's type. */
const MAX_LINE_GAP_EM = 0.55;
/** Distance of the beginnings of lines of one text in ems. */
const MAX_INDENT_EM = 1.5;

/** Joins lines of print that stand under each other: the room beside a label is as high as all its lines. */
export function joinLines(lines: readonly Box[], em: number): Box[] {
  const blocks: Box[] = [];
  for (const line of [...lines].sort((a, b) => a.top - b.top)) {
    const block = blocks.find(
      (one) =>
        line.top - one.bottom <= MAX_LINE_GAP_EM * em &&
        line.top >= one.top &&
        line.bottom > one.bottom &&
        Math.abs(line.left - one.left) <= MAX_INDENT_EM * em,
    );
    if (block === undefined) blocks.push({ ...line });
    else extendBox(block, line);
  }
  return blocks;
}

/** Free rooms of a cell. */
function roomsOf({ box }: Cell, choices: readonly Box[], space: PageSpace): Box[] {
  const { em } = space;
  const height = box.bottom - box.top;
  const needs: RoomNeeds = {
    minWidth: MIN_ROOM_WIDTH_EM * em,
    minHeight: Math.max(MIN_ROOM_HEIGHT_EM * em, Math.min(MIN_HEIGHT_SHARE * height, ALWAYS_ENOUGH_EM * em)),
    enoughHeight: LINE_HEIGHT_EM * em,
  };
  const lines = space.rules.horizontal
    .filter(
      ({ at, from, to }) => at > box.top + em * 0.5 && at < box.bottom - em * 0.5 && from < box.right && to > box.left,
    )
    .map(({ at, from, to }) => ({ left: from, right: to, top: at, bottom: at }));
  const runs = space.runsAt(box);
  // The number of a line in a box of its own is no line of the label beside it.
  const boxed = runs.filter((run) => space.squares.some((square) => containsMiddle(square, run.box)));
  const obstacles = [
    ...joinLines(runs.filter((run) => !boxed.includes(run)).map(inkBox), em),
    ...boxed.map(inkBox),
    ...choices.filter((one) => intersects(box, one)),
    ...space.leadersAt(box),
    ...lines,
  ].map((one) => intersection(box, one));
  const rooms: Box[] = [];
  for (let room = freeRoom(box, obstacles, needs); room !== undefined; room = freeRoom(box, obstacles, needs)) {
    rooms.push(room);
    obstacles.push(room);
    if (rooms.length >= MAX_ROOMS) break;
  }
  return rooms;
}

/** Shades of a box that is tinted to be written in: darker ones are bars, lighter ones cannot be seen. */
const MIN_TINT_SHADE = 0.75;
const MAX_TINT_SHADE = 0.97;
/** Height of such a box in ems, and its share of the page's width: larger ones are the ground of a part of the form. */
const MIN_TINTED_HEIGHT_EM = 1.1;
const MAX_TINTED_HEIGHT_EM = 3.5;
const MAX_TINTED_WIDTH_SHARE = 0.7;
/** Tinted boxes of a page at most; more are a pattern. */
const MAX_TINTED = 500;

/** The box with a point around it. */
const withMargin = ({ left, top, right, bottom }: Box): Box => ({
  left: left - 1,
  top: top - 1,
  right: right + 1,
  bottom: bottom + 1,
});

/** True for a tint that borders on others: on a picture, a larger ground is known in parts. */
const isPartOfGround = (fill: Fill, fills: readonly Fill[]): boolean =>
  fills.some((other) => other !== fill && other.shade >= MIN_TINT_SHADE && intersects(withMargin(fill.box), other.box));

/** Boxes without a frame that are tinted, and hold neither print nor other boxes. */
function tintedBoxes(cells: readonly Cell[], choices: readonly Box[], space: PageSpace): Candidate[] {
  const { em, content } = space;
  const widest = MAX_TINTED_WIDTH_SHARE * (content.frame.right - content.frame.left);
  const light = content.fills.filter((fill) => {
    const { shade, box } = fill;
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    return (
      shade >= MIN_TINT_SHADE &&
      shade < MAX_TINT_SHADE &&
      height >= MIN_TINTED_HEIGHT_EM * em &&
      height <= MAX_TINTED_HEIGHT_EM * em &&
      width >= MIN_ROOM_WIDTH_EM * em &&
      width <= widest &&
      !(content.isPicture && isPartOfGround(fill, content.fills))
    );
  });
  return light
    .slice(0, MAX_TINTED)
    .filter(
      ({ box }) =>
        space.runsIn(box).length === 0 &&
        !cells.some((cell) => intersects(cell.box, box)) &&
        !choices.some((one) => intersects(one, box)),
    )
    .map(({ box }): Candidate => ({ shape: "box", box, around: box }));
}

/** True for a cell with a place to tick and no print: all of it is that place's own. */
const holdsChoiceAlone = ({ box }: Cell, choices: readonly Box[], space: PageSpace): boolean =>
  choices.some((one) => containsMiddle(box, one)) && space.runsIn(box).length === 0;

/**
 * Height of a room in ems from which fields keep off its sides, and their distance from these: the middle of what the
 * authors of five open forms left (1.5 to 2 points in type of 8); in lower rooms fields fill the height.
 */
const HIGH_ROOM_EM = 2.6;
const INSET_EM = 0.2;

/** The field in a room. */
function fieldIn(room: Box, em: number): Box {
  if (room.bottom - room.top < HIGH_ROOM_EM * em) return room;
  const inset = INSET_EM * em;
  return { left: room.left + inset, top: room.top + inset, right: room.right - inset, bottom: room.bottom - inset };
}

/** The places to write in the cells of a page. */
export function findCellRooms(cells: readonly Cell[], choices: readonly Box[], space: PageSpace): Candidate[] {
  const free = cells.filter(
    (cell) => !choices.some((one) => containsMiddle(one, cell.box)) && !holdsChoiceAlone(cell, choices, space),
  );
  const { combs, rest } = joinCombs(joinNumberParts(free, space), space);
  const rooms = rest.flatMap((cell) =>
    roomsOf(cell, choices, space).map(
      (room): Candidate =>
        cell.alone
          ? { shape: "box", box: room, around: cell.box }
          : { shape: "cell", box: fieldIn(room, space.em), around: cell.box },
    ),
  );
  return [...combs, ...rooms, ...tintedBoxes(cells, choices, space)];
}
