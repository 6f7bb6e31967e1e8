/** What the built-in vocabulary is made of: concepts of business documents and the words that announce them. */

export type Language = "en" | "de" | "fr" | "es" | "nl" | "it";

/** What kind of value stands beside a concept's label. */
export type ValueKind =
  | "code"
  | "date"
  | "amount"
  | "rate"
  | "quantity"
  | "currency"
  | "party"
  | "iban"
  | "bic"
  | "vat-id"
  | "phone"
  | "email"
  | "url"
  | "text";

export interface Concept {
  id: string;
  value: ValueKind;
  /** Names that properties give it, beyond its labels: words separated by spaces, alternatives by `|`. */
  names: string;
  /** Labels that mean this concept wherever they stand; alternatives separated by `|`. */
  labels: Partial<Record<Language, string>>;
  /** Labels that often mean something else; they score lower. */
  weak?: Partial<Record<Language, string>>;
}

/** The alternatives of a list, trimmed. */
export const alternatives = (list: string | undefined): string[] =>
  (list ?? "")
    .split("|")
    .map((item) => item.trim())
    .filter((item) => item !== "");
