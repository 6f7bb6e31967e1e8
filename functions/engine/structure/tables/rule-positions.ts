/** Rules put in order: pieces of one line joined, lines that hardly differ taken for one, the many bounded. */
import { spanOverlap } from "../../layout/geometry.ts";
import type { Drawing, Fill, Rule } from "./table-parts.ts";

/** All in ems. Two lines so near are one, drawn twice or thick; pieces of a line so near join (dots, cell edges). */
export const SNAP = 0.2;
const JOIN = 0.3;
/** Of each direction; the longest stay. More is a pattern, not a table. */
const MOST_RULES = 1_500;
/** Before joining; dots and dashes count one by one. */
const MOST_PIECES = 50_000;

/** In ems; a page is some fifty bands high, a band of the page's fills holds those of a few rows. */
const BAND_HEIGHT = 2;
const MOST_BANDS = 200;
const MOST_FILLS = 5_000;

/** Pieces of lines at one place joined where they meet; what is shorter than `least` is dropped. */
function joinPieces(pieces: readonly Rule[], em: number, least: number): Rule[] {
  const joined: Rule[] = [];
  const sorted = pieces.slice(0, MOST_PIECES).sort((a, b) => a.at - b.at);
  let start = 0;
  for (let end = 1; end <= sorted.length; end += 1) {
    const [first, next] = [sorted[start], sorted[end]];
    if (first === undefined || (next !== undefined && next.at - first.at <= SNAP * em)) continue;
    const cluster = sorted.slice(start, end).sort((a, b) => a.from - b.from);
    const at = cluster.reduce((sum, piece) => sum + piece.at, 0) / cluster.length;
    const lines: Rule[] = [];
    for (const { from, to } of cluster) {
      const last = lines.at(-1);
      if (last !== undefined && from - last.to <= JOIN * em) last.to = Math.max(last.to, to);
      else lines.push({ at, from, to });
    }
    for (const line of lines) if (line.to - line.from >= least) joined.push(line);
    start = end;
  }
  if (joined.length <= MOST_RULES) return joined;
  return joined
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_RULES)
    .sort((a, b) => a.at - b.at);
}

/** Fills looked up by place: in bands of the page, so that none need be looked through for all. */
class FillIndex {
  readonly #bands = new Map<number, Fill[]>();
  readonly #height: number;

  constructor(fills: readonly Fill[], em: number) {
    this.#height = BAND_HEIGHT * em;
    for (const fill of fills.slice(0, MOST_FILLS)) {
      const [first, last] = [this.#bandOf(fill.box.top), this.#bandOf(fill.box.bottom)];
      for (let band = first; band <= Math.min(last, first + MOST_BANDS); band += 1) {
        const own = this.#bands.get(band);
        if (own === undefined) this.#bands.set(band, [fill]);
        else own.push(fill);
      }
    }
  }

  #bandOf(y: number): number {
    return Math.floor(y / this.#height);
  }

  at(x: number, y: number): Fill | undefined {
    return this.#bands
      .get(this.#bandOf(y))
      ?.findLast(({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
  }
}

/** A drawing made ready: its rules joined and sorted by where they stand, its fills by place. */
export interface Rules {
  horizontal: readonly Rule[];
  vertical: readonly Rule[];
  /** The fill that is drawn last at a point. */
  fillAt(x: number, y: number): Fill | undefined;
}

/** The drawing's rules joined; dashes and marks shorter than an em are left out. */
export function settleRules(drawing: Drawing, em: number): Rules {
  const fills = new FillIndex(drawing.fills, em);
  return {
    horizontal: joinPieces(drawing.horizontal, em, em),
    vertical: joinPieces(drawing.vertical, em, 0.6 * em),
    fillAt: (x, y) => fills.at(x, y),
  };
}

/** Places without those that are nearer than `least` to one before. */
export function distinct(places: readonly number[], least: number): number[] {
  const kept: number[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = kept.at(-1);
    if (last === undefined || place - last > least) kept.push(place);
  }
  return kept;
}

/** The share of a span that rules cover. */
export function covered(rules: readonly Rule[], from: number, to: number): number {
  if (to <= from) return 0;
  let sum = 0;
  for (const rule of rules) sum += Math.max(0, spanOverlap(rule.from, rule.to, from, to));
  return sum / (to - from);
}

/** The rules that stand between two places; `sorted` by place. */
export function rulesBetween(sorted: readonly Rule[], from: number, to: number): Rule[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  const between: Rule[] = [];
  for (let index = low; index < sorted.length; index += 1) {
    const rule = sorted[index];
    if (rule === undefined || rule.at > to) break;
    between.push(rule);
  }
  return between;
}
