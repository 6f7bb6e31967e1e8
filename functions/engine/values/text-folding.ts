/** Words: folding for comparison, splitting of names, keys of labels. Pure string work, no page geometry. */
import { wordsByKey, wordsOf } from "./vocabulary/languages.ts";

/** Printed ASCII but for the grave accent: only its capitals fold. Most text is such. */
const PLAIN = /^[ -_a-~]*$/;

/** Lower case without diacritics; ligatures and ß spelt out. Keeps every other character. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/ı/g, "i")
    .replace(/đ/g, "d")
    .replace(/ς/g, "σ")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[‐‑‒–—−]/g, "-");
}

/** Folding may change a text's length (ß → ss); this one keeps it, so that positions hold. */
export function foldInPlace(text: string): string {
  let out = "";
  for (const char of text) {
    const folded = foldText(char);
    out +=
      folded.length === char.length ? folded : char.toLowerCase().length === char.length ? char.toLowerCase() : char;
  }
  return out;
}

/** The words of a property name: `invoiceNumber`, `invoice_number`, `InvoiceNo` and `invoice-number` all split. */
export function splitName(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => foldText(word));
}

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
  for (const raw of folded.split(/[^\p{L}\p{N}#№]+/u)) {
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

const ENDING = new RegExp(`(?:${wordsOf(({ grammar }) => grammar.endings).join("|")})$`, "u");

/** A light stem that lets `shipping method` meet `Shipping methods`: common endings off, at least four letters kept. */
export function stem(word: string): string {
  const cut = word.replace(ENDING, "");
  return cut.length >= 4 ? cut : word;
}

/** Trims white space and the punctuation that clings to a value in running text. */
export function trimValue(text: string): string {
  let value = text.replace(/\s+/g, " ").trim();
  value = value.replace(/^[:;,|*•·\-–—=>]+\s*/u, "").replace(/\s*[:;,|*•·]+$/u, "");
  if (/^\(.*\)$/.test(value) && !value.slice(1, -1).includes("(")) value = value.slice(1, -1);
  return value.trim();
}

/** Levenshtein distance, given up (returning `limit + 1`) as soon as it exceeds `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
