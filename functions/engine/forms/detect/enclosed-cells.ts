/** The cells of a form: what rules enclose, rows that are open at a side, and cells around the number of their line. */
import type { Box } from "../../../ports/layout.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import { findLattices } from "../../structure/tables/lattice.ts";
import type { Rules } from "../../structure/tables/rule-positions.ts";
import type { Rule } from "../../structure/tables/table-parts.ts";

/** A cell, and whether it shares sides with others. */
export interface Cell {
  box: Box;
  alone: boolean;
}

/** Distance of the ends of two rules that end alike, and of a rule's end from one that it meets, in ems. */
const SAME_END_EM = 0.5;
/** Share of a row's height along which an upright rule parts it. */
const MIN_PARTING_SHARE = 0.7;
/** Height of an open row, and width of its part beyond the last upright rule, in ems. */
const MAX_ROW_EM = 6;
const MIN_PART_EM = 2;
/** Upright rules that are looked at; a page with more is a pattern. */
const MAX_UPRIGHTS = 600;
/** Share of two parts' common edge under rules up to which they are one cell. */
const MAX_EDGE_SHARE = 0.2;
/** Share of the wider part's width that the narrower one has at least. */
const MIN_WIDTH_SHARE = 0.6;

const coverOf = (rules: readonly Rule[], from: number, to: number): number =>
  rules.reduce((sum, rule) => sum + Math.max(spanOverlap(rule.from, rule.to, from, to), 0), 0) / (to - from);

/**
 * The sides that are not drawn of rows between two level rules which end alike: a form's rows are often divided, but
 * open at the edge of the page.
 */
export function openSides({ horizontal, vertical }: Pick<Rules, "horizontal" | "vertical">, em: number): Rule[] {
  const near = SAME_END_EM * em;
  const found: Rule[] = [];
  for (const divider of vertical.slice(0, MAX_UPRIGHTS)) {
    const crossed = horizontal
      .filter(
        ({ at, from, to }) =>
          at >= divider.from - near && at <= divider.to + near && from < divider.at && to > divider.at,
      )
      .sort((a, b) => a.at - b.at);
    for (const [index, lower] of crossed.entries()) {
      const upper = crossed[index - 1];
      if (upper === undefined || lower.at - upper.at < em || lower.at - upper.at > MAX_ROW_EM * em) continue;
      for (const end of ["from", "to"] as const) {
        if (Math.abs(upper[end] - lower[end]) > near || Math.abs(lower[end] - divider.at) < MIN_PART_EM * em) continue;
        const [left, right] = [Math.min(lower[end], divider.at), Math.max(lower[end], divider.at)];
        const parting = vertical.filter(({ at }) => at >= left - near && at <= right + near);
        const isParted = parting.some(
          (one) => one !== divider && coverOf([one], upper.at, lower.at) >= MIN_PARTING_SHARE,
        );
        if (!isParted) found.push({ at: lower[end], from: upper.at, to: lower.at });
      }
    }
  }
  return found;
}

/** True for a part under another with no rule between them, of nearly its width: both are one cell around a box. */
function isPartOf(lower: Box, upper: Box, levels: readonly Rule[], em: number): boolean {
  if (lower.left < upper.left - 1 || lower.right > upper.right + 1) return false;
  if (lower.right - lower.left < MIN_WIDTH_SHARE * (upper.right - upper.left)) return false;
  const edge = levels.filter(({ at }) => Math.abs(at - lower.top) <= SAME_END_EM * em);
  return coverOf(edge, lower.left, lower.right) <= MAX_EDGE_SHARE;
}

/** Joins the parts of cells from which a corner is cut, as by the box around a line's number. */
function joinParts(cells: readonly Cell[], levels: readonly Rule[], em: number): Cell[] {
  const gone = new Set<Cell>();
  const byFoot = Map.groupBy(cells, ({ box }) => Math.round(box.bottom));
  const joined = cells.map((cell): Cell => {
    const foot = Math.round(cell.box.top);
    const upper = [-1, 0, 1]
      .flatMap((shift) => byFoot.get(foot + shift) ?? [])
      .find((one) => one !== cell && isPartOf(cell.box, one.box, levels, em));
    if (upper === undefined) return cell;
    gone.add(upper);
    return { ...cell, box: { ...cell.box, top: upper.box.top } };
  });
  return joined.filter((_, index) => {
    const own = cells[index];
    return own !== undefined && !gone.has(own);
  });
}

/** The boxes that rules enclose, at most `most`. */
export function enclosedCells(rules: Rules, em: number, most: number): Cell[] {
  const closed = { ...rules, vertical: [...rules.vertical, ...openSides(rules, em)].sort((a, b) => a.at - b.at) };
  const found = findLattices(closed, em).flatMap(({ xs, ys, cells }) =>
    cells.map(({ left, right, top, bottom }) => ({
      box: { left: xs[left] ?? 0, right: xs[right] ?? 0, top: ys[top] ?? 0, bottom: ys[bottom] ?? 0 },
      alone: cells.length === 1,
    })),
  );
  return joinParts(found.slice(0, most), rules.horizontal, em);
}
