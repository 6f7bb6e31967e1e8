/** How the words of two readers agree: which there are, where they stand, and in what order. */

import { area, overlapShare } from "../../functions/engine/layout/geometry.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { broken, isAside, type Match, matchWords, type PlacedText } from "../support/match.ts";

/** Counts, to be added up. */
export interface Quality {
  ours: number;
  theirs: number;
  matched: number;
  /** The same with leaders and mathematics. */
  allOurs: number;
  allTheirs: number;
  allMatched: number;
  /** Words of one reader that are pieces of a word of the other. */
  fragments: number;
  joins: number;
  /** Matched words whose boxes overlap by half of what both cover. */
  placed: number;
  /** Neighbours in the other's order: how many there are, in the same order here, and neighbours here too. */
  pairs: number;
  ordered: number;
  adjacent: number;
}

const KEYS = [
  "ours",
  "theirs",
  "matched",
  "allOurs",
  "allTheirs",
  "allMatched",
  "fragments",
  "joins",
  "placed",
  "pairs",
  "ordered",
  "adjacent",
] as const;

const noQuality = (): Quality => Object.fromEntries(KEYS.map((key) => [key, 0])) as Record<(typeof KEYS)[number], 0>;

export function sumQuality(parts: readonly Quality[]): Quality {
  const sum = noQuality();
  for (const part of parts) for (const key of KEYS) sum[key] += part[key];
  return sum;
}

/** Intersection over union. */
function likeness(a: PlacedText["box"], b: PlacedText["box"]): number {
  const common = overlapShare(a, b) * Math.min(area(a), area(b));
  return common / (area(a) + area(b) - common);
}

function addOrder(quality: Quality, matches: readonly Match[]): void {
  // The rank among the matched words: what only one reader has stands between no neighbours.
  const ranks = new Map(
    matches
      .map(({ ourIndex }) => ourIndex)
      .sort((a, b) => a - b)
      .map((at, rank) => [at, rank]),
  );
  matches.slice(1).forEach((match, at) => {
    const step = (ranks.get(match.ourIndex) ?? 0) - (ranks.get(matches[at]?.ourIndex ?? 0) ?? 0);
    quality.pairs += 1;
    if (step > 0) quality.ordered += 1;
    if (step === 1) quality.adjacent += 1;
  });
}

function addPage(quality: Quality, ours: readonly PlacedText[], theirs: readonly PlacedText[]): void {
  const counted = (words: readonly PlacedText[]): number => words.filter(({ text }) => !isAside(text)).length;
  const matches = matchWords(ours, theirs);
  quality.allOurs += ours.length;
  quality.allTheirs += theirs.length;
  quality.allMatched += matches.length;
  quality.ours += counted(ours);
  quality.theirs += counted(theirs);
  quality.matched += matches.filter(({ theirs: { text } }) => !isAside(text)).length;
  quality.fragments += broken(theirs, ours).filter(({ word }) => !isAside(word)).length;
  quality.joins += broken(ours, theirs).filter(({ word }) => !isAside(word)).length;
  quality.placed += matches.filter((match) => likeness(match.ours.box, match.theirs.box) > 0.5).length;
  addOrder(quality, matches);
}

/** The words of a text layer beside those of another reader. @param theirs by page, in its order */
export function compareWords(pages: Layout["pages"], theirs: readonly PlacedText[][]): Quality {
  const quality = noQuality();
  for (const page of pages) {
    const words = pageWords(page).filter(({ source }) => source === undefined);
    addPage(quality, words, theirs[page.number - 1] ?? []);
  }
  return quality;
}

export const share = (part: number, of: number): string => (of === 0 ? "–" : (part / of).toFixed(4));

/** Prints what of one reading agrees. */
export function printQuality(name: string, quality: Quality): void {
  const { matched, ours, theirs } = quality;
  console.log(`\n${name}, beside pdftotext -bbox`);
  console.log(`  word recall                 ${share(matched, theirs)}   (goal 0.99; leaders and mathematics aside)`);
  console.log(`  word precision              ${share(matched, ours)}   (goal 0.98)`);
  console.log(
    `  with leaders, mathematics   ${share(quality.allMatched, quality.allTheirs)} and ` +
      share(quality.allMatched, quality.allOurs),
  );
  console.log(`  boxes with IoU above 0.5    ${share(quality.placed, quality.allMatched)}`);
  console.log(`  broken, joined              ${quality.fragments}, ${quality.joins} words`);
  console.log(
    `  reading order               ${share(quality.ordered, quality.pairs)} of neighbours in the same order, ` +
      `${share(quality.adjacent, quality.pairs)} neighbours here too`,
  );
}
