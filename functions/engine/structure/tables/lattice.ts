/** Finds the cells that crossing rules enclose. */

import { coveredShare, distinct, type Rules } from "./rule-positions.ts";
import type { Rule } from "./table-parts.ts";

/** A cell, by the lines around it: indices into the lattice's places. */
export interface EnclosedCell {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Lattice {
  /** Places of lines, in order. */
  xs: number[];
  ys: number[];
  /** Cells that lines enclose on all sides, in no order. */
  cells: EnclosedCell[];
}

/** Gap between the end of a line and another that it still meets. */
export const MAX_JUNCTION_GAP_EM = 0.35;
/** Distance of lines with a cell between them. */
const MIN_CELL_SIDE_EM = 0.4;
/** Share of two cells' side along which a line parts them. */
const MIN_SIDE_SHARE = 0.7;
/** Distance from the next line of a side that is not drawn: where lines end alike. */
const MIN_OPEN_SIDE_EM = 1;
/** Units of a lattice; no page of small type has as many cells. */
const MAX_UNITS = 20_000;

interface CrossingRules {
  horizontal: Rule[];
  vertical: Rule[];
}

/** Disjoint sets, by index. */
class DisjointSets {
  readonly #parents: number[];

  constructor(size: number) {
    this.#parents = Array.from({ length: size }, (_, index) => index);
  }

  find(index: number): number {
    let root = index;
    for (let parent = this.#parents[root] ?? root; parent !== root; parent = this.#parents[root] ?? root) {
      this.#parents[root] = this.#parents[parent] ?? parent;
      root = parent;
    }
    return root;
  }

  join(a: number, b: number): void {
    this.#parents[this.find(a)] = this.find(b);
  }
}

/** Groups rules that are connected by crossing or touching. */
function findCrossings({ horizontal, vertical }: Rules, em: number): CrossingRules[] {
  const groups = new DisjointSets(horizontal.length + vertical.length);
  const tolerance = MAX_JUNCTION_GAP_EM * em;
  horizontal.forEach((level, index) => {
    vertical.forEach((upright, other) => {
      if (upright.at < level.from - tolerance || upright.at > level.to + tolerance) return;
      if (level.at < upright.from - tolerance || level.at > upright.to + tolerance) return;
      groups.join(index, horizontal.length + other);
    });
  });
  const found = new Map<number, CrossingRules>();
  const crossingOf = (index: number): CrossingRules => {
    const root = groups.find(index);
    const crossing = found.get(root) ?? { horizontal: [], vertical: [] };
    found.set(root, crossing);
    return crossing;
  };
  horizontal.forEach((rule, index) => {
    crossingOf(index).horizontal.push(rule);
  });
  vertical.forEach((rule, index) => {
    crossingOf(horizontal.length + index).vertical.push(rule);
  });
  return [...found.values()].filter((crossing) => crossing.horizontal.length > 0 && crossing.vertical.length > 0);
}

/** A line where others end alike beyond the outermost line across them: the open side of a table. */
function openSide(along: readonly Rule[], end: "from" | "to", outermost: number, em: number): Rule | undefined {
  const sign = end === "from" ? 1 : -1;
  const at = along.reduce((far, rule) => (sign * rule[end] < sign * far ? rule[end] : far), outermost);
  if (sign * (outermost - at) < MIN_OPEN_SIDE_EM * em) return undefined;
  const places = along.filter((rule) => Math.abs(rule[end] - at) <= MAX_JUNCTION_GAP_EM * em).map((rule) => rule.at);
  return places.length < 2 ? undefined : { at, from: Math.min(...places), to: Math.max(...places) };
}

function closeSides({ horizontal, vertical }: CrossingRules, em: number): CrossingRules {
  const outer = (rules: readonly Rule[]): [number, number] => {
    const places = rules.map((rule) => rule.at);
    return [Math.min(...places), Math.max(...places)];
  };
  const [left, right] = outer(vertical);
  const [top, bottom] = outer(horizontal);
  const uprights = [openSide(horizontal, "from", left, em), openSide(horizontal, "to", right, em)];
  const levels = [openSide(vertical, "from", top, em), openSide(vertical, "to", bottom, em)];
  return {
    horizontal: [...horizontal, ...levels.filter((rule) => rule !== undefined)],
    vertical: [...vertical, ...uprights.filter((rule) => rule !== undefined)],
  };
}

/** Indexes rules by the nearest place. */
function rulesByPlace(rules: readonly Rule[], places: readonly number[], em: number): Rule[][] {
  const near: Rule[][] = places.map(() => []);
  for (const rule of rules) {
    const index = places.findIndex((place) => Math.abs(place - rule.at) <= MIN_CELL_SIDE_EM * em);
    near[index]?.push(rule);
  }
  return near;
}

/**
 * Converts the units of a region to boxes of the lattice: one where they fill a box, else a box for each run in a row.
 */
function toBoxes(units: readonly number[], width: number): EnclosedCell[] {
  const columns = units.map((unit) => unit % width);
  const rows = units.map((unit) => Math.floor(unit / width));
  const [left, right] = [Math.min(...columns), Math.max(...columns) + 1];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows) + 1];
  if ((right - left) * (bottom - top) === units.length) return [{ left, right, top, bottom }];
  const boxes: EnclosedCell[] = [];
  for (const unit of [...units].sort((a, b) => a - b)) {
    const [column, row] = [unit % width, Math.floor(unit / width)];
    const last = boxes.at(-1);
    if (last !== undefined && last.top === row && last.right === column) last.right += 1;
    else boxes.push({ left: column, right: column + 1, top: row, bottom: row + 1 });
  }
  return boxes;
}

/** Groups the units of a lattice, and everything around it, where no line parts them. */
function groupUnits(xs: readonly number[], ys: readonly number[], uprights: Rule[][], levels: Rule[][]): DisjointSets {
  const [width, height] = [xs.length - 1, ys.length - 1];
  const outside = width * height;
  const groups = new DisjointSets(outside + 1);
  const parts = (rules: readonly Rule[] | undefined, places: readonly number[], at: number): boolean =>
    coveredShare(rules ?? [], places[at] ?? 0, places[at + 1] ?? 0) >= MIN_SIDE_SHARE;
  for (let row = 0; row < height; row += 1)
    for (let x = 0; x <= width; x += 1) {
      if (parts(uprights[x], ys, row)) continue;
      groups.join(x === 0 ? outside : row * width + x - 1, x === width ? outside : row * width + x);
    }
  for (let y = 0; y <= height; y += 1)
    for (let column = 0; column < width; column += 1) {
      if (parts(levels[y], xs, column)) continue;
      groups.join(y === 0 ? outside : (y - 1) * width + column, y === height ? outside : y * width + column);
    }
  return groups;
}

const placesOf = (rules: readonly Rule[], em: number): number[] =>
  distinct(
    rules.map((rule) => rule.at),
    MIN_CELL_SIDE_EM * em,
  );

function enclose(crossing: CrossingRules, em: number): Lattice | undefined {
  const { horizontal, vertical } = closeSides(crossing, em);
  const [xs, ys] = [placesOf(vertical, em), placesOf(horizontal, em)];
  const [width, height] = [xs.length - 1, ys.length - 1];
  const outside = width * height;
  if (width < 1 || height < 1 || outside > MAX_UNITS) return undefined;
  const groups = groupUnits(xs, ys, rulesByPlace(vertical, xs, em), rulesByPlace(horizontal, ys, em));
  const regions = new Map<number, number[]>();
  for (let unit = 0; unit < outside; unit += 1) {
    const root = groups.find(unit);
    if (root === groups.find(outside)) continue;
    const region = regions.get(root);
    if (region === undefined) regions.set(root, [unit]);
    else region.push(unit);
  }
  return { xs, ys, cells: [...regions.values()].flatMap((units) => toBoxes(units, width)) };
}

/**
 * Finds the lattices of crossing rules (`settleRules`). Sides that are not drawn count where lines across them end
 * alike.
 */
export function findLattices(rules: Rules, em: number): Lattice[] {
  return findCrossings(rules, em)
    .map((crossing) => enclose(crossing, em))
    .filter((lattice) => lattice !== undefined);
}
