/**
 * Evidence of the page itself for words that were written: who fills a form writes with one type, which is seldom that of its labels, and
 * in columns. The runs that other signs are sure about say how wide that type is, and where the columns begin.
 */
import type { TextRun } from "../detect/page-space.ts";

/** Widths of characters in ems, as of usual text faces: relative widths differ little between them. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[il'|]/u, 0.22],
  [/[fjtI.,:;!/\\]/u, 0.28],
  [/[r()[\]\-"]/u, 0.33],
  [/[mM%]/u, 0.83],
  [/[wWCGOQDNHRU@&]/u, 0.73],
  [/\p{Lu}/u, 0.66],
];
const USUAL_WIDTH = 0.55;
/** Paper at both ends of a word that belongs to its first and last character, in ems: the box of a recognised word is that of its ink. */
const BEARING_EM = 0.12;

const widthOf = (character: string): number =>
  WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? USUAL_WIDTH;

/** Size of type by the widths of its words, in points: heights of letters are a few pixels, words many. */
export function sizeByWidth({ words }: Pick<TextRun, "words">): number {
  let [points, ems] = [0, 0];
  for (const { text, box } of words) {
    points += box.right - box.left;
    ems += [...text].reduce((sum, character) => sum + widthOf(character), 0) - BEARING_EM;
  }
  return points / Math.max(ems, 0.1);
}

/** A measure of runs by which written ones may differ from print. */
interface Measure {
  of(run: TextRun): number;
  /** Difference of two runs of one kind. */
  spread: number;
}

/** Spread of the logarithm of a size, and of the left edges of a column, in points. */
const MEASURES: readonly Measure[] = [
  { of: (run) => Math.log(sizeByWidth(run)), spread: 0.05 },
  { of: ({ size }) => Math.log(size), spread: 0.06 },
  { of: ({ box }) => box.left, spread: 2.5 },
];
/** Density where no run is, relative to that where all are: a few runs have a size or edge of their own. */
const ELSEWHERE = 0.06;
/** Written runs beside the one that is asked about from which they count by half. */
const HALF_TRUSTED_RUNS = 2;
/** Strongest evidence of one measure either way, in units of log-odds. */
const MAX_EVIDENCE = 2.5;
/** Rounds in which runs and measures settle. */
const ROUNDS = 3;
/** Runs that are compared, each with each, in 1.1 s of processor time (measured); a form's page has a few hundred. */
const MAX_RUNS = 2_000;

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** The evidence of a measure for each run, from all others. @param shares how sure each is written, 0 to 1 */
function evidenceOf({ of, spread }: Measure, runs: readonly TextRun[], shares: readonly number[]): number[] {
  const values = runs.map(of);
  return values.map((value, at) => {
    let [written, print, writtenHere, printHere] = [0, 0, 0, 0];
    for (const [other, share] of shares.entries()) {
      if (other === at) continue;
      const off = ((values[other] ?? 0) - value) / spread;
      const near = Math.exp(-0.5 * off * off);
      written += share;
      writtenHere += near * share;
      print += 1 - share;
      printHere += near * (1 - share);
    }
    if (written === 0 || print === 0) return 0;
    const evidence = Math.log((writtenHere / written + ELSEWHERE) / (printHere / print + ELSEWHERE));
    const trust = written / (written + HALF_TRUSTED_RUNS);
    return Math.max(-MAX_EVIDENCE, Math.min(MAX_EVIDENCE, trust * evidence));
  });
}

/**
 * Adds the page's evidence to the log-odds that runs were written.
 * @param odds of the runs by other signs; they stay for a page of more runs than can be compared
 */
export function withTypeEvidence(runs: readonly TextRun[], odds: readonly number[]): number[] {
  let current = [...odds];
  if (runs.length > MAX_RUNS) return current;
  for (let round = 0; round < ROUNDS; round += 1) {
    const shares = current.map(sigmoid);
    const found = MEASURES.map((measure) => evidenceOf(measure, runs, shares));
    current = odds.map((own, at) => found.reduce((sum, one) => sum + (one[at] ?? 0), own));
  }
  return current;
}
