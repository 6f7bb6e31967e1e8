/** Identifiers with a shape of their own: IBAN, BIC, VAT ids, e-mail and web addresses, phone numbers, reference codes. */
import { ValidationErrorsIBAN, validateIBAN } from "ibantools";

export interface TextSpan {
  /** Positions in the scanned text. */
  start: number;
  end: number;
  /** The value as printed. */
  text: string;
}

function spans(text: string, pattern: RegExp, accept: (match: string) => boolean = () => true): TextSpan[] {
  const found: TextSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    if (accept(match[0])) found.push({ start: match.index, end: match.index + match[0].length, text: match[0] });
  }
  return found;
}

/**
 * ISO 13616: the form of the country's IBANs, and their check digits. Spaces allowed. National check digits of the
 * account may fail: such an IBAN is still printed on the page, and its confidence tells.
 */
export const isIban = (text: string): boolean =>
  validateIBAN(text.replace(/\s/g, "").toUpperCase()).errorCodes.every(
    (code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  );

/** IBANs that pass their check, in the grouping printed. */
export function scanIbans(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  for (const match of text.matchAll(/\b[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{1,4}){3,8}/g)) {
    // The greedy match may swallow the next word: shorten it group by group until the check holds.
    let value = match[0];
    while (value.length >= 15 && !isIban(value)) value = value.slice(0, value.search(/[ \u00a0]?[A-Z0-9]{1,4}$/));
    if (isIban(value)) found.push({ start: match.index, end: match.index + value.length, text: value });
  }
  return found;
}

/** Business identifier codes (ISO 9362); eight or eleven capitals and digits, so only beside a label. */
export const scanBics = (text: string): TextSpan[] =>
  spans(text, /\b[A-Z]{4}(?:AT|BE|CH|DE|DK|ES|FI|FR|GB|IE|IT|LI|LU|NL|NO|PL|PT|SE|US)[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b/g);

/** VAT identification numbers of the EU, Switzerland, Norway and the UK, by their published forms. */
const VAT_ID = new RegExp(
  [
    "ATU ?\\d{8}",
    "BE ?[01]\\d{3}[. ]?\\d{3}[. ]?\\d{3}",
    "BG ?\\d{9,10}",
    "CHE[- ]?\\d{3}[. ]?\\d{3}[. ]?\\d{3}(?: ?(?:MWST|TVA|IVA))?",
    "CY ?\\d{8}[A-Z]",
    "CZ ?\\d{8,10}",
    "DE ?\\d{3} ?\\d{3} ?\\d{3}",
    "DK ?\\d{2} ?\\d{2} ?\\d{2} ?\\d{2}",
    "EE ?\\d{9}",
    "EL ?\\d{9}",
    "ES ?[A-Z0-9]\\d{7}[A-Z0-9]",
    "FI ?\\d{8}",
    "FR ?[A-Z0-9]{2} ?\\d{3} ?\\d{3} ?\\d{3}",
    "GB ?\\d{3} ?\\d{4} ?\\d{2}(?: ?\\d{3})?",
    "HR ?\\d{11}",
    "HU ?\\d{8}",
    "IE ?\\d[A-Z0-9+*]\\d{5}[A-Z]{1,2}",
    "IT ?\\d{11}",
    "LT ?(?:\\d{12}|\\d{9})",
    "LU ?\\d{8}",
    "LV ?\\d{11}",
    "MT ?\\d{8}",
    "NL ?\\d{9}[ .]?B\\.?\\d{2}",
    "NO ?\\d{3} ?\\d{3} ?\\d{3}(?: ?MVA)?",
    "PL ?\\d{10}",
    "PT ?\\d{9}",
    "RO ?\\d{6,10}",
    "SE ?\\d{12}",
    "SI ?\\d{8}",
    "SK ?\\d{10}",
  ]
    .map((form) => `(?:${form})`)
    .join("|")
    .replace(/^/, "(?<![\\p{L}\\p{N}])(?:")
    .concat(")(?![\\p{L}\\p{N}])"),
  "gu",
);

/** VAT ids by their form alone; their check digits are not looked at. */
export const scanVatIds = (text: string): TextSpan[] => spans(text, VAT_ID);

/** E-mail addresses, as loosely as RFC 5321 is used in print. */
export const scanEmails = (text: string): TextSpan[] =>
  spans(text, /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,100}[\p{L}\p{N}])?\.\p{L}{2,24}/gu);

/** Web addresses with `http` or `www.`, without punctuation behind them. */
export const scanUrls = (text: string): TextSpan[] =>
  spans(
    text,
    /\b(?:https?:\/\/[^\s<>"]{3,200}|www\.[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}(?:\/[^\s<>"]{0,150})?)/gu,
  ).map((span) => {
    const text = span.text.replace(/[.,;:)\]]+$/, "");
    return { start: span.start, end: span.start + text.length, text };
  });

/** Phone numbers: seven to fifteen digits (ITU-T E.164) with the usual separators. */
export const scanPhones = (text: string): TextSpan[] =>
  spans(text, /(?<![\p{L}\p{N}.,/-])(?:\+|\(\+?)?\d(?:[\d ()/.\u00a0-]{5,24})\d(?![\p{L}\p{N}]|[.,]\d)/gu, (match) => {
    const digits = match.replace(/\D/g, "").length;
    return digits >= 7 && digits <= 15 && !/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(match.trim());
  });

/** A date, a time, an amount or a percentage: what a reference code must not be. */
const NOT_A_CODE = [
  /^\d{1,2}([./-])\d{1,2}\1(?:\d{2}|\d{4})$/,
  /^(?:19|20)\d{2}([./-])\d{1,2}\1\d{1,2}$/,
  /^\d{1,2}:\d{2}(?:[:.]\d+)*$/,
  /^[-+]?\d{1,3}(?:[.,' ]\d{3})*[.,]\d{2}$/,
  /^\d+(?:[.,]\d+)?%$/,
  /@/,
  /^(?:https?:|www\.)/i,
  /[€$£]/,
];

/** One printed word that may be a reference code: it has a digit and is no date, time, amount or address. */
export function isCodeWord(word: string): boolean {
  if (word.length > 40 || !/\d/.test(word)) return false;
  if (!/^[#№]?[\p{L}\p{N}][\p{L}\p{N}\-–/._#+:*&()]*$/u.test(word)) return false;
  return !NOT_A_CODE.some((pattern) => pattern.test(word));
}

/**
 * The reference code that a text begins with: one word, or several where the first are short capitals or everything
 * is groups of digits (`RE 2018 001`).
 */
export function leadingCode(text: string): TextSpan | null {
  const lead = /^[\s:.\-–]*(?:#\s+)?/u.exec(text)?.[0].length ?? 0;
  const words = [...text.slice(lead).matchAll(/\S+/g)].map((match) => {
    const open = /^\((?!.*\).)/.test(match[0]) ? 1 : 0;
    return {
      text: match[0]
        .slice(open)
        .replace(/[,;:.]+$/, "")
        .replace(/^([^(]*)\)$/, "$1"),
      at: lead + match.index + open,
    };
  });
  // `(384) Nr. 12`: a remark in brackets before the rest is no code.
  if (words.length > 1 && /^\(\S{1,6}\)/.test(text.slice(lead))) words.shift();
  const [first, second] = words;
  if (first === undefined) return null;
  const joined = (to: { text: string; at: number }): TextSpan => {
    const end = to.at + to.text.length;
    return { start: first.at, end, text: text.slice(first.at, end) };
  };
  if (isCodeWord(first.text)) {
    // Groups of digits up to the end belong together, as long as nothing else follows them; also `0003 - 00003435`.
    const all = words.map((word) => word.text).join(" ");
    const groups = /^\d{2,6}(?: \d{2,6}){0,8}(?: ?\/ ?\d{4})?$|^\d{2,6} [-–] \d{6,8}$/.test(all);
    const last = words.at(-1);
    return joined(groups && last !== undefined ? last : first);
  }
  const prefix = /^\p{Lu}{1,5}[-.]?$/u.test(first.text);
  return prefix && second !== undefined && isCodeWord(second.text) ? joined(second) : null;
}
