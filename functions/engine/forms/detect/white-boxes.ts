/** White boxes to write in on tinted paper of a picture: edges of the tint bound them, alone or together with rules. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, middleX, middleY, spanOverlap } from "../../layout/geometry.ts";
import { SAME_LINE_EM, settleRules } from "../../structure/tables/rule-positions.ts";
import type { Drawing, Rule } from "../../structure/tables/table-parts.ts";
import { enclosedCells } from "./enclosed-cells.ts";
import { type FormWord, pageEm } from "./form-page.ts";
import { isTickSquare } from "./ruled-squares.ts";

/** Share of a side along which it is an edge of tint, as the rest may be a rule or soft. */
const MIN_EDGE_SHARE = 0.6;
/** Boxes of a page at most; more are a pattern. */
const MAX_BOXES = 3_000;
/** Height of a part of a box at least, in ems: a line of print. */
const MIN_PART_EM = 1;
/** Distance of the end of an edge from a box whose rows it parts, in ems. */
const MAX_MEETING_GAP_EM = 0.35;

type Edges = Pick<Drawing, "horizontal" | "vertical">;

const isAlong = (edges: readonly Rule[], at: number, [from, to]: [number, number], em: number): boolean => {
  const near = edges.filter((one) => Math.abs(one.at - at) <= SAME_LINE_EM * em);
  const along = near.reduce((sum, one) => sum + Math.max(spanOverlap(one.from, one.to, from, to), 0), 0);
  return along >= MIN_EDGE_SHARE * (to - from);
};

/** True for a box with an edge of tint on one of its sides. */
function hasEdge({ left, top, right, bottom }: Box, { horizontal, vertical }: Edges, em: number): boolean {
  return (
    [top, bottom].some((at) => isAlong(horizontal, at, [left, right], em)) ||
    [left, right].some((at) => isAlong(vertical, at, [top, bottom], em))
  );
}

/**
 * The parts of a box beside which level edges of tint end. They part the rows of the box, too: a gray block beside several
 * rows stands for numbers that are left out, and the row after it has a place of its own.
 */
function partsOf(box: Box, { horizontal }: Edges, em: number): Box[] {
  const isBeside = ({ from, to }: Rule): boolean =>
    Math.min(Math.abs(to - box.left), Math.abs(from - box.right)) <= MAX_MEETING_GAP_EM * em;
  const parts: Box[] = [];
  let { top } = box;
  for (const { at } of horizontal.filter(isBeside).sort((a, b) => a.at - b.at)) {
    if (at - top < MIN_PART_EM * em || box.bottom - at < MIN_PART_EM * em) continue;
    parts.push({ ...box, top, bottom: at });
    top = at;
  }
  return [...parts, { ...box, top }];
}

/** Joins cells of the size of a place to tick that stand side by side: a place with a cell for each character. */
function joinCells(boxes: readonly Box[], em: number): Box[] {
  const near = MAX_MEETING_GAP_EM * em;
  const joined: Box[] = [];
  for (const box of [...boxes].sort((a, b) => a.top - b.top || a.left - b.left)) {
    const last = joined.at(-1);
    const isNext =
      last !== undefined &&
      isTickSquare(box, em) &&
      Math.abs(last.top - box.top) <= near &&
      Math.abs(last.bottom - box.bottom) <= near &&
      Math.abs(box.left - last.right) <= near;
    if (isNext) last.right = box.right;
    else joined.push({ ...box });
  }
  return joined;
}

/**
 * The white boxes without print that edges of tint bound.
 * @param drawing rules and tints of the page, points
 * @param edges between tint and other paper
 */
export function whiteBoxes(drawing: Drawing, edges: Edges, words: readonly FormWord[]): Box[] {
  if (edges.horizontal.length + edges.vertical.length === 0) return [];
  const em = pageEm({ words });
  const rules = settleRules(
    {
      horizontal: [...drawing.horizontal, ...edges.horizontal],
      vertical: [...drawing.vertical, ...edges.vertical],
      fills: drawing.fills,
    },
    em,
  );
  const boxes = enclosedCells(rules, em, MAX_BOXES)
    .filter(({ alone, box }) => !alone || !isTickSquare(box, em))
    .map(({ box }) => box)
    .filter(
      (box) =>
        rules.fillAt(middleX(box), middleY(box)) === undefined &&
        hasEdge(box, edges, em) &&
        !words.some((word) => containsMiddle(box, word.box)),
    );
  return joinCells(boxes, em).flatMap((box) => partsOf(box, edges, em));
}
