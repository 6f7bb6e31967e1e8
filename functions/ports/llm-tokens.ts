/**
 * How many tokens a text is, without the model's own tokenizer: every maker has another, and a budget needs only a
 * number that is not too low.
 *
 * Tokenizers of the byte-pair kind first cut a text into words, figures, signs and white space, then each of those into
 * pieces. The same is done here, with a price for each sort of piece. The prices were fitted to OpenAI's cl100k_base,
 * of whose kind many open models' tokenizers are, and o200k_base, its newer and thriftier one, on 55 forms, invoices,
 * books and schemas and on the names of regions, currencies and days in 50 languages. Every one of those documents is
 * estimated at 1.04 to 1.5 times what o200k_base counts and at 0.97 to 1.5 times what cl100k_base does. The names, far
 * harder than prose, are at 0.94 or more of o200k_base (0.79 of cl100k_base, for Slavic and Baltic ones), and at two to
 * four times of it in scripts for which cl100k_base has hardly more than bytes.
 */

/** Tokens of a page's picture at full detail, at most: 85, and 170 for each of up to 8 tiles of 512 pixels a side. */
export const IMAGE_TOKENS = 1_445;

/** Letters of one Latin piece, and digits of one figure. */
const LATIN_LETTERS = 3.4;
const DIGITS = 3;
/** Letters of a piece that a letter with a mark, and a capital inside a word, take the room of. */
const MARKED = 4.5;
const CAPITAL = 1.6;
/** Tokens of a sign behind another: pairs like `",` are often one piece. */
const NEXT_SIGN = 0.6;
/** Signs of a row of the same, as in a dotted line, and blanks of a row: such rows have pieces of their own. */
const ROW = 4;
const BLANKS = 12;

const OTHER = 2;

/** Ends of ranges of UTF-16 units above U+02AF, each with the tokens of a unit below it. */
const PRICES: readonly (readonly [end: number, tokens: number])[] = [
  [0x0370, 1], // modifiers and combining marks
  [0x0400, 1.15], // Greek
  [0x0530, 0.75], // Cyrillic
  [0x0590, 2.1], // Armenian
  [0x0600, 1.25], // Hebrew
  [0x0780, 1.05], // Arabic
  [0x0900, OTHER],
  [0x0980, 1.25], // Devanagari
  [0x0e00, 2], // the scripts of the rest of India
  [0x0e80, 1.1], // Thai
  [0x1200, 2.2],
  [0x1380, 3.1], // Ethiopic
  [0x1e00, OTHER],
  [0x2000, 1.25], // Latin with several marks, as in Vietnamese, and Greek of old
  [0x2e80, 1.5], // punctuation, arrows, boxes, symbols
  [0x3040, 1.5], // signs of CJK
  [0x3100, 1.2], // kana
  [0x3400, OTHER],
  [0xac00, 1.7], // Han
  [0xd7b0, 1.6], // Hangul
  [0xe000, 1.5], // halves of what lies above the plane: emoji, rare Han
  [0x10000, OTHER],
];

const LATIN_END = 0x02b0;
const BLANK = 0x20;

type Sort = "letter" | "digit" | "blank" | "sign" | "priced";

function sortOf(unit: number): Sort {
  if (unit >= LATIN_END) return "priced";
  if (unit <= BLANK || unit === 0xa0) return "blank";
  if (unit >= 0x30 && unit <= 0x39) return "digit";
  const lower = unit | BLANK;
  if ((lower >= 0x61 && lower <= 0x7a) || unit >= 0xc0) return "letter";
  return "sign";
}

/** The price of each 16 units: all ranges end at such a boundary. */
const PRICE_OF_16 = Float64Array.from({ length: 0x1000 }, (_, index) => {
  return PRICES.find(([end]) => index * 16 < end)?.[1] ?? OTHER;
});

const priceOf = (unit: number): number => PRICE_OF_16[unit >> 4] ?? OTHER;

const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a;
const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;

/** A Latin word: capitals make shorter pieces than small letters, letters with marks are often pieces of their own. */
function wordTokens(text: string, start: number, end: number): number {
  let letters = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    letters += unit >= 0xc0 ? MARKED : isUpper(unit) && at > start ? CAPITAL : 1;
    // A capital inside a word begins a word of its own.
    if (at > start && isUpper(unit) && isLower(text.charCodeAt(at - 1))) letters += LATIN_LETTERS / 2;
  }
  return Math.max(1, letters / LATIN_LETTERS);
}

/** End of the row of units of the same sort that begins at `start`; for signs, of the same sign. */
function rowEnd(text: string, start: number, sort: Sort): number {
  const first = text.charCodeAt(start);
  let end = start + 1;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (sort === "sign" ? unit !== first : sortOf(unit) !== sort) break;
    end += 1;
  }
  return end;
}

/**
 * Estimates the tokens of a text, rather too high than too low. Linear in its length.
 * @returns a whole number; 0 for the empty text
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let afterSign = false;
  for (let at = 0; at < text.length; ) {
    const sort = sortOf(text.charCodeAt(at));
    if (sort === "priced") {
      tokens += priceOf(text.charCodeAt(at));
      at += 1;
      afterSign = false;
      continue;
    }
    const end = rowEnd(text, at, sort);
    const length = end - at;
    if (sort === "letter") tokens += wordTokens(text, at, end);
    else if (sort === "digit") tokens += Math.ceil(length / DIGITS);
    else if (sort === "sign") tokens += length === 1 && afterSign ? NEXT_SIGN : Math.ceil(length / ROW);
    // One space belongs to the word behind it, but not to a figure.
    else if (length > 1 || text.charCodeAt(at) !== BLANK || sortOf(text.charCodeAt(end)) === "digit") {
      tokens += Math.ceil(length / BLANKS);
    }
    afterSign = sort === "sign";
    at = end;
  }
  return Math.ceil(tokens);
}
