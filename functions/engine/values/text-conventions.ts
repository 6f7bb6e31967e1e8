/** A document's conventions for numbers, dates and currencies, decided once from its text. */

import { currenciesOf, currencyOf } from "./currencies.ts";
import { type DateOrder, decideDateOrder } from "./dates.ts";
import { detectLanguage } from "./language.ts";
import { decideNotation, type Notation } from "./numbers.ts";

export interface TextConventions {
  notation: Notation;
  order: DateOrder;
  /** ISO codes of printed currencies. */
  currencies: string[];
}

/** More text does not change the decision. */
const MAX_SAMPLE_CHARS = 200_000;
const MAX_LANGUAGE_SAMPLE_CHARS = 20_000;

const isText = (code: string | null): code is string => code !== null;

export function conventionsOf(texts: readonly string[]): TextConventions {
  const sample = texts.join("\n").slice(0, MAX_SAMPLE_CHARS);
  const lines = sample.split("\n");
  const language = detectLanguage(sample.slice(0, MAX_LANGUAGE_SAMPLE_CHARS));
  const marks = (sample.match(/\b[A-Z]{3}\b|[^\d\s.,'’a-zA-Z+()–-]{1,3}/gu) ?? []).map(currencyOf).filter(isText);
  const { currencies } = currenciesOf(marks, lines, language);
  return {
    notation: decideNotation(lines, language === "en" || language === null ? "point" : "comma"),
    order: decideDateOrder(lines, language, currencies),
    currencies: [...currencies],
  };
}
