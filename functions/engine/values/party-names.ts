/** Classifies a line of a letterhead or an address: a name, a street, a place, or none of them. */
import { currencyOf } from "./currencies.ts";
import { labelKey } from "./label-words.ts";
import { foldText } from "./text-folding.ts";
import { wordsOf } from "./vocabulary/languages.ts";
import { ITEM_LABELS } from "./vocabulary/vocabulary.ts";
import { anyFolded, anyOf } from "./vocabulary/word-patterns.ts";

/** Legal forms behind a company's name. */
const LEGAL_FORM = new RegExp(
  `(?<![\\p{L}])(?:${anyOf(wordsOf(({ parties }) => parties.legalForms))})(?![\\p{L}\\d])`,
  "u",
);

/** Legal forms of scripts without spaces, which the name touches. */
const JOINED_LEGAL_FORM = new RegExp(
  wordsOf(({ parties }) => parties.legalForms)
    .filter((form) => /^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(form))
    .join("|"),
  "u",
);

/** The same where a letterhead is set in capitals. */
const LEGAL_FORM_CAPITALS = new RegExp(
  `(?<![\\p{L}])(?:${anyOf(wordsOf(({ parties }) => parties.legalFormsInCapitals))})\\.?(?![\\p{L}\\d])`,
  "u",
);

/** Does a legal form stand in the text? */
export const hasLegalForm = (text: string): boolean =>
  LEGAL_FORM.test(text) ||
  LEGAL_FORM_CAPITALS.test(text) ||
  JOINED_LEGAL_FORM.test(text) ||
  /\s(?:\p{Ll}\.){2,}$/u.test(text);

/** Is there nothing besides a legal form, as behind the comma of `Muster, S.A.`? */
export const isLegalForm = (text: string): boolean =>
  text
    .replace(LEGAL_FORM, "")
    .replace(LEGAL_FORM_CAPITALS, "")
    .replace(/[^\p{L}\d]/gu, "") === "";

/** A legal form with at most an abbreviation behind it, as a name's second line: `LTDA - ME`. */
export const isMereForm = (text: string): boolean =>
  [LEGAL_FORM, LEGAL_FORM_CAPITALS].some(
    (form) => form.exec(text)?.index === 0 && /^\P{L}*\p{L}{0,2}\P{L}*$/u.test(text.replace(form, "")),
  );

const STREET_WORD = new RegExp(`(?:${anyOf(wordsOf(({ parties }) => parties.streets))})(?![\\p{L}])`, "iu");

/** Postal code and place, as the countries of Europe, the US, Canada, Brazil and India write them. */
const PLACES: RegExp[] = [
  // In groups, with a dash or with a comma behind: Poland; Sweden, Czechia, Slovakia and Greece; Portugal; Brazil; Spain; Russia.
  /(?<![\p{L}\d.,/-])(?:(?<country>[A-Z]{1,3})\s?[-–]\s?)?(?<code>\d{2}-\d{3}|\d{3}\s\d{2}|\d{4}-\d{3}|\d{5}-\d{3}|\d{5}(?=\s[-–])|\d{6}(?=,))(?:,|\s[-–])?\s+(?<city>\p{Lu}[\p{L}.'’()/ -]{1,40})/u,
  /(?<![\p{L}\d])(?:(?<country>[A-Z]{1,3})[-–\s])?(?<code>\d{4}\s?[A-Z]{2}),?\s+(?<city>\p{Lu}[\p{L}.' -]{1,40})/u,
  /(?<city>\p{Lu}[\p{L}.' -]{1,40}?),?\s+(?<state>[A-Z]{2}|\p{Lu}\p{Ll}{3,}),?\s+(?<code>\d{5}(?:-\d{4})?)(?!\d)/u,
  /(?<![\p{L}\d.,/-])(?:(?<country>[A-Z]{1,3})\s?[-–]\s?)?(?<code>\d{5}|\d{4})\s+(?<city>\p{Lu}[\p{L}.'’()/ -]{1,40})/u,
  // Behind the place: Brazil, India with its six digits, the Baltic countries.
  /(?<city>\p{Lu}[\p{L}.' ]{3,40}?)(?:\s?[-–,]\s?|,\s)(?<code>\d{5}-\d{3}|\d{6}(?=\W*$)|L[TV]-\d{4,5})/u,
  // The place stands on the line above.
  /^(?<state>[A-Z]{2})\s(?<code>\d{5}(?:-\d{4})?)$/u,
  /(?:(?<city>\p{Lu}[\p{L}.' -]{1,40}?),?\s+)?(?<code>(?:[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})|(?:[A-Z]\d[A-Z]\s\d[A-Z]\d))(?![\p{L}\d])/u,
];

export interface Place {
  code: string;
  city: string | null;
  /** Text positions of the whole and of its parts. */
  start: number;
  end: number;
  codeAt: number;
  cityAt: number;
}

/** The postal code and place in a line. @returns null when there is none */
export function placeIn(text: string): Place | null {
  for (const form of PLACES) {
    const match = form.exec(text);
    const groups = match?.groups;
    if (match === null || groups?.code === undefined) continue;
    // `2018 Rechnung`, `1200 Stück`: a year or a count before a capital word is no postal code in a sentence.
    if (/^(?:19|20)\d{2}$/.test(groups.code) && match.index === 0 && text.split(/\s+/).length > 4) continue;
    const city = groups.city?.trim() ?? null;
    if (city !== null && currencyOf(city.split(/\s/)[0] ?? "") !== null) continue;
    // `1000 Main Street`: a house number.
    if (city !== null && /^\d{4}$/.test(groups.code) && STREET_WORD.test(city)) continue;
    // Four digits, and two groups of them, are a postal code only where a line or a part of it begins.
    if (/^\d{4}$|\s\d{2}$/.test(groups.code) && !/^$|[,·•|–-]\s*$/u.test(text.slice(0, match.index).trim())) continue;
    const codeAt = text.indexOf(groups.code, match.index);
    return {
      code: groups.code,
      city,
      start: match.index,
      end: match.index + match[0].length,
      codeAt,
      cityAt: city === null ? codeAt : text.indexOf(city, match.index),
    };
  }
  return null;
}

const POST_BOX = new RegExp(`^(?:${anyOf(wordsOf(({ parties }) => parties.postBoxes))})\\s`, "i");

/** A post box: its `P.O.` is no number of an order. */
export const isPostBox = (text: string): boolean => POST_BOX.test(text.trim());

/** A street with its house number, or a P.O. box. */
export function isStreet(text: string): boolean {
  if (text.length > 70 || !/\d/.test(text)) return false;
  if (POST_BOX.test(text)) return true;
  const houseNumber =
    /\p{L}{3,}\.?\s+\d+\s?[a-zA-Z]?(?:\s?[-/]\s?\d+\s?[a-zA-Z]?)?,?$|^\d+\s?[a-zA-Z]?,?\s+\p{L}{2,}|,\s?\d+\s?[a-zA-Z]?$/u.test(
      text,
    );
  return STREET_WORD.test(text) ? /\d/.test(text) : houseNumber && text.split(/\s+/).length <= 6;
}

/** Headings that title a document: never a party's name. */
const HEADLINE = anyFolded(wordsOf(({ documents }) => documents.headlines));
const HEADLINE_BEGINNING = anyFolded(wordsOf(({ documents }) => documents.headlineBeginnings));
const TITLE = new RegExp(`^(?:${HEADLINE}|(?:${HEADLINE_BEGINNING}).*)$`);

/** The titles without spaces: spaced letters (`R E C H N U N G`), and words that recognition parts. */
const JOINED_TITLES = new Set(
  wordsOf(({ documents }) => [...(documents.headlines ?? []), ...(documents.bills ?? [])])
    .filter((title) => /^[\p{L} -]{6,}$/u.test(title))
    .map((title) => foldText(title).replace(/[ -]/g, "")),
);

/** Is the whole text a title of a document, but for its number? */
export function isTitle(text: string): boolean {
  const title = foldText(text)
    .replace(/(?:\s*\(.*\))?[\s:.#*]*$/, "")
    .replace(/\s+(?:n[ro°º.]*\s*)?\S*\d\S*$/u, "")
    .trim();
  // `Számla/Invoice`: a title in two languages.
  const isOne = (part: string): boolean => TITLE.test(part.trim());
  return (
    isOne(title) ||
    title.split("/").every(isOne) ||
    (title.includes(" ") && JOINED_TITLES.has(title.replace(/[ -]/g, "")))
  );
}

/** Forms of address that stand before a person's name or above a company's. */
const SALUTATION = new RegExp(
  `^(?:${anyOf(
    wordsOf(({ parties }) => parties.salutations),
    { space: "\\s+" },
  )})(?:\\s+|$)`,
  "iu",
);

/** How many characters of a line are a form of address. */
export const salutationLength = (text: string): number => SALUTATION.exec(text)?.[0].length ?? 0;

/** Is the whole line a form of address, as above a recipient's name? */
export const isSalutation = (text: string): boolean => text !== "" && salutationLength(text) === text.length;

const PARTICULARS = wordsOf(({ parties }) => parties.particulars);
const ANYWHERE = anyFolded([...PARTICULARS, ...wordsOf(({ parties }) => parties.particularsAnywhere)]);
const NOT_A_NAME = new RegExp(`@|https?:|www\\.|^[^\\p{L}\\d]*$|(?:^|\\s)(?:${ANYWHERE})(?:[\\s.:-]|$)`, "iu");

const FIRST = anyFolded([...PARTICULARS, ...wordsOf(({ parties }) => parties.particularsFirst)]);
const PARTICULAR = new RegExp(`^[^\\p{L}\\d]*(?:${FIRST}|www\\.|https?:|[\\w.+-]+@)`, "iu");

/** Does a text begin with a tax number's label, a way to reach somebody, an account: what stands behind a name? */
export const isParticular = (text: string): boolean => PARTICULAR.test(foldText(text));

/** A street, then a postal code and a place, with no more than spaces between them. */
function isWholeAddress(text: string): boolean {
  const place = placeIn(text);
  return place !== null && isStreet(text.slice(0, place.start).trim());
}

/** The end of a name's last legal form: `Alfa Co., Ltd.` has two. */
const LAST_LEGAL_FORM = new RegExp(`^.*${LEGAL_FORM.source}`, "u");

/** The number of a company behind its legal form: `A-46103834`, `(715133-P)`. */
const COMPANY_NUMBER = /^[A-Z]{0,3}[- ]?\d[\d./ -]{4,}(?:- ?[A-Z\d])?\)?$/;

/**
 * Length of a name whose line goes on with a document's title, with particulars or with an address:
 * `Muster GmbH Rechnung`, `Alfa S.A. NIP 12`, `Muster GmbH Weg 1 12345 Stadt`, `Alfa Ltd., 2-4 Long Road`.
 */
export function nameLength(text: string): number {
  const form = LAST_LEGAL_FORM.exec(text) ?? LEGAL_FORM_CAPITALS.exec(text);
  const end = form === null ? text.length : form.index + form[0].length;
  const rest = text.slice(end).replace(/^[^\p{L}\d]+/u, "");
  const goesOn =
    isTitle(rest) ||
    isParticular(rest) ||
    isWholeAddress(rest) ||
    /^\.?,\s*\d/.test(text.slice(end)) ||
    (form !== null && COMPANY_NUMBER.test(rest));
  return rest !== "" && goesOn ? end : text.length;
}

/** Placeholders of templates: `{name}`, `[Company name]`, `<<buyer>>`, `____`. */
const PLACEHOLDER = /[{}<>]|^\[.*\]$|\+{2}|_{3}|\.{4}/u;

/** `Désignation`, `Unit price`: what heads a column of items and nothing else. */
export const headsColumn = (text: string): boolean =>
  ITEM_LABELS.meaningsOf(labelKey(text)).some(({ strength }) => strength === 1);

/**
 * Could this text be the name of a company or a person?
 * @param lenient where its place says so, small words do no harm (`Ma petite boutique`)
 */
export function isNameLike(text: string, lenient = false): boolean {
  const trimmed = text.trim();
  if (PLACEHOLDER.test(trimmed) || headsColumn(trimmed)) return false;
  if (trimmed.length < 2 || trimmed.length > 70 || /\p{L}\s?:\s/u.test(trimmed) || NOT_A_NAME.test(foldText(trimmed)))
    return false;
  if (isLegalForm(trimmed)) return false;
  const letters = trimmed.match(/\p{L}/gu)?.length ?? 0;
  const digits = trimmed.match(/\d/g)?.length ?? 0;
  if (letters < 3 || digits > letters / 2 || isTitle(trimmed)) return false;
  // Recognition makes such signs of dirt and of rules.
  if (/^[~|_^=+*\\/;:.,}\]]/u.test(trimmed)) return false;
  // Sentences end in a full stop after a long word, and have many small words.
  if (/[!?;]$|\p{Ll}{4,}\.$/u.test(trimmed) && !hasLegalForm(trimmed)) return false;
  const words = trimmed.split(/\s+/);
  const capitals = words.filter((word) => /^[\p{Lu}\d"'(&]/u.test(word)).length;
  if (lenient && words.length <= 5 && /^[\p{Lu}\d]/u.test(trimmed)) return true;
  // `iSolar energy s.r.o.`: who has a legal form may write the rest in small letters.
  if (words.length <= 5 && hasLegalForm(words.slice(-2).join(" "))) return true;
  return words.length <= 9 && (capitals >= Math.ceil(words.length / 2) || words.length <= 2);
}

/** Countries as the last line of an address, folded. */
const COUNTRIES = new Set(wordsOf(({ parties }) => parties.countries).map(foldText));

/** Is the whole text a country's name? */
export const isCountry = (text: string): boolean => COUNTRIES.has(foldText(text).trim());
