/** Checks of single values: check digits, and the forms of kinds of values. */

import { isValidBIC, isValidIBAN } from "ibantools";
import { scanEmails, scanUrls } from "../values/codes.ts";
import { parseCurrency } from "../values/currencies.ts";
import { type DateOrder, parseDate } from "../values/dates.ts";
import { hasLegalForm, isStreet, placeIn } from "../values/party-names.ts";
import { splitName } from "../values/text-folding.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyFolded } from "../values/vocabulary/word-patterns.ts";
import { type Check, type CheckKind, failedCheck, type KnownLeaf, passedCheck, quoteValue } from "./check.ts";
import { passesCreditorReference, passesGtin, passesIsin, passesLuhn, passesQrReference } from "./check-digits.ts";
import { checkVatId } from "./vat-ids.ts";

/** Longer texts hold more than the value: their form proves nothing. */
const MAX_VALUE_CHARACTERS = 120;
/** Plausible years of documents. */
const PLAUSIBLE_YEARS = { first: 1900, last: 2100 };

/** The outcome, or null if the value has no such check. */
type ValueTest = (text: string) => boolean | null;

interface ValueRule {
  name: string;
  kind: CheckKind;
  test: ValueTest;
  /** The end of the message about a failure. */
  complaint: string;
}

const compact = (text: string): string => text.toUpperCase().replace(/[\s.\-/]/g, "");
/** Applies a test to digits of a certain length. */
const onDigits =
  (lengths: RegExp, test: (digits: string) => boolean): ValueTest =>
  (text) => {
    const plain = compact(text);
    return lengths.test(plain) ? test(plain) : null;
  };
/** Parts of identifiers are often masked. */
const isMasked = (text: string): boolean => /[*•…_]|[xX#]{3}/.test(text);

const CHECK_DIGITS = "fails its check digits, so a character is wrong or missing";

const IBAN: ValueRule = {
  name: "iban",
  kind: "checksum",
  test: (text) => isValidIBAN(compact(text)),
  complaint: CHECK_DIGITS,
};
const VAT_ID: ValueRule = { name: "vat-id", kind: "checksum", test: checkVatId, complaint: CHECK_DIGITS };
const CARD: ValueRule = {
  name: "luhn",
  kind: "checksum",
  test: onDigits(/^\d{13,19}$/, passesLuhn),
  complaint: CHECK_DIGITS,
};
const SIREN: ValueRule = {
  name: "luhn",
  kind: "checksum",
  test: onDigits(/^(?:\d{9}|\d{14})$/, passesLuhn),
  complaint: CHECK_DIGITS,
};
const IMEI: ValueRule = {
  name: "luhn",
  kind: "checksum",
  test: onDigits(/^\d{15}$/, passesLuhn),
  complaint: CHECK_DIGITS,
};
const GTIN: ValueRule = {
  name: "gtin",
  kind: "checksum",
  test: onDigits(/^(?:\d{8}|\d{12,14})$/, passesGtin),
  complaint: CHECK_DIGITS,
};
const ISIN: ValueRule = {
  name: "isin",
  kind: "checksum",
  test: (text) => passesIsin(compact(text)),
  complaint: CHECK_DIGITS,
};
const BIC: ValueRule = {
  name: "bic",
  kind: "format",
  test: (text) => isValidBIC(compact(text)),
  complaint: "is not a BIC of eight or eleven characters",
};
const EMAIL: ValueRule = {
  name: "email",
  kind: "format",
  test: (text) => scanEmails(text).some((span) => span.text === text.trim()),
  complaint: "is not an e-mail address",
};
const URL_FORM: ValueRule = {
  name: "url",
  kind: "format",
  test: (text) => scanUrls(text).length > 0 || /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?:\/\S*)?$/u.test(text.trim()),
  complaint: "is not a web address",
};
const PHONE: ValueRule = {
  name: "phone",
  kind: "format",
  test: (text) => {
    const digits = text.replace(/\D/g, "").length;
    return digits >= 5 && digits <= 20 && !/\p{L}{4}/u.test(text);
  },
  complaint: "is not a telephone number",
};
const CURRENCY: ValueRule = {
  name: "currency",
  kind: "format",
  // The list of known codes is a selection: three other capitals may be a code too.
  test: (text) =>
    parseCurrency(text, new Set()) !== null ||
    /^\p{Sc}$/u.test(text.trim()) ||
    (/^[A-Z]{3}$/.test(text.trim()) ? null : false),
  complaint: "is not a currency that is known",
};

/** An ISBN of ten digits (ISO 2108:1992): weights ten to one, X for ten. */
function isbn10(text: string): boolean {
  const digits = [...text].map((char) => (char === "X" ? 10 : Number(char)));
  return digits.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11 === 0;
}

const ISBN: ValueRule = {
  name: "isbn",
  kind: "checksum",
  test: (text) => {
    const plain = compact(text);
    return /^\d{9}[\dX]$/.test(plain) ? isbn10(plain) : /^\d{13}$/.test(plain) ? passesGtin(plain) : null;
  },
  complaint: CHECK_DIGITS,
};

const REFERENCE: ValueRule = {
  name: "payment-reference",
  kind: "checksum",
  test: (text) => {
    const plain = compact(text);
    if (/^RF\d{2}/.test(plain)) return passesCreditorReference(plain);
    return /^\d{27}$/.test(plain) ? passesQrReference(plain) : null;
  },
  complaint: CHECK_DIGITS,
};

const CARD_NUMBER_NAME = new RegExp(
  `\\b(?:${anyFolded(
    wordsOf(({ properties }) => properties.cardNumbers),
    { rest: "\\w*" },
  )})\\b`,
);

/** By words of a property's name, for kinds without a concept in the vocabulary. */
const BY_NAME: [RegExp, ValueRule][] = [
  [CARD_NUMBER_NAME, CARD],
  [/\b(?:siren|siret)\b/, SIREN],
  [/\bimei\b/, IMEI],
  [/\bisbn\b/, ISBN],
  [/\b(?:ean|ean13|gtin|upc|barcode)\b/, GTIN],
  [/\bisin\b/, ISIN],
  [/\b(?:iban)\b/, IBAN],
  [/\b(?:qr reference|creditor reference|scor|qrr)\b/, REFERENCE],
];

/** A line of an address is no name, except names after a building. */
const PARTY: ValueRule = {
  name: "party-name",
  kind: "format",
  test: (text) => (!hasLegalForm(text) && (isStreet(text) || placeIn(text)?.end === text.trim().length) ? false : null),
  complaint: "reads like a line of an address",
};

const BY_KIND: Record<string, ValueRule> = {
  iban: IBAN,
  bic: BIC,
  "vat-id": VAT_ID,
  email: EMAIL,
  url: URL_FORM,
  phone: PHONE,
  currency: CURRENCY,
};

function rulesFor({ leaf: { field }, meaning }: KnownLeaf): ValueRule[] {
  const words = splitName(field.name).join(" ");
  const named = BY_NAME.find(([form]) => form.test(words))?.[1];
  const kind = meaning.value === null || !Object.hasOwn(BY_KIND, meaning.value) ? undefined : BY_KIND[meaning.value];
  const reference = meaning.concept === "payment-reference" ? REFERENCE : undefined;
  const party = meaning.value === "party" && (meaning.part ?? "name") === "name" ? PARTY : undefined;
  const format = field.format === "email" ? EMAIL : field.format === "uri" ? URL_FORM : undefined;
  return [...new Set([named, kind, reference, party, format].filter((rule) => rule !== undefined))];
}

/** The date that a value means. @returns `YYYY-MM-DD` or null */
export function dayOf(value: string | number | boolean, order: DateOrder): string | null {
  if (typeof value !== "string" || value.length > MAX_VALUE_CHARACTERS) return null;
  return parseDate(value, order) ?? parseDate(value, order === "day-first" ? "month-first" : "day-first");
}

const wantsDate = ({ leaf: { field }, meaning }: KnownLeaf): boolean =>
  field.format === "date" || field.format === "date-time" || meaning.value === "date";

function checkDate({ leaf }: KnownLeaf, order: DateOrder): Check[] {
  if (typeof leaf.value !== "string" || leaf.value.length > MAX_VALUE_CHARACTERS) return [];
  const day = dayOf(leaf.value, order);
  // `March 2024`, `KW 12`, `upon receipt`: only texts in the form of a date must be valid dates.
  if (day === null)
    return /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(leaf.value)
      ? [failedCheck("date", "format", [leaf.pointer], `${quoteValue(leaf.value)} is no day that a calendar has.`)]
      : [];
  const year = Number(day.slice(0, 4));
  if (year < PLAUSIBLE_YEARS.first || year > PLAUSIBLE_YEARS.last)
    return [failedCheck("date", "format", [leaf.pointer], `The year of ${quoteValue(leaf.value)} is not plausible.`)];
  return [passedCheck("date", "format", [leaf.pointer])];
}

/** Checks the check digits and the form of one value. Pure and deterministic. */
export function checkValue(known: KnownLeaf, order: DateOrder): Check[] {
  const { leaf } = known;
  if (typeof leaf.value === "boolean") return [];
  if (wantsDate(known)) return checkDate(known, order);
  const text = String(leaf.value);
  if (text.length > MAX_VALUE_CHARACTERS || isMasked(text)) return [];
  return rulesFor(known).flatMap(({ name, kind, test, complaint }) => {
    const ok = test(text);
    if (ok === null) return [];
    return [
      ok
        ? passedCheck(name, kind, [leaf.pointer])
        : failedCheck(name, kind, [leaf.pointer], `${quoteValue(leaf.value)} ${complaint}.`),
    ];
  });
}
