/** Settles rules: joins pieces of one line, merges lines that hardly differ, and bounds their number. */
import { lowerBound } from "../../layout/binary-search.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import type { Drawing, Fill, Rule } from "./table-parts.ts";

/** Distance of two lines that are one, drawn twice or thick; and gap between pieces of one line (dots, cell edges). */
export const SAME_LINE_EM = 0.2;
const MAX_PIECE_GAP_EM = 0.3;
/** Rules of each direction; the longest stay. More are a pattern, not a table. */
const MAX_RULES = 1_500;
/** Pieces of rules before joining; dots and dashes count one by one. */
const MAX_PIECES = 50_000;

/** Height of the bands that index fills: a page is some fifty bands high, a band holds the fills of a few rows. */
const BAND_HEIGHT_EM = 2;
const MAX_BANDS_OF_FILL = 200;
const MAX_FILLS = 5_000;

/** Joins pieces of lines at one place where they meet; lines shorter than `least` are dropped. */
function joinPieces(pieces: readonly Rule[], em: number, least: number): Rule[] {
  const joined: Rule[] = [];
  const sorted = pieces.slice(0, MAX_PIECES).sort((a, b) => a.at - b.at);
  let start = 0;
  for (let end = 1; end <= sorted.length; end += 1) {
    const [first, next] = [sorted[start], sorted[end]];
    if (first === undefined || (next !== undefined && next.at - first.at <= SAME_LINE_EM * em)) continue;
    const cluster = sorted.slice(start, end).sort((a, b) => a.from - b.from);
    const at = cluster.reduce((sum, piece) => sum + piece.at, 0) / cluster.length;
    const lines: Rule[] = [];
    for (const { from, to, thickness } of cluster) {
      const last = lines.at(-1);
      const isNext = last !== undefined && from - last.to <= MAX_PIECE_GAP_EM * em;
      if (isNext) last.to = Math.max(last.to, to);
      const line = isNext ? last : { at, from, to };
      if (!isNext) lines.push(line);
      if (thickness !== undefined) line.thickness = Math.max(line.thickness ?? 0, thickness);
    }
    for (const line of lines) if (line.to - line.from >= least) joined.push(line);
    start = end;
  }
  if (joined.length <= MAX_RULES) return joined;
  return joined
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_RULES)
    .sort((a, b) => a.at - b.at);
}

/** Index of fills by bands of the page, so that no look-up searches all of them. */
class FillIndex {
  readonly #bands = new Map<number, Fill[]>();
  readonly #height: number;

  constructor(fills: readonly Fill[], em: number) {
    this.#height = BAND_HEIGHT_EM * em;
    for (const fill of fills.slice(0, MAX_FILLS)) {
      const [first, last] = [this.#bandOf(fill.box.top), this.#bandOf(fill.box.bottom)];
      for (let band = first; band <= Math.min(last, first + MAX_BANDS_OF_FILL); band += 1) {
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

/** A settled drawing: its rules joined and sorted by place, its fills indexed. */
export interface Rules {
  horizontal: readonly Rule[];
  vertical: readonly Rule[];
  /** The fill on top at a point. */
  fillAt(x: number, y: number): Fill | undefined;
}

/** Settles the drawing's rules; dashes and marks shorter than an em are dropped. */
export function settleRules(drawing: Drawing, em: number): Rules {
  const fills = new FillIndex(drawing.fills, em);
  return {
    horizontal: joinPieces(drawing.horizontal, em, em),
    vertical: joinPieces(drawing.vertical, em, 0.6 * em),
    fillAt: (x, y) => fills.at(x, y),
  };
}

/** Places without those nearer than `least` to one before. */
export function distinct(places: readonly number[], least: number): number[] {
  const kept: number[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = kept.at(-1);
    if (last === undefined || place - last > least) kept.push(place);
  }
  return kept;
}

/** Share of a span that rules cover. */
export function coveredShare(rules: readonly Rule[], from: number, to: number): number {
  if (to <= from) return 0;
  let sum = 0;
  for (const rule of rules) sum += Math.max(0, spanOverlap(rule.from, rule.to, from, to));
  return sum / (to - from);
}

/** The rules between two places; `sorted` by place. */
export function rulesBetween(sorted: readonly Rule[], from: number, to: number): Rule[] {
  const between: Rule[] = [];
  for (let index = lowerBound(sorted, (rule) => rule.at, from); index < sorted.length; index += 1) {
    const rule = sorted[index];
    if (rule === undefined || rule.at > to) break;
    between.push(rule);
  }
  return between;
}
