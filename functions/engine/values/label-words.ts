/** The words of labels in canonical spelling, and their keys. */
import { foldText } from "./text-folding.ts";
import { wordsByKey, wordsOf } from "./vocabulary/languages.ts";

/** Words that carry no meaning inside a label: `date of issue` and `issue date` share their rest. */
const FILLERS = new Set(wordsOf(({ grammar }) => grammar.fillers).map(foldText));

/** Words and signs for "number" in labels: all become `nr`. */
const NUMBER_WORDS = new Set([...wordsOf(({ labels }) => labels.numberWords).map(foldText), "#", "№"]);
const NUMBER_ENDINGS = wordsOf(({ labels }) => labels.numberEndings);
const NUMBER_ENDING = new RegExp(`(?<=\\p{L}{3})(?:${NUMBER_ENDINGS.join("|")})$`, "u");

/** German names its invoices by kind (`Mietrechnung`, `Schlussrechnung`); a calculation (`Abrechnung`) is none. */
const COMPOUNDS = [...wordsByKey(({ labels }) => labels.compounds)].map(
  ([head, others]) => [new RegExp(`^\\p{L}{3,}(?<!${others.join("|")})${head}$`, "u"), head] as const,
);

/** Plain words, as most labels are once folded: looking for what parts them takes twice the time. */
const PLAIN_WORDS = /^[a-z ]*$/;

function canonicalWord(word: string): string {
  if (NUMBER_WORDS.has(word)) return "nr";
  // Few words end so, and a look at the end takes a tenth of the pattern's time.
  const compound = COMPOUNDS.find(([pattern, head]) => word.endsWith(head) && pattern.test(word));
  if (compound !== undefined) return compound[1];
  const isNumber = NUMBER_ENDINGS.some((ending) => word.endsWith(ending));
  return (isNumber ? word.replace(NUMBER_ENDING, "nr") : word).replace(/([aou])e/g, "$1");
}

/**
 * The meaningful words of a label in canonical spelling: folded, number words as `nr`, umlauts however written,
 * fillers dropped. Empty for text without a letter or `#`.
 */
export function labelWords(text: string): string[] {
  const words: string[] = [];
  // `n°` and `nº` must survive folding, which turns º into o.
  // A percent sign alone makes another label (`VAT %`), one behind a number is part of a value.
  const numbered = /[°º]/.test(text) ? text.replace(/\b[nN]\s?[°º]/g, " nr ") : text;
  const percent = numbered.includes("%") ? numbered.replace(/(?<![\d\s])\s*%|^\s*%/g, " pct ") : numbered;
  const folded = foldText(percent);
  for (const raw of folded.split(PLAIN_WORDS.test(folded) ? " " : /[^\p{L}\p{N}#№]+/u)) {
    if (raw === "" || FILLERS.has(raw)) continue;
    // `Rechnung#` and `#` alone name a number; `#123` is a value.
    const hash = raw.endsWith("#") ? /^(\p{L}+)#$/u.exec(raw) : null;
    if (hash?.[1] !== undefined) words.push(canonicalWord(hash[1]), "nr");
    else if (raw === "#" || !raw.includes("#")) words.push(canonicalWord(raw));
    else words.push(raw);
  }
  // `Van:` is a label, though `van` inside one means nothing.
  return words.length === 0 && folded.endsWith(":")
    ? [folded.slice(0, -1).trim()].filter((word) => FILLERS.has(word))
    : words;
}

/** One string per label, the same for every spelling of it: `Rechnungs-Nr.`, `Rechnungsnummer` → `rechnungsnr`. */
export const labelKey = (text: string): string => labelWords(text).join("");
