/** Checks that need one value alone: check digits, and the forms of kinds of values. */
import { isValidBIC, isValidIBAN } from "ibantools";
import { scanEmails, scanUrls } from "../values/codes.ts";
import { parseCurrency } from "../values/currencies.ts";
import { type DateOrder, parseDate } from "../values/dates.ts";
import { hasLegalForm, isStreet, placeIn } from "../values/party-names.ts";
import { splitName } from "../values/text-folding.ts";
import { type Check, type CheckKind, failed, type Known, passed, quote } from "./check.ts";
import { passesCreditorReference, passesGtin, passesIsin, passesLuhn, passesQrReference } from "./check-digits.ts";
import { checkVatId } from "./vat-ids.ts";

/** Longer texts hold more than the value: their form says nothing. */
const LONGEST = 120;
/** Years that documents speak of. */
const YEARS = { first: 1900, last: 2100 };

/** True or false where it can be told, null where the value has no such check. */
type Test = (text: string) => boolean | null;

interface Rule {
  name: string;
  kind: CheckKind;
  test: Test;
  /** What fails, as the sentence's end. */
  says: string;
}

const compact = (text: string): string => text.toUpperCase().replace(/[\s.\-/]/g, "");
/** Digits alone, of a length. */
const onDigits =
  (lengths: RegExp, test: (digits: string) => boolean): Test =>
  (text) => {
    const plain = compact(text);
    return lengths.test(plain) ? test(plain) : null;
  };
/** Parts of identifiers are often blotted out. */
const isMasked = (text: string): boolean => /[*•…_]|[xX#]{3}/.test(text);

const CHECK_DIGITS = "fails its check digits, so a character is wrong or missing";

const IBAN: Rule = { name: "iban", kind: "checksum", test: (text) => isValidIBAN(compact(text)), says: CHECK_DIGITS };
const VAT_ID: Rule = { name: "vat-id", kind: "checksum", test: checkVatId, says: CHECK_DIGITS };
const CARD: Rule = { name: "luhn", kind: "checksum", test: onDigits(/^\d{13,19}$/, passesLuhn), says: CHECK_DIGITS };
const SIREN: Rule = {
  name: "luhn",
  kind: "checksum",
  test: onDigits(/^(?:\d{9}|\d{14})$/, passesLuhn),
  says: CHECK_DIGITS,
};
const IMEI: Rule = { name: "luhn", kind: "checksum", test: onDigits(/^\d{15}$/, passesLuhn), says: CHECK_DIGITS };
const GTIN: Rule = {
  name: "gtin",
  kind: "checksum",
  test: onDigits(/^(?:\d{8}|\d{12,14})$/, passesGtin),
  says: CHECK_DIGITS,
};
const ISIN: Rule = { name: "isin", kind: "checksum", test: (text) => passesIsin(compact(text)), says: CHECK_DIGITS };
const BIC: Rule = {
  name: "bic",
  kind: "format",
  test: (text) => isValidBIC(compact(text)),
  says: "is not a BIC of eight or eleven characters",
};
const EMAIL: Rule = {
  name: "email",
  kind: "format",
  test: (text) => scanEmails(text).some((span) => span.text === text.trim()),
  says: "is not an e-mail address",
};
const URL_FORM: Rule = {
  name: "url",
  kind: "format",
  test: (text) => scanUrls(text).length > 0 || /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}(?:\/\S*)?$/u.test(text.trim()),
  says: "is not a web address",
};
const PHONE: Rule = {
  name: "phone",
  kind: "format",
  test: (text) => {
    const digits = text.replace(/\D/g, "").length;
    return digits >= 5 && digits <= 20 && !/\p{L}{4}/u.test(text);
  },
  says: "is not a telephone number",
};
const CURRENCY: Rule = {
  name: "currency",
  kind: "format",
  // The list of codes that are read is a selection: three other capitals may be a code too.
  test: (text) =>
    parseCurrency(text, new Set()) !== null ||
    /^\p{Sc}$/u.test(text.trim()) ||
    (/^[A-Z]{3}$/.test(text.trim()) ? null : false),
  says: "is not a currency that is known",
};

/** An ISBN of ten digits (ISO 2108:1992): weights ten to one, X for ten. */
function isbn10(text: string): boolean {
  const digits = [...text].map((char) => (char === "X" ? 10 : Number(char)));
  return digits.reduce((sum, digit, at) => sum + digit * (10 - at), 0) % 11 === 0;
}

const ISBN: Rule = {
  name: "isbn",
  kind: "checksum",
  test: (text) => {
    const plain = compact(text);
    return /^\d{9}[\dX]$/.test(plain) ? isbn10(plain) : /^\d{13}$/.test(plain) ? passesGtin(plain) : null;
  },
  says: CHECK_DIGITS,
};

const REFERENCE: Rule = {
  name: "payment-reference",
  kind: "checksum",
  test: (text) => {
    const plain = compact(text);
    if (/^RF\d{2}/.test(plain)) return passesCreditorReference(plain);
    return /^\d{27}$/.test(plain) ? passesQrReference(plain) : null;
  },
  says: CHECK_DIGITS,
};

/** By words of a property's name: what the vocabulary has no concept for. */
const BY_NAME: [RegExp, Rule][] = [
  [/\b(?:credit card|card (?:number|no)|kreditkarte\w*|pan|carte bancaire)\b/, CARD],
  [/\b(?:siren|siret)\b/, SIREN],
  [/\bimei\b/, IMEI],
  [/\bisbn\b/, ISBN],
  [/\b(?:ean|ean13|gtin|upc|barcode)\b/, GTIN],
  [/\bisin\b/, ISIN],
  [/\b(?:iban)\b/, IBAN],
  [/\b(?:qr reference|creditor reference|scor|qrr)\b/, REFERENCE],
];

/** A line of an address is nobody's name, but for those that are named after their house. */
const PARTY: Rule = {
  name: "party-name",
  kind: "format",
  test: (text) => (!hasLegalForm(text) && (isStreet(text) || placeIn(text)?.end === text.trim().length) ? false : null),
  says: "reads like a line of an address",
};

const BY_KIND: Record<string, Rule> = {
  iban: IBAN,
  bic: BIC,
  "vat-id": VAT_ID,
  email: EMAIL,
  url: URL_FORM,
  phone: PHONE,
  currency: CURRENCY,
};

function rulesFor({ leaf: { field }, meaning }: Known): Rule[] {
  const words = splitName(field.name).join(" ");
  const named = BY_NAME.find(([form]) => form.test(words))?.[1];
  const kind = meaning.value === null || !Object.hasOwn(BY_KIND, meaning.value) ? undefined : BY_KIND[meaning.value];
  const reference = meaning.concept === "payment-reference" ? REFERENCE : undefined;
  const party = meaning.value === "party" && (meaning.part ?? "name") === "name" ? PARTY : undefined;
  const format = field.format === "email" ? EMAIL : field.format === "uri" ? URL_FORM : undefined;
  return [...new Set([named, kind, reference, party, format].filter((rule) => rule !== undefined))];
}

/** The day that a value is. @returns `YYYY-MM-DD` or null */
export function dayOf(value: string | number | boolean, order: DateOrder): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  return parseDate(value, order) ?? parseDate(value, order === "day-first" ? "month-first" : "day-first");
}

const wantsDate = ({ leaf: { field }, meaning }: Known): boolean =>
  field.format === "date" || field.format === "date-time" || meaning.value === "date";

function checkDate({ leaf }: Known, order: DateOrder): Check[] {
  if (typeof leaf.value !== "string" || leaf.value.length > LONGEST) return [];
  const day = dayOf(leaf.value, order);
  // `March 2024`, `KW 12`, `upon receipt`: only what is written like a day is held to the calendar.
  if (day === null)
    return /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(leaf.value)
      ? [failed("date", "format", [leaf.pointer], `${quote(leaf.value)} is no day that a calendar has.`)]
      : [];
  const year = Number(day.slice(0, 4));
  if (year < YEARS.first || year > YEARS.last)
    return [failed("date", "format", [leaf.pointer], `The year of ${quote(leaf.value)} is not plausible.`)];
  return [passed("date", "format", [leaf.pointer])];
}

/** Check digits and forms of one value. Pure; the same value always passes the same checks. */
export function checkValue(known: Known, order: DateOrder): Check[] {
  const { leaf } = known;
  if (typeof leaf.value === "boolean") return [];
  if (wantsDate(known)) return checkDate(known, order);
  const text = String(leaf.value);
  if (text.length > LONGEST || isMasked(text)) return [];
  return rulesFor(known).flatMap(({ name, kind, test, says }) => {
    const ok = test(text);
    if (ok === null) return [];
    return [
      ok ? passed(name, kind, [leaf.pointer]) : failed(name, kind, [leaf.pointer], `${quote(leaf.value)} ${says}.`),
    ];
  });
}
