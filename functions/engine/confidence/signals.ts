/** Evidence as numbers from 0 to 1; each signal speaks either for a value or against it. */

import type { Token } from "../structure/view/tokens.ts";
import { countLettersAndDigits } from "../values/letters-and-digits.ts";
import { hasLegalForm } from "../values/party-names.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import type { Check, CheckKind, KnownLeaf } from "./check.ts";
import type { Agreement } from "./extractor-agreement.ts";
import type { CellEvidence } from "./grid-evidence.ts";
import type { LabelEvidence } from "./label-evidence.ts";
import type { ValuePlace } from "./value-places.ts";

/** All evidence about one value. */
export interface ValueFacts {
  known: KnownLeaf;
  /** Located on the page, at words or at a form field. */
  located: boolean;
  /** Null for values not located at words. */
  place: ValuePlace | null;
  /** 0 to 1: confidence of the extractor or of the location. */
  found: number;
  labels: LabelEvidence;
  /** 0 to 1: the better claim of another field whose value has the same words. */
  borrowed: number;
  grid: CellEvidence | null;
  /** The amounts of its list make a total of the result. */
  inWholeList: boolean;
  checks: readonly Check[];
  /** Its words stand in running prose. */
  inProse: boolean;
  /** It fills a place of a form. */
  written: boolean;
  /** 0 to 1: presence of other identifiers of its kind in the document. */
  contested: number;
  /** 0 to 1: probability that recognition lost letters of the language. */
  unlettered: number;
  /** 0 to 1: shortfall from a perfect recognition of the document's words, on average. */
  blurred: number;
  /** No concept is known for its field, and its label is found by the words of the field's name alone. */
  unknown: boolean;
  /** A rule without labels finds it: by its position, or in the sentence that tells it. */
  shown: boolean;
  /** This value's share of a failed sum. */
  failureShare: number;
  /** Null if no second extractor ran. */
  agreement: Agreement | null;
}

/** Signs of the signals' weights, for any fit: 1 raises the confidence, -1 lowers it. */
export const SIGNALS = {
  /** It is nowhere in the document. */
  unlocated: -1,
  /** The extractor or the location was not certain. */
  unsure: -1,
  /** Shortfall from a perfect match of words and value. */
  mismatch: -1,
  /** Shortfall from a perfect recognition of the least certain word. */
  doubt: -1,
  /** Shortfall of the document's words on average: on a poor picture, places and labels are uncertain too. */
  blurred: -1,
  /** Recognition may have lost letters of the language. */
  unlettered: -1,
  /** So few characters that they occur by chance. */
  short: -1,
  /** The printed text continues before or behind the value. */
  cut: -1,
  /** A text over several rows: the last ones may be something else. */
  rows: -1,
  /** Outside of lists: a text of a kind without a form has many words, or capitals only, as headings and labels have. */
  wordy: -1,
  capitals: -1,
  /** Outside of lists: it stands in a sentence, where figures have many meanings. */
  prose: -1,
  /** Outside of lists: its label is found by the words of its field's name alone, for which no concept is known. */
  unknown: -1,
  /** Outside of lists: it names a party; such names are known by their place, and end where the arrangement says. */
  name: -1,
  /**
   * Its field has no label anywhere in the document, and its form does not identify it; for texts, and for values with
   * digits.
   */
  nameless: -1,
  figureNameless: -1,
  /** Its words are the value of another field with a better claim. */
  borrowed: -1,
  /** Another value stands beside its label, or another field's label beside it. */
  rival: -1,
  other: -1,
  offRow: -1,
  offColumn: -1,
  shared: -1,
  /** A text is long or short beside its column's, or a number has another sign. */
  oddLength: -1,
  oddSign: -1,
  /** The amounts of its list make a total: that proves the items, and so their texts too. */
  listHolds: 1,
  /** A cell's text has a colon or an amount, as a label or two cells read as one have. */
  mixed: -1,
  checksumHolds: 1,
  checksumFails: -1,
  sumHolds: 1,
  sumFails: -1,
  orderHolds: 1,
  orderFails: -1,
  formFails: -1,
  schemaFails: -1,
  columnFails: -1,
  agrees: 1,
  differs: -1,
  silent: -1,
  /** It is a list cell; the weight may have either sign. */
  cell: 0,
  /** It fills a place of a form; the weight may have either sign. */
  entry: 0,
} as const;

export type Signal = keyof typeof SIGNALS;
export type Signals = Record<Signal, number>;

export const SIGNAL_NAMES = Object.keys(SIGNALS).filter((name): name is Signal => name in SIGNALS);

/** Chance that a value of that many letters and digits occurs anyway. */
const CHANCE_BY_LENGTH = [1, 1, 0.7, 0.4, 0.2];

/** A label's colon, or an amount with cents, inside of a text. */
const MIXED_TEXT = /[:€$£]|\d[.,]\d{2}(?!\d)/;

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Kinds of values that their form identifies. */
const SELF_EVIDENT = new Set(["currency", "iban", "bic", "vat-id", "email", "url"]);
/** Words: no numbers, codes or currencies, which usually stand among words. */
const isFreeText = ({ leaf: { value }, meaning }: KnownLeaf): boolean =>
  typeof value === "string" && /^[^\d]*\p{L}{3,}[^\d]*$/u.test(value) && !SELF_EVIDENT.has(meaning.value ?? "");

/** A word, not a label, sign or unit. */
const isWord = (token: Token | null): boolean =>
  token !== null && /\p{L}{3,}/u.test(token.text) && !token.text.endsWith(":");

/** Words between the items of a list. */
const CONJUNCTIONS = new Set(wordsOf(({ grammar }) => [...(grammar.and ?? []), ...(grammar.conjunctions ?? [])]));

/** Commas separate the items of a list of texts, and the parts of addresses; before a name's legal form they separate nothing. */
function isCut({ leaf, meaning }: KnownLeaf, { before, after, tokens }: ValuePlace): boolean {
  const { part } = meaning;
  const listed = leaf.path.endsWith("/*");
  const parts = listed || (part !== null && part !== "name");
  const ends = (token: Token | null | undefined): boolean => parts && token?.text.endsWith(",") === true;
  // A party's name ends with its legal form, or where a comma parts it from an address.
  const endsInComma = tokens.at(-1)?.text.endsWith(",") === true;
  const lastWords = String(leaf.value).split(" ").slice(-2).join(" ");
  const isWhole =
    meaning.value === "party" && (hasLegalForm(lastWords) || (endsInComma && !hasLegalForm(after?.text ?? "")));
  const joins = (token: Token | null): boolean => listed && CONJUNCTIONS.has(token?.text.toLowerCase() ?? "");
  return (
    (isWord(before) && !ends(before) && !joins(before)) ||
    (isWord(after) && !isWhole && !ends(tokens.at(-1)) && !joins(after))
  );
}

const clampToShare = (value: number): number => Math.max(0, Math.min(1, value));

const hasCheck = (checks: readonly Check[], kind: CheckKind, ok: boolean): number =>
  checks.some((check) => check.kind === kind && check.ok === ok) ? 1 : 0;

function pageSignals({
  known,
  located,
  place,
  found,
  grid,
  shown,
}: ValueFacts): Pick<Signals, "unlocated" | "unsure" | "mismatch" | "doubt" | "short" | "cut" | "rows"> {
  const { leaf } = known;
  return {
    unlocated: located ? 0 : 1,
    unsure: located ? clampToShare(1 - found) : 0,
    mismatch: located ? clampToShare(1 - (place?.match ?? found)) : 0,
    doubt: clampToShare(1 - (place?.ocr ?? 1)),
    short:
      located && grid === null && !shown && typeof leaf.value !== "boolean"
        ? (CHANCE_BY_LENGTH[countLettersAndDigits(leaf.value)] ?? 0)
        : 0,
    rows: place === null || typeof leaf.value !== "string" ? 0 : 1 - 1 / place.rows,
    cut: place !== null && isFreeText(known) && isCut(known, place) ? 1 : 0,
  };
}

/** Names and addresses of seller and buyer are identified by their position in a letter. */
const needsLabel = ({ meaning: { value, part } }: KnownLeaf): boolean =>
  part === null && !SELF_EVIDENT.has(value ?? "");

/** Numbers, dates and codes occur on a page many times, with different meanings. */
const isFigure = ({ leaf, meaning }: KnownLeaf): boolean =>
  typeof leaf.value !== "boolean" && meaning.part === null && /\d/.test(String(leaf.value));

/** Words beyond the first at which a text is as long as one can be that is no sentence, heading or row. */
const MANY_WORDS = 7;

/** Answers are short; what is long, or in capitals, is rather a heading, a label or the rest of a line. */
function textSignals({ known: { leaf, meaning }, place, written }: ValueFacts): Pick<Signals, "wordy" | "capitals"> {
  const { value, item } = leaf;
  const isOfKind = meaning.part !== null || meaning.value === "party" || SELF_EVIDENT.has(meaning.value ?? "");
  if (typeof value !== "string" || item !== null || place === null || written || isOfKind || ISO_DATE.test(value))
    return { wordy: 0, capitals: 0 };
  const words = place.tokens.filter(({ text }) => /\p{L}{2}/u.test(text)).length;
  return {
    wordy: clampToShare((words - 1) / MANY_WORDS),
    capitals: /^[^\d\p{Ll}]*\p{Lu}{3}[^\d\p{Ll}]*$/u.test(value) ? 1 : 0,
  };
}

type LabelSignals = Pick<Signals, "nameless" | "figureNameless" | "rival" | "other">;

function labelSignals({ known, located, labels, grid }: ValueFacts): LabelSignals {
  const none = { nameless: 0, figureNameless: 0, rival: 0, other: 0 };
  if (!located) return none;
  const figure = isFigure(known);
  const nameless = labels.labelled || !needsLabel(known) || grid?.headless === true ? 0 : 1 - labels.own;
  return {
    ...none,
    [figure ? "figureNameless" : "nameless"]: nameless,
    rival: clampToShare(labels.rival - labels.own),
    other: clampToShare(labels.other - labels.own),
  };
}

/** Converts evidence to signals; independent of the document. */
export function signalsOf(facts: ValueFacts): Signals {
  const { checks, grid, agreement, known } = facts;
  const { item, value } = known.leaf;
  return {
    ...pageSignals(facts),
    ...textSignals(facts),
    ...labelSignals(facts),
    blurred: facts.blurred,
    unlettered: facts.unlettered,
    unknown: facts.unknown ? 1 : 0,
    name: item === null && known.meaning.value === "party" ? 1 : 0,
    borrowed: facts.borrowed,
    prose:
      facts.inProse && grid === null && !SELF_EVIDENT.has(known.meaning.value ?? "")
        ? clampToShare(1 - facts.labels.own)
        : 0,
    offRow: grid?.offRow ?? 0,
    offColumn: grid?.offColumn ?? 0,
    shared: grid?.shared ?? 0,
    oddLength: grid?.oddLength ?? 0,
    oddSign: grid?.oddSign ?? 0,
    listHolds: facts.inWholeList ? 1 : 0,
    mixed: item !== null && typeof value === "string" && MIXED_TEXT.test(value) ? 1 : 0,
    // Check digits prove a right reading, not the right owner.
    checksumHolds: hasCheck(checks, "checksum", true) * (1 - facts.contested),
    checksumFails: hasCheck(checks, "checksum", false),
    sumHolds: hasCheck(checks, "arithmetic", true),
    sumFails: facts.failureShare,
    orderHolds: hasCheck(checks, "order", true),
    orderFails: hasCheck(checks, "order", false),
    formFails: hasCheck(checks, "format", false),
    schemaFails: hasCheck(checks, "schema", false),
    columnFails: hasCheck(checks, "column", false),
    agrees: agreement === "agrees" ? 1 : 0,
    differs: agreement === "differs" ? 1 : 0,
    silent: agreement === "silent" ? 1 : 0,
    cell: item === null ? 0 : 1,
    entry: facts.written ? 1 : 0,
  };
}
