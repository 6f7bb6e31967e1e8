/** Rules that cross each other, to the cells that they enclose. */

import { covered, distinct, type Rules } from "./rule-positions.ts";
import type { Rule } from "./table-parts.ts";

/** A cell by the lines around it: indices into the lattice's places. */
export interface Enclosed {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Lattice {
  /** Where lines stand, in order. */
  xs: number[];
  ys: number[];
  /** Cells that lines enclose on all sides, in no order. */
  cells: Enclosed[];
}

/** All in ems. Lines that end so short of another still meet it. */
const REACH = 0.35;
/** Lines nearer than this have no cell between them. */
const NARROWEST = 0.4;
/** A line parts two cells when it runs along so much of their side. */
const ALONG = 0.7;
/** Sides that are not drawn: where lines end alike, so far from the next line. */
const OPEN_SIDE = 1;
/** More units than a page of small type has cells. */
const MOST_UNITS = 20_000;

interface Crossing {
  horizontal: Rule[];
  vertical: Rule[];
}

/** Sets that grow together, by index. */
class Groups {
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

/** Rules in sets that hang together by crossing or touching. */
function findCrossings({ horizontal, vertical }: Rules, em: number): Crossing[] {
  const groups = new Groups(horizontal.length + vertical.length);
  const reach = REACH * em;
  horizontal.forEach((level, index) => {
    vertical.forEach((upright, other) => {
      if (upright.at < level.from - reach || upright.at > level.to + reach) return;
      if (level.at < upright.from - reach || level.at > upright.to + reach) return;
      groups.join(index, horizontal.length + other);
    });
  });
  const found = new Map<number, Crossing>();
  const crossingOf = (index: number): Crossing => {
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

/** A line where others end alike beyond the outermost line across them: the side of a table that is left open. */
function openSide(along: readonly Rule[], end: "from" | "to", outermost: number, em: number): Rule | undefined {
  const sign = end === "from" ? 1 : -1;
  const at = along.reduce((far, rule) => (sign * rule[end] < sign * far ? rule[end] : far), outermost);
  if (sign * (outermost - at) < OPEN_SIDE * em) return undefined;
  const places = along.filter((rule) => Math.abs(rule[end] - at) <= REACH * em).map((rule) => rule.at);
  return places.length < 2 ? undefined : { at, from: Math.min(...places), to: Math.max(...places) };
}

function closeSides({ horizontal, vertical }: Crossing, em: number): Crossing {
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

/** Rules by the nearest place, for looking up sides. */
function byPlace(rules: readonly Rule[], places: readonly number[], em: number): Rule[][] {
  const near: Rule[][] = places.map(() => []);
  for (const rule of rules) {
    const index = places.findIndex((place) => Math.abs(place - rule.at) <= NARROWEST * em);
    near[index]?.push(rule);
  }
  return near;
}

/** The units of a region as boxes of the lattice: one when they fill a box, else a box for each run in a row. */
function toBoxes(units: readonly number[], width: number): Enclosed[] {
  const columns = units.map((unit) => unit % width);
  const rows = units.map((unit) => Math.floor(unit / width));
  const [left, right] = [Math.min(...columns), Math.max(...columns) + 1];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows) + 1];
  if ((right - left) * (bottom - top) === units.length) return [{ left, right, top, bottom }];
  const boxes: Enclosed[] = [];
  for (const unit of [...units].sort((a, b) => a - b)) {
    const [column, row] = [unit % width, Math.floor(unit / width)];
    const last = boxes.at(-1);
    if (last !== undefined && last.top === row && last.right === column) last.right += 1;
    else boxes.push({ left: column, right: column + 1, top: row, bottom: row + 1 });
  }
  return boxes;
}

/** The units of a lattice, and all around it, in groups that no line parts. */
function groupUnits(xs: readonly number[], ys: readonly number[], uprights: Rule[][], levels: Rule[][]): Groups {
  const [width, height] = [xs.length - 1, ys.length - 1];
  const outside = width * height;
  const groups = new Groups(outside + 1);
  const parts = (rules: readonly Rule[] | undefined, places: readonly number[], at: number): boolean =>
    covered(rules ?? [], places[at] ?? 0, places[at + 1] ?? 0) >= ALONG;
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
    NARROWEST * em,
  );

function enclose(crossing: Crossing, em: number): Lattice | undefined {
  const { horizontal, vertical } = closeSides(crossing, em);
  const [xs, ys] = [placesOf(vertical, em), placesOf(horizontal, em)];
  const [width, height] = [xs.length - 1, ys.length - 1];
  const outside = width * height;
  if (width < 1 || height < 1 || outside > MOST_UNITS) return undefined;
  const groups = groupUnits(xs, ys, byPlace(vertical, xs, em), byPlace(horizontal, ys, em));
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

/** The lattices of rules (`settleRules`) that cross. Sides that are not drawn count where lines across them end alike. */
export function findLattices(rules: Rules, em: number): Lattice[] {
  return findCrossings(rules, em)
    .map((crossing) => enclose(crossing, em))
    .filter((lattice) => lattice !== undefined);
}
