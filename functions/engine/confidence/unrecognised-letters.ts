/**
 * Letters that a language has and its recognition never gives: `Müller` is read as `Miiller` or `Muller`, surely and
 * each time, by what only knows other letters. A page of a language without any of its letters tells that they are lost.
 */
import type { DocumentContext } from "../extraction/rules/document-context.ts";
import type { KnownLeaf } from "./check.ts";
import type { ValuePlace } from "./value-places.ts";

/** Letters that no other letter stands for, in languages that have at least one in a hundred of them. */
const OWN_LETTERS: Record<string, RegExp> = {
  de: /[äöüß]/giu,
  fr: /[éèêëàâçùûôîïœ]/giu,
  es: /[áéíóúñü]/giu,
  pt: /[áâãàçéêíóôõú]/giu,
  sv: /[åäö]/giu,
  da: /[æøå]/giu,
  no: /[æøå]/giu,
  fi: /[äö]/giu,
  pl: /[ąćęłńóśźż]/giu,
};
/** What recognition makes of a letter of its own, where the language has nothing like it: `Miinchen`. */
const CONFUSED_LETTERS: Record<string, RegExp> = { de: /\p{L}ii\p{Ll}/u };
/** Recognised letters that tell, and the share of a language's own among them below which they are lost. */
const MIN_RECOGNISED_LETTERS = 250;
const MAX_LOST_LETTER_SHARE = 0.002;
/** In these languages a letter is one of their own so often. */
const OWN_LETTER_SHARE = 0.03;

const isRecognised = ({ confidence }: { confidence: number }): boolean => confidence < 1;

/** Are the language's own letters lost in what was recognised? */
function areLost({ view, conventions: { language } }: Pick<DocumentContext, "view" | "conventions">): boolean {
  const own = language === null || !Object.hasOwn(OWN_LETTERS, language) ? undefined : OWN_LETTERS[language];
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
    this.#telltale =
      language !== null && Object.hasOwn(CONFUSED_LETTERS, language) ? CONFUSED_LETTERS[language] : undefined;
  }

  /** 0 to 1: how likely a text of so many letters has lost one of its language's own. */
  lossProbability({ leaf, meaning }: KnownLeaf, place: ValuePlace | null): number {
    if (place === null || typeof leaf.value !== "string" || meaning.value === "currency") return 0;
    if (!place.tokens.some(isRecognised) || /\d/.test(leaf.value)) return 0;
    if (this.#telltale?.test(leaf.value)) return 1;
    if (!this.#lost) return 0;
    return 1 - (1 - OWN_LETTER_SHARE) ** (leaf.value.match(/\p{Ll}/gu)?.length ?? 0);
  }
}
