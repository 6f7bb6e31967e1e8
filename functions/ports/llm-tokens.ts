/**
 * Estimates the tokens of a text without the model's own tokenizer: every provider has another one, and a budget only
 * needs a number that is not too low.
 *
 * Byte-pair tokenizers first split a text into words, numbers, signs and white space, then each of those into tokens.
 * The estimate does the same, with a token count per class of character. The counts were fitted to OpenAI's
 * cl100k_base, which many open models' tokenizers resemble, and o200k_base, its newer and more economical one, on 55
 * forms, invoices, books and schemas and on the names of regions, currencies and days in 50 languages. Each of those
 * documents is estimated at 1.04 to 1.5 times the count of o200k_base and at 0.97 to 1.5 times that of cl100k_base. The
 * names, far harder than prose, are at 0.94 or more of o200k_base (0.79 of cl100k_base, for Slavic and Baltic names),
 * and at two to four times of it in scripts for which cl100k_base has hardly more than bytes.
 */

/** Most tokens of a page's picture at full detail: 85, and 170 for each of up to 8 tiles of 512 pixels a side. */
export const MAX_IMAGE_TOKENS = 1_445;

/** Latin letters, and digits, of one token. */
const LATIN_LETTERS_PER_TOKEN = 3.4;
const DIGITS_PER_TOKEN = 3;
/** Plain letters that an accented letter, and a capital inside a word, count as. */
const ACCENTED_LETTER_LETTERS = 4.5;
const INNER_CAPITAL_LETTERS = 1.6;
/** Tokens of a sign after another sign: pairs like `",` are often one token. */
const NEXT_SIGN_TOKENS = 0.6;
/** Repeated signs of one token, as in a dotted line, and repeated blanks of one token. */
const REPEATED_SIGNS_PER_TOKEN = 4;
const BLANKS_PER_TOKEN = 12;

const OTHER_SCRIPT_TOKENS = 2;

/** Ends of ranges of UTF-16 units above U+02AF, each with the tokens per unit of the range below it. */
const SCRIPT_TOKENS: readonly (readonly [end: number, tokens: number])[] = [
  [0x0370, 1], // modifiers and combining marks
  [0x0400, 1.15], // Greek
  [0x0530, 0.75], // Cyrillic
  [0x0590, 2.1], // Armenian
  [0x0600, 1.25], // Hebrew
  [0x0780, 1.05], // Arabic
  [0x0900, OTHER_SCRIPT_TOKENS],
  [0x0980, 1.25], // Devanagari
  [0x0e00, 2], // other scripts of India
  [0x0e80, 1.1], // Thai
  [0x1200, 2.2],
  [0x1380, 3.1], // Ethiopic
  [0x1e00, OTHER_SCRIPT_TOKENS],
  [0x2000, 1.25], // Latin with several accents, as in Vietnamese, and ancient Greek
  [0x2e80, 1.5], // punctuation, arrows, boxes, symbols
  [0x3040, 1.5], // CJK symbols
  [0x3100, 1.2], // kana
  [0x3400, OTHER_SCRIPT_TOKENS],
  [0xac00, 1.7], // Han
  [0xd7b0, 1.6], // Hangul
  [0xe000, 1.5], // surrogates: emoji, rare Han
  [0x10000, OTHER_SCRIPT_TOKENS],
];

const LATIN_END_CODE = 0x02b0;
const SPACE_CODE = 0x20;

type UnitClass = "letter" | "digit" | "blank" | "sign" | "other-script";

function classOf(unit: number): UnitClass {
  if (unit >= LATIN_END_CODE) return "other-script";
  if (unit <= SPACE_CODE || unit === 0xa0) return "blank";
  if (unit >= 0x30 && unit <= 0x39) return "digit";
  const lower = unit | SPACE_CODE;
  if ((lower >= 0x61 && lower <= 0x7a) || unit >= 0xc0) return "letter";
  return "sign";
}

/** Tokens per unit, for each block of 16 units: all ranges end at such a boundary. */
const TOKENS_BY_BLOCK = Float64Array.from({ length: 0x1000 }, (_, index) => {
  return SCRIPT_TOKENS.find(([end]) => index * 16 < end)?.[1] ?? OTHER_SCRIPT_TOKENS;
});

const scriptTokens = (unit: number): number => TOKENS_BY_BLOCK[unit >> 4] ?? OTHER_SCRIPT_TOKENS;

const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;
const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;

/**
 * Tokens of a Latin word: capitals make shorter tokens than small letters, accented letters are often their own token.
 */
function wordTokens(text: string, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    letters += unit >= 0xc0 ? ACCENTED_LETTER_LETTERS : isUpper(unit) && at > start ? INNER_CAPITAL_LETTERS : 1;
    // A capital after a small letter begins a new word (camelCase).
    if (at > start && isUpper(unit) && isLower(text.charCodeAt(at - 1))) letters += LATIN_LETTERS_PER_TOKEN / 2;
  }
  return Math.max(1, letters / LATIN_LETTERS_PER_TOKEN);
}

/** End of the run of units of the same class that begins at `start`; for signs, of the same sign. */
function runEnd(text: string, start: number, unitClass: UnitClass): number {
  const first = text.charCodeAt(start);
  let end = start + 1;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unitClass === "sign" ? unit !== first : classOf(unit) !== unitClass) break;
    end += 1;
  }
  return end;
}

/**
 * Estimates the tokens of a text, too high rather than too low. Linear in its length.
 * @returns a whole number; 0 for the empty text
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let afterSign = false;
  for (let at = 0; at < text.length; ) {
    const unitClass = classOf(text.charCodeAt(at));
    if (unitClass === "other-script") {
      tokens += scriptTokens(text.charCodeAt(at));
      at += 1;
      afterSign = false;
      continue;
    }
    const end = runEnd(text, at, unitClass);
    const length = end - at;
    if (unitClass === "letter") tokens += wordTokens(text, at, end);
    else if (unitClass === "digit") tokens += Math.ceil(length / DIGITS_PER_TOKEN);
    else if (unitClass === "sign")
      tokens += length === 1 && afterSign ? NEXT_SIGN_TOKENS : Math.ceil(length / REPEATED_SIGNS_PER_TOKEN);
    // A single space belongs to the word after it, but not to a number.
    else if (length > 1 || text.charCodeAt(at) !== SPACE_CODE || classOf(text.charCodeAt(end)) === "digit") {
      tokens += Math.ceil(length / BLANKS_PER_TOKEN);
    }
    afterSign = unitClass === "sign";
    at = end;
  }
  return Math.ceil(tokens);
}
