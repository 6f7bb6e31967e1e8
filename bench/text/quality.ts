/** Agreement of two readers: their words, boxes and reading order. */

import { area, overlapShare } from "../../functions/engine/layout/geometry.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { brokenWords, isLeaderOrSign, matchWords, type PlacedText, type WordMatch } from "../support/match.ts";

/** Counts, which add up. */
export interface ReadingQuality {
  ours: number;
  theirs: number;
  matched: number;
  /** The same with leaders and mathematical signs. */
  allOurs: number;
  allTheirs: number;
  allMatched: number;
  /** Words of one reader that are parts of a word of the other. */
  fragments: number;
  joins: number;
  /** Matched words whose boxes have an intersection over union of at least a half. */
  placed: number;
  /**
   * Neighbours in the other's order; those of them in the same order here; those of them that are neighbours here, too.
   */
  pairs: number;
  ordered: number;
  adjacent: number;
}

const QUALITY_COUNTS = [
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

const zeroQuality = (): ReadingQuality =>
  Object.fromEntries(QUALITY_COUNTS.map((key) => [key, 0])) as Record<(typeof QUALITY_COUNTS)[number], 0>;

export function sumQuality(parts: readonly ReadingQuality[]): ReadingQuality {
  const sum = zeroQuality();
  for (const part of parts) for (const key of QUALITY_COUNTS) sum[key] += part[key];
  return sum;
}

/** Intersection over union. */
function intersectionOverUnion(a: PlacedText["box"], b: PlacedText["box"]): number {
  const common = overlapShare(a, b) * Math.min(area(a), area(b));
  return common / (area(a) + area(b) - common);
}

function addOrder(quality: ReadingQuality, matches: readonly WordMatch[]): void {
  // The rank among the matched words: unmatched words do not separate neighbours.
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

function addPage(quality: ReadingQuality, ours: readonly PlacedText[], theirs: readonly PlacedText[]): void {
  const counted = (words: readonly PlacedText[]): number => words.filter(({ text }) => !isLeaderOrSign(text)).length;
  const matches = matchWords(ours, theirs);
  quality.allOurs += ours.length;
  quality.allTheirs += theirs.length;
  quality.allMatched += matches.length;
  quality.ours += counted(ours);
  quality.theirs += counted(theirs);
  quality.matched += matches.filter(({ theirs: { text } }) => !isLeaderOrSign(text)).length;
  quality.fragments += brokenWords(theirs, ours).filter(({ word }) => !isLeaderOrSign(word)).length;
  quality.joins += brokenWords(ours, theirs).filter(({ word }) => !isLeaderOrSign(word)).length;
  quality.placed += matches.filter((match) => intersectionOverUnion(match.ours.box, match.theirs.box) > 0.5).length;
  addOrder(quality, matches);
}

/** Compares the words of a text layer with those of another reader. @param theirs by page, in its order */
export function compareWords(pages: Layout["pages"], theirs: readonly PlacedText[][]): ReadingQuality {
  const quality = zeroQuality();
  for (const page of pages) {
    const words = pageWords(page).filter(({ source }) => source === undefined);
    addPage(quality, words, theirs[page.number - 1] ?? []);
  }
  return quality;
}

export const share = (part: number, of: number): string => (of === 0 ? "–" : (part / of).toFixed(4));

/** Prints the agreement of one reading. */
export function printQuality(name: string, quality: ReadingQuality): void {
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
