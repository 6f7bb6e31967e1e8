/** Finds the parts of a text that stand close together, but not in sequence. */

import { lowerBound } from "../layout/binary-search.ts";
import type { ComparisonBudget } from "./printed-words.ts";
import type { WordStream } from "./word-stream.ts";

export interface ScatteredMatch {
  /** Positions in the stream, in order. */
  positions: number[];
  /** Share of the text's characters that stand there, 0 to 1. */
  share: number;
}

/** A short text must be complete, with at most a word or two in between. */
const MAX_FEW_PARTS = 4;
/** Share of a longer text's characters that must be there. */
const MIN_TEXT_SHARE = 0.85;
/** Only the beginning of longer texts is searched. */
const MAX_PARTS = 2_000;
/** Rarest parts, and places of each, around which the other parts are searched. */
const MAX_ANCHOR_PARTS = 3;
const MAX_PLACES = 60;
/** A single short word identifies nothing. */
const MIN_CHARACTERS = 8;

const isNumber = (part: string): boolean => /^\d/.test(part);

/** Positions of one part that are tried. */
const MAX_TRIES_PER_PART = 8;
/** Short texts, such as addresses, may be reordered; longer ones keep their order, give or take some words. */
const MAX_REORDERED_PARTS = 12;

/** The free position of a part nearest to its expected position. */
function nearestFree(
  positions: readonly number[],
  due: number,
  slack: number,
  taken: ReadonlySet<number>,
): number | null {
  const at = lowerBound(positions, (position) => position, due);
  let best: number | null = null;
  for (const position of positions.slice(Math.max(0, at - MAX_TRIES_PER_PART), at + MAX_TRIES_PER_PART)) {
    const off = Math.abs(position - due);
    if (off > slack || taken.has(position)) continue;
    if (best === null || off < Math.abs(best - due)) best = position;
  }
  return best;
}

/** Gathers the parts around the place of one of them, each as near as possible to its expected position. */
function gatherParts(parts: readonly string[], stream: WordStream, anchor: number, place: number): Map<number, number> {
  const few = parts.length <= MAX_FEW_PARTS;
  const taken = new Set([place]);
  const places = new Map([[anchor, place]]);
  const order = [...parts.keys()].sort((a, b) => Math.abs(a - anchor) - Math.abs(b - anchor));
  for (const index of order.slice(1)) {
    const away = Math.abs(index - anchor);
    const slack = few ? parts.length + 2 : parts.length <= MAX_REORDERED_PARTS ? 2 * parts.length : 4 + 0.25 * away;
    const position = nearestFree(stream.positions(parts[index] ?? ""), place + index - anchor, slack, taken);
    if (position === null) continue;
    taken.add(position);
    places.set(index, position);
  }
  return places;
}

/** Maximum distance between a number and its neighbour in the text. */
const MAX_NEIGHBOUR_DISTANCE_WORDS = 2;

/** Another number is another address: each number must be there, beside a word that it stands beside in the text. */
const keepsNumbers = (parts: readonly string[], places: ReadonlyMap<number, number>): boolean =>
  parts.every((part, index) => {
    if (!isNumber(part)) return true;
    const own = places.get(index);
    return (
      own !== undefined &&
      [index - 1, index + 1].some(
        (other) => Math.abs((places.get(other) ?? Number.POSITIVE_INFINITY) - own) <= MAX_NEIGHBOUR_DISTANCE_WORDS,
      )
    );
  });

const lengthOf = (list: readonly string[]): number => list.reduce((sum, part) => sum + part.length, 0);

/** Share of the parts' characters among those found; 0 if a number is missing. */
const shareIn = (parts: readonly string[], found: readonly string[]): number =>
  found.filter(isNumber).length < parts.filter(isNumber).length ? 0 : lengthOf(found) / lengthOf(parts);

/** The fullest places where nearly all parts stand. Empty for fewer than two parts. */
export function scatteredMatches(
  all: readonly string[],
  stream: WordStream,
  budget: ComparisonBudget,
): ScatteredMatch[] {
  const parts = all.slice(0, MAX_PARTS);
  if (parts.length < 2 || parts.join("").length < MIN_CHARACTERS) return [];
  const few = parts.length <= MAX_FEW_PARTS;
  const printed = parts.filter((part) => stream.positions(part).length > 0);
  if (shareIn(parts, printed) < (few ? 1 : MIN_TEXT_SHARE)) return [];
  const anchors = [...new Set(parts)]
    .filter((part) => (part.length > 2 || isNumber(part)) && stream.positions(part).length > 0)
    .sort((a, b) => stream.positions(a).length - stream.positions(b).length)
    .slice(0, MAX_ANCHOR_PARTS);
  const matches = new Map<number, ScatteredMatch>();
  const starts = anchors.flatMap((anchor) =>
    stream
      .positions(anchor)
      .slice(0, MAX_PLACES)
      .map((place) => ({ place, anchor: parts.indexOf(anchor) })),
  );
  for (const { place, anchor } of starts) {
    if (!budget.spend(parts.length * MAX_TRIES_PER_PART)) break;
    const places = gatherParts(parts, stream, anchor, place);
    if (!keepsNumbers(parts, places)) continue;
    const positions = [...places.values()].sort((a, b) => a - b);
    const share = shareIn(
      parts,
      positions.map((position) => stream.keys[position] ?? ""),
    );
    const first = positions[0];
    if (first === undefined || share < (few ? 1 : MIN_TEXT_SHARE)) continue;
    if (share > (matches.get(first)?.share ?? 0)) matches.set(first, { positions, share });
  }
  const best = Math.max(0, ...[...matches.values()].map(({ share }) => share));
  return [...matches.values()]
    .filter(({ share }) => share > best - 0.02)
    .sort((a, b) => spreadOf(a) - spreadOf(b))
    .slice(0, MAX_PLACES);
}

const spreadOf = ({ positions }: ScatteredMatch): number => (positions.at(-1) ?? 0) - (positions[0] ?? 0);
