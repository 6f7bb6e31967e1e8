/**
 * Decides which pages need recognition, from the file itself. The rule, first match:
 *
 * 1. mode NONE: none;
 * 2. no words, and nothing is drawn: no;
 * 3. mode PREMIUM: yes, all others;
 * 4. no words: yes, what is drawn may be text;
 * 5. 30 letters and more in pictures or drawn as outlines that its text does not have (readers/pdf/unread-letters.ts): yes. Photos,
 *    charts without labels, barcodes and the names in logos have fewer, and what an earlier page shows at the same place,
 *    as letterheads do, counts there only;
 * 6. runs of characters without a meaning in it, as of one font (readers/pdf/garbled-runs.ts), or of a font whose
 *    characters form no words (readers/pdf/meaningless-fonts.ts): yes;
 * 7. the text layer's quality (page-quality.ts) is poor, characters without a meaning or letters as in no language: yes, whether
 *    it is a wrong encoding or invisible text that a bad recognition left;
 * 8. mode AUTO, and the text is invisible, over a picture of the page, and fair only: yes;
 * 9. few words for the picture on the page, as a scanner's stamp or a signature has: yes. Few are 60 where pictures cover
 *    the page, and in proportion less where they cover less; under a quarter of the page they are illustrations. This is
 *    for writing that rule 5 cannot see: by hand, or faint;
 * 10. all others have a text layer that can be trusted.
 */

import type { Page } from "../../../ports/layout.ts";
import type { OcrMode } from "../../../ports/ocr.ts";
import { pageWords } from "../../layout/page-words.ts";
import type { TextLayerEvidence } from "./page-evidence.ts";
import { hasGarbledRuns, hidesLetters, judgePage, unreadLetters } from "./page-quality.ts";

export interface OcrNeed {
  needed: boolean;
  /** A phrase. */
  reason: string;
}

const MOSTLY_SHARE = 0.5;
const MAX_ILLUSTRATION_COVER_SHARE = 0.25;
const FEW_WORDS_ON_PICTURE = 60;

const needed = (reason: string): OcrNeed => ({ needed: true, reason });
const notNeeded = (reason: string): OcrNeed => ({ needed: false, reason });

/** Rule 9; also applied before the page's pictures are examined: rule 5 then needs no answer. */
export const hasFewWords = (words: number, pictureCover: number): boolean =>
  pictureCover >= MAX_ILLUSTRATION_COVER_SHARE && words <= FEW_WORDS_ON_PICTURE * pictureCover;

/** The page without its comments: they are on the page, not of it. */
function withoutComments(page: Page): Page {
  const text = page.blocks.filter(({ kind }) => kind !== "note");
  // The same object where there are no comments, as its quality is then judged once (page-quality.ts).
  return text.length === page.blocks.length ? page : { ...page, blocks: text };
}

/** True for a text layer with characters without a meaning, in whole or in part: rules 6 and 7. */
export function isGarbled(page: Page, signs: TextLayerEvidence | undefined): boolean {
  const own = withoutComments(page);
  if (pageWords(own).length === 0) return false;
  return hasGarbledRuns(signs) || judgePage({ page: own, signs, source: "text" }).grade === "poor";
}

/**
 * Decides by the rule above.
 * @param page as its text layer has it
 * @param signs of the page that the reader saw besides; absent where it saw nothing: then a page without words may be
 * drawn
 */
export function needsOcr(page: Page, signs: TextLayerEvidence | undefined, mode: OcrMode): OcrNeed {
  if (mode === "NONE") return notNeeded("only text layers were asked for");
  const own = withoutComments(page);
  const words = pageWords(own).length;
  if (words === 0 && signs?.drawn === false) return notNeeded("nothing is drawn on it");
  if (mode === "PREMIUM") return needed("every page is recognised");
  if (words === 0) return needed("it has no text layer");
  if (hidesLetters(signs)) return needed(`about ${unreadLetters(signs)} letters on it are not in its text`);
  if (hasGarbledRuns(signs)) return needed(`runs of its characters have no meaning: ${signs?.garbled?.length ?? 0}`);
  const quality = judgePage({ page: own, signs, source: "text" });
  if (quality.grade === "poor") return needed(`its text layer is garbled: ${quality.reasons.join(", ")}`);
  if (signs === undefined) return notNeeded("it has a text layer");
  if (
    mode === "AUTO" &&
    quality.grade === "fair" &&
    signs.hiddenShare > MOSTLY_SHARE &&
    signs.pictureCover > MOSTLY_SHARE
  ) {
    return needed(`the hidden text on its picture is doubtful: ${quality.reasons.join(", ")}`);
  }
  if (hasFewWords(words, signs.pictureCover)) {
    return needed(
      `it has ${words} words only, and a picture over ${Math.round(signs.pictureCover * 100)} % of the page`,
    );
  }
  return notNeeded("it has a text layer");
}
