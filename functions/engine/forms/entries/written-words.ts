/** Tells the words that were written into a form from its print. */
import { probability } from "../detect/confidence.ts";
import { type FormPageContent, type FormWord, pageEm } from "../detect/form-page.ts";
import { PageSpace } from "../detect/page-space.ts";
import { lineParts } from "./lines-under-words.ts";
import { withTypeEvidence } from "./type-evidence.ts";
import { styleShares, writtenSigns } from "./written-signs.ts";
import { PICTURE_WEIGHTS, TEXT_WEIGHTS } from "./written-weights.ts";

/** Log-odds from which a run was rather written than printed. */
const LEAST_ODDS = 0;

/** Difference in size from which two words of a text layer are of two kinds, as a share. */
const MAX_SIZE_DIFFERENCE = 0.08;

function isApart(before: FormWord, word: FormWord): boolean {
  const isOtherSize = Math.abs(before.size - word.size) > MAX_SIZE_DIFFERENCE * Math.max(before.size, word.size);
  return isOtherSize || (before.bold === true) !== (word.bold === true);
}

/**
 * A page whose runs end behind a colon, and where the type changes or, on a picture, a line to write on begins or ends:
 * label and value often stand in one row.
 */
export function withPiecedRuns(content: FormPageContent): PageSpace {
  const isParted = content.isPicture ? lineParts(content, pageEm(content)) : isApart;
  let line = 0;
  let before: FormWord | undefined;
  const words = content.words.map((word): FormWord => {
    if (before === undefined || before.line !== word.line || /[:：]$/u.test(before.text) || isParted(before, word))
      line += 1;
    before = word;
    return { ...word, line };
  });
  return new PageSpace({ ...content, words });
}

/** Words that were written into a page. */
export interface WrittenWords {
  words: FormWord[];
  /** 0 to 1: how sure it is that they are not printed; 1 where the file tells. */
  certainty: number;
}

/**
 * Runs of print that are mistaken for written ones on a page: on the open forms that the weights are fitted to, about one
 * in four of a dozen. A page with so few of them is rather a blank form.
 */
const MISTAKEN_RUNS = 3;
/**
 * How decided runs are on average, 0 to 1, from which they are written ones. On a blank form print is mistaken for them that other print
 * is like: few of those are clear.
 */
const CLEAR = 0.6;

/** How sure it is that a page was written on. @param odds of the runs that rather were, as logarithms */
function certaintyOf(odds: readonly number[]): number {
  const sum = odds.reduce((all, one) => all + Math.tanh(one / 2), 0);
  const clear = Math.min(1, sum / Math.max(odds.length, 1) / CLEAR);
  return (sum / (sum + MISTAKEN_RUNS)) * clear ** 2;
}

/** The words of a page that were written into it. */
export function writtenWords(content: FormPageContent): WrittenWords {
  const overlaid = content.words.filter((word) => word.overlaid !== undefined);
  if (overlaid.length > 0) return { words: overlaid, certainty: 1 };
  const space = withPiecedRuns(content);
  const shareOf = styleShares(space);
  const weights = content.isPicture ? PICTURE_WEIGHTS : TEXT_WEIGHTS;
  const given = new Map(space.content.words.map((word, index) => [word, content.words[index] ?? word]));
  const odds = space.runs.map((run) => {
    const sure = probability(writtenSigns(run, space, shareOf(run)), weights);
    return Math.log(sure / (1 - sure));
  });
  const settled = content.isPicture ? withTypeEvidence(space.runs, odds) : odds;
  const isWritten = (_: unknown, index: number): boolean => (settled[index] ?? 0) >= LEAST_ODDS;
  const runs = space.runs.filter(isWritten);
  return {
    words: runs.flatMap((run) => run.words.map((word) => given.get(word) ?? word)),
    certainty: content.isPicture ? certaintyOf(settled.filter(isWritten)) : runs.length / (runs.length + MISTAKEN_RUNS),
  };
}
