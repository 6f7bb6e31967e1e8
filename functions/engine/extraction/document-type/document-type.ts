/** The type of a document by its title, else by its typical wording. */

import { foldText } from "../../values/text-folding.ts";
import { KIND_WORDINGS } from "../../values/vocabulary/document-kinds.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { SAFETY_DATA_SHEET } from "./titled-kind.ts";

const MAX_SAMPLE_CHARS = 40_000;
/** Types that need their own name, which is their first entry: taxes and totals occur on forms too. */
const NAMED_TYPES = new Set(["invoice", "credit note", "receipt", "purchase order", "delivery note"]);
/** Entries that must match; a letter has only two. */
const MIN_ENTRIES = 2;
const MIN_ENTRY_SHARE = 0.5;

/** Folded words with single spaces, for the search of whole phrases. */
const toPhrases = (text: string): string => ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'-]+/gu, " ")} `;

/** Wording of each type. Each entry counts once, however often it occurs. */
const WORDING = Object.entries(KIND_WORDINGS).map(
  ([kind, things]) =>
    [
      kind,
      things.map((thing) => wordsOf(({ documents }) => documents.wordings?.[kind]?.[thing]).map(toPhrases)),
    ] as const,
);

const hasAnyPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase));

/**
 * The type of a document.
 * @param heading the text at the top of the first page
 * @param titled the type by title, if any
 * @returns `other` when neither title nor wording decides
 */
export function documentType(heading: string, text: string, titled: string | null): string {
  // This title may share its line with the regulation it refers to; other titles stand alone.
  if (SAFETY_DATA_SHEET.test(foldText(heading))) return "safety data sheet";
  // A greeting does not prove a letter.
  if (titled !== null && titled !== "letter") return titled;
  const words = toPhrases(text.slice(0, MAX_SAMPLE_CHARS));
  let best: { type: string; share: number } | undefined;
  for (const [type, wordings] of WORDING) {
    if (NAMED_TYPES.has(type) && !hasAnyPhrase(words, wordings[0] ?? [])) continue;
    const count = wordings.filter((phrases) => hasAnyPhrase(words, phrases)).length;
    const share = count / wordings.length;
    if (count >= MIN_ENTRIES && share >= MIN_ENTRY_SHARE && share > (best?.share ?? 0)) best = { type, share };
  }
  return best?.type ?? titled ?? "other";
}
