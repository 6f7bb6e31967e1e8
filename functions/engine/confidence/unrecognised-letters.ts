/**
 * Letters of a language that recognition never returns: an engine trained on other letters reads `Müller` as `Miiller`
 * or `Muller`, confidently and each time. A page without any of its language's letters shows that they are lost.
 */

import type { DocumentContext } from "../extraction/rules/document-context.ts";
import { LANGUAGE_CODES, languageFile } from "../values/vocabulary/languages.ts";
import type { KnownLeaf } from "./check.ts";
import type { ValuePlace } from "./value-places.ts";

const LETTERS = LANGUAGE_CODES.map((code) => [code, languageFile(code).letters] as const);
/** Letters without a substitute, of languages in which they are at least one in a hundred. */
const OWN_LETTERS: ReadonlyMap<string, RegExp> = new Map(
  LETTERS.flatMap(([code, letters]) =>
    letters === undefined ? [] : [[code, new RegExp(`[${letters.own}]`, "giu")] as const],
  ),
);
/** Misreadings of such a letter that the language itself cannot have: `Miinchen`. */
const CONFUSED_LETTERS: ReadonlyMap<string, RegExp> = new Map(
  LETTERS.flatMap(([code, letters]) =>
    letters?.misread === undefined
      ? []
      : [[code, new RegExp(`\\p{L}(?:${letters.misread.join("|")})\\p{Ll}`, "u")] as const],
  ),
);
/** Minimum recognised letters for a verdict, and the share of own letters below which they are lost. */
const MIN_RECOGNISED_LETTERS = 250;
const MAX_LOST_LETTER_SHARE = 0.002;
/** Share of own letters in these languages. */
const OWN_LETTER_SHARE = 0.03;

const isRecognised = ({ confidence }: { confidence: number }): boolean => confidence < 1;

/** The language's own letters are lost in the recognised text. */
function areLost({ view, conventions: { language } }: Pick<DocumentContext, "view" | "conventions">): boolean {
  const own = OWN_LETTERS.get(language ?? "");
  if (own === undefined) return false;
  let [letters, kept] = [0, 0];
  for (const { tokens } of view.segments) {
    for (const { text } of tokens.filter(isRecognised)) {
      letters += text.match(/\p{L}/gu)?.length ?? 0;
      kept += text.match(own)?.length ?? 0;
    }
  }
  return letters >= MIN_RECOGNISED_LETTERS && kept < letters * MAX_LOST_LETTER_SHARE;
}

export class LostLetters {
  readonly #lost: boolean;
  readonly #telltale: RegExp | undefined;

  constructor(context: Pick<DocumentContext, "view" | "conventions">) {
    const { language } = context.conventions;
    this.#lost = areLost(context);
    this.#telltale = CONFUSED_LETTERS.get(language ?? "");
  }

  /** 0 to 1: probability that a text of that length has lost one of the language's own letters. */
  lossProbability({ leaf, meaning }: KnownLeaf, place: ValuePlace | null): number {
    if (place === null || typeof leaf.value !== "string" || meaning.value === "currency") return 0;
    if (!place.tokens.some(isRecognised) || /\d/.test(leaf.value)) return 0;
    if (this.#telltale?.test(leaf.value)) return 1;
    if (!this.#lost) return 0;
    return 1 - (1 - OWN_LETTER_SHARE) ** (leaf.value.match(/\p{Ll}/gu)?.length ?? 0);
  }
}
