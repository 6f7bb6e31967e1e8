/**
 * Check digits of VAT identification numbers of the European Union, Great Britain, Norway and Switzerland, by the
 * algorithms that their tax administrations publish. Numbers of natural persons often have none.
 */
import { digitsOf, lettersToDigits, passesLuhn, passesMod11And10, remainder, weightedSum } from "./check-digits.ts";

/** The outcome, or null if the number's form has no public check digit. */
type Scheme = (text: string) => boolean | null;

const digitAt = (text: string, place: number): number => Number(text[place]);
const lastDigit = (text: string): number => Number(text.at(-1));
const lastTwoDigits = (text: string): number => Number(text.slice(-2));

/** The last digit makes the weighted sum a multiple of ten. */
const weightedModulo10 =
  (weights: readonly number[], before = 0): Scheme =>
  (text) =>
    (10 - ((weightedSum(digitsOf(text), weights) + before) % 10)) % 10 === lastDigit(text);

/**
 * The last digit is the sum modulo 11, or with `turned` 11 minus it. `ten` replaces a remainder of ten; null: no such
 * number exists.
 */
const weightedModulo11 =
  (weights: readonly number[], { turned = false, ten = null }: { turned?: boolean; ten?: number | null }): Scheme =>
  (text) => {
    const rest = weightedSum(digitsOf(text), weights) % 11;
    const digit = turned ? (11 - rest) % 11 : rest;
    return digit === 10 ? ten === lastDigit(text) : digit === lastDigit(text);
  };

/** Uses the second weights where the first leave ten (Bulgaria, Lithuania). */
const weightedModulo11Twice =
  (first: readonly number[], second: readonly number[]): Scheme =>
  (text) => {
    const digits = digitsOf(text);
    const rest = weightedSum(digits, first) % 11;
    return (rest === 10 ? (weightedSum(digits, second) % 11) % 10 : rest) === lastDigit(text);
  };

function austria(text: string): boolean {
  const sum = digitsOf(text.slice(1, 8)).reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 4);
  return (10 - (sum % 10)) % 10 === lastDigit(text);
}

const CYPRUS_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

function cyprus(text: string): boolean {
  const sum = digitsOf(text.slice(0, 8)).reduce(
    (total, digit, place) => total + (place % 2 === 0 ? (CYPRUS_ODD[digit] ?? 0) : digit),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === text[8];
}

const SPAIN_PERSON = "TRWAGMYFPDXBNJZSQVHLCKE";
const SPAIN_COMPANY = "JABCDEFGHI";

function spain(text: string): boolean | null {
  const foreigner = "XYZ".indexOf(text.charAt(0));
  const person = foreigner >= 0 ? `${foreigner}${text.slice(1, 8)}` : text.slice(0, 8);
  if (/^\d{8}$/.test(person)) return SPAIN_PERSON[Number(person) % 23] === text[8];
  if (!/^[A-HJNP-SUVW]\d{7}[\dA-J]$/.test(text)) return null;
  const sum = digitsOf(text.slice(1, 8)).reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  const control = (10 - (sum % 10)) % 10;
  return text[8] === String(control) || text[8] === SPAIN_COMPANY[control];
}

const IRELAND = "WABCDEFGHIJKLMNOPQRSTUV";

function ireland(text: string): boolean | null {
  if (!/^\d{7}[A-W][A-I]?$/.test(text)) return null;
  const second = text.length > 8 ? 9 * (text.charCodeAt(8) - 64) : 0;
  return IRELAND[(weightedSum(digitsOf(text.slice(0, 7)), [8, 7, 6, 5, 4, 3, 2]) + second) % 23] === text[7];
}

function greatBritain(text: string): boolean {
  const sum = weightedSum(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) + Number(text.slice(7, 9));
  // Numbers issued since 2010 are offset by 55.
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}

function romania(text: string): boolean {
  const digits = text.padStart(10, "0");
  return ((weightedSum(digitsOf(digits), [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === lastDigit(text);
}

const LITHUANIA_LONG = weightedModulo11Twice([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]);
const LITHUANIA_SHORT = weightedModulo11Twice([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 1]);
const NETHERLANDS_COMPANY = weightedModulo11([9, 8, 7, 6, 5, 4, 3, 2], {});

function czech(text: string): boolean | null {
  // Numbers of nine and ten digits are persons': a date of birth, and older ones without a check digit.
  if (text.length !== 8 || digitAt(text, 0) === 9) return null;
  const rest = (11 - (weightedSum(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
  return rest === lastDigit(text);
}

/** Checks the two-digit key; the algorithm for keys with letters is not published. */
function france(text: string): boolean | null {
  if (!/^\d{11}$/.test(text)) return null;
  return (12 + 3 * (Number(text.slice(2)) % 97)) % 97 === Number(text.slice(0, 2));
}

function latvia(text: string): boolean | null {
  // Persons' numbers begin with a day of birth.
  if (digitAt(text, 0) < 4) return null;
  return weightedSum(digitsOf(text), [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
}

/** Companies: modulo 11 over nine digits; sole traders since 2020: modulo 97 over the whole number. */
const netherlands: Scheme = (text) =>
  NETHERLANDS_COMPANY(text.slice(0, 9)) === true || remainder(lettersToDigits(`NL${text}`), 97) === 1;

/** By country: the form without the country code, and the check. */
const SCHEMES: Record<string, [RegExp, Scheme]> = {
  AT: [/^U\d{8}$/, austria],
  BE: [/^[01]\d{9}$/, (text) => 97 - (Number(text.slice(0, 8)) % 97) === lastTwoDigits(text)],
  BG: [
    /^\d{9,10}$/,
    (text) =>
      text.length === 9 ? weightedModulo11Twice([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10])(text) : null,
  ],
  CHE: [/^\d{9}$/, weightedModulo11([5, 4, 3, 2, 7, 6, 5, 4], { turned: true })],
  CY: [/^\d{8}[A-Z]$/, cyprus],
  CZ: [/^\d{8,10}$/, czech],
  DE: [/^\d{9}$/, passesMod11And10],
  DK: [/^\d{8}$/, (text) => weightedSum(digitsOf(text), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  EE: [/^\d{9}$/, weightedModulo10([3, 7, 1, 3, 7, 1, 3, 7])],
  EL: [
    /^\d{9}$/,
    (text) => (weightedSum(digitsOf(text), [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === lastDigit(text),
  ],
  ES: [/^[A-Z0-9]\d{7}[A-Z0-9]$/, spain],
  FI: [/^\d{8}$/, weightedModulo11([7, 9, 10, 5, 8, 4, 2], { turned: true })],
  FR: [/^[A-Z0-9]{2}\d{9}$/, france],
  GB: [/^\d{9}(?:\d{3})?$/, greatBritain],
  HR: [/^\d{11}$/, passesMod11And10],
  HU: [/^\d{8}$/, weightedModulo10([9, 7, 3, 1, 9, 7, 3])],
  IE: [/^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/, ireland],
  IT: [/^\d{11}$/, passesLuhn],
  LT: [/^(?:\d{9}|\d{12})$/, (text) => (text.length === 9 ? LITHUANIA_SHORT : LITHUANIA_LONG)(text)],
  LU: [/^\d{8}$/, (text) => Number(text.slice(0, 6)) % 89 === lastTwoDigits(text)],
  LV: [/^\d{11}$/, latvia],
  MT: [/^\d{8}$/, (text) => 37 - (weightedSum(digitsOf(text), [3, 4, 6, 7, 8, 9]) % 37) === lastTwoDigits(text)],
  NL: [/^\d{9}B\d{2}$/, netherlands],
  NO: [/^\d{9}$/, weightedModulo11([3, 2, 7, 6, 5, 4, 3, 2], { turned: true })],
  PL: [/^\d{10}$/, weightedModulo11([6, 5, 7, 2, 3, 4, 5, 6, 7], {})],
  PT: [/^\d{9}$/, weightedModulo11([9, 8, 7, 6, 5, 4, 3, 2], { turned: true, ten: 0 })],
  RO: [/^\d{2,10}$/, romania],
  SE: [/^\d{12}$/, (text) => passesLuhn(text.slice(0, 10))],
  SI: [/^\d{8}$/, weightedModulo11([8, 7, 6, 5, 4, 3, 2], { turned: true, ten: 0 })],
  SK: [/^\d{10}$/, (text) => Number(text) % 11 === 0],
};

/**
 * Checks the check digits of a VAT id.
 * @param text with its country code, separators allowed @returns null if the form is unknown or has no check digit
 */
export function checkVatId(text: string): boolean | null {
  const plain = text
    .toUpperCase()
    .replace(/(?:MWST|TVA|IVA|MVA)\s*$/, "")
    .replace(/[\s.-]/g, "");
  const country = plain.startsWith("CHE") ? "CHE" : plain.slice(0, 2).replace("GR", "EL");
  const scheme = Object.hasOwn(SCHEMES, country) ? SCHEMES[country] : undefined;
  if (scheme === undefined) return null;
  const [form, check] = scheme;
  const number = plain.slice(country.length);
  return form.test(number) ? check(number) : null;
}
