import type { Token } from "../structure/view/tokens.ts";
import type { Check, CheckKind, Known } from "./check.ts";
import type { Agreement } from "./extractor-agreement.ts";
import type { GridEvidence } from "./grid-evidence.ts";
import type { LabelEvidence } from "./label-evidence.ts";
import type { Place } from "./value-places.ts";

/** Everything that is known about one value. */
export interface Facts {
  known: Known;
  /** Located on the page, be it at words or at a form's field. */
  located: boolean;
  /** Null for what does not stand at words. */
  place: Place | null;
  /** 0 to 1: how sure the extractor was that read it, or whoever looked for it on the page. */
  found: number;
  labels: LabelEvidence;
  /** 0 to 1: how much more another field, whose value has the same words, has to do with them. */
  borrowed: number;
  grid: GridEvidence | null;
  checks: readonly Check[];
  /** 0 to 1: how many other identifiers or currencies the document has. */
  contested: number;
  /** 0 to 1: how likely its language's own letters are lost in it. */
  unlettered: number;
  /** Of a sum that does not come out, the share that falls on this value. */
  blame: number;
  /** Null where no second extractor ran. */
  agreement: Agreement | null;
}

/** What speaks for a value raises its confidence, what speaks against it lowers it: the signs hold for any fit. */
export const SIGNALS = {
  /** It is nowhere in the document. */
  unlocated: -1,
  /** Whoever found it, by label and place, was not sure of that. */
  unsure: -1,
  /** What is missing of a perfect match of words and value. */
  mismatch: -1,
  /** What is missing of a perfect recognition of the least sure word. */
  doubt: -1,
  /** Recognition did not know the letters of its language, of which it may have some. */
  unlettered: -1,
  /** Outside of lists: the document says it in several places. */
  repeated: -1,
  /** So few characters that they are found by chance. */
  short: -1,
  /** A text that goes on where the value ends, or has begun before. */
  cut: -1,
  /** A text over several rows: the last of them may be something else. */
  rows: -1,
  /** Outside of lists: the document has other identifiers of its kind, another party's maybe, or other currencies. */
  contested: -1,
  /** Its label stands beside it, or heads its column. */
  label: 1,
  /** Its field has labels in the document, but none stands beside it. */
  unlabelled: -1,
  /** Its field has no label anywhere in the document, and its form does not tell what it is: words, and what has digits. */
  nameless: -1,
  figureNameless: -1,
  /** Its words are another field's value, which has more to do with them. */
  borrowed: -1,
  /** Beside its label stands another value, or a label of another field stands beside it. */
  rival: -1,
  other: -1,
  offRow: -1,
  offColumn: -1,
  shared: -1,
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
  /** It belongs to a row of a list; without a meaning of its own, either way. */
  cell: 0,
} as const;

export type Signal = keyof typeof SIGNALS;
export type Signals = Record<Signal, number>;

export const SIGNAL_NAMES = Object.keys(SIGNALS).filter((name): name is Signal => name in SIGNALS);

/** Chance that a value of so many letters and digits stands somewhere anyway. */
const CHANCE = [1, 1, 0.7, 0.4, 0.2];
/** Places at which a value counts as said everywhere. */
const EVERYWHERE = 32;

const lengthOf = (value: string | number | boolean): number => String(value).replace(/[^\p{L}\p{N}]/gu, "").length;
/** What these are is told by their form. */
const SELF_EVIDENT = new Set(["currency", "iban", "bic", "vat-id", "email", "url"]);
/** Words: neither numbers nor codes nor currencies, which stand among words as a rule. */
const isFreeText = ({ leaf: { value }, meaning }: Known): boolean =>
  typeof value === "string" && /^[^\d]*\p{L}{3,}[^\d]*$/u.test(value) && !SELF_EVIDENT.has(meaning.value ?? "");

/** A word that is no label, no mark and no unit. */
const goesOn = (token: Token | null): boolean =>
  token !== null && /\p{L}{3,}/u.test(token.text) && !token.text.endsWith(":");

/** Commas part what addresses are made of; before a name's legal form they part nothing. */
function isCut({ meaning: { part } }: Known, { before, after, tokens }: Place): boolean {
  const ends = (token: Token | null | undefined): boolean =>
    part !== null && part !== "name" && token?.text.endsWith(",") === true;
  return (goesOn(before) && !ends(before)) || (goesOn(after) && !ends(tokens.at(-1)));
}

const share = (value: number): number => Math.max(0, Math.min(1, value));

const anyOf = (checks: readonly Check[], kind: CheckKind, ok: boolean): number =>
  checks.some((check) => check.kind === kind && check.ok === ok) ? 1 : 0;

const repeatedBy = (count: number): number => (count < 2 ? 0 : share(Math.log2(count) / Math.log2(EVERYWHERE)));

function pageSignals({
  known,
  located,
  place,
  found,
  grid,
}: Facts): Pick<Signals, "unlocated" | "unsure" | "mismatch" | "doubt" | "repeated" | "short" | "cut" | "rows"> {
  const { leaf } = known;
  return {
    unlocated: located ? 0 : 1,
    unsure: located ? share(1 - found) : 0,
    mismatch: located ? share(1 - (place?.match ?? found)) : 0,
    doubt: share(1 - (place?.ocr ?? 1)),
    repeated: place === null || grid !== null ? 0 : repeatedBy(place.count),
    short: located && grid === null && typeof leaf.value !== "boolean" ? (CHANCE[lengthOf(leaf.value)] ?? 0) : 0,
    rows: place === null || typeof leaf.value !== "string" ? 0 : 1 - 1 / place.rows,
    cut: place !== null && isFreeText(known) && isCut(known, place) ? 1 : 0,
  };
}

/** Names and addresses of seller and buyer are told by where they stand in a letter. */
const needsLabel = ({ meaning: { value, part } }: Known): boolean => part === null && !SELF_EVIDENT.has(value ?? "");

/** A number, a day, a code: any of them stands on a page many times, about many things. */
const isFigure = ({ leaf, meaning }: Known): boolean =>
  typeof leaf.value !== "boolean" && meaning.part === null && /\d/.test(String(leaf.value));

type LabelSignals = Pick<Signals, "label" | "unlabelled" | "nameless" | "figureNameless" | "rival" | "other">;

function labelSignals({ known, located, labels, grid }: Facts): LabelSignals {
  const none = { label: 0, unlabelled: 0, nameless: 0, figureNameless: 0, rival: 0, other: 0 };
  if (!located) return none;
  const figure = isFigure(known);
  const nameless = labels.labelled || !needsLabel(known) || grid?.headless === true ? 0 : 1 - labels.own;
  return {
    ...none,
    label: labels.own,
    unlabelled: labels.labelled ? 1 - labels.own : 0,
    [figure ? "figureNameless" : "nameless"]: nameless,
    rival: share(labels.rival - labels.own),
    other: share(labels.other - labels.own),
  };
}

/** Evidence to numbers; nothing here depends on which document it is. */
export function signalsOf(facts: Facts): Signals {
  const { checks, grid, agreement } = facts;
  return {
    ...pageSignals(facts),
    ...labelSignals(facts),
    unlettered: facts.unlettered,
    borrowed: facts.borrowed,
    contested: facts.contested,
    offRow: grid?.offRow ?? 0,
    offColumn: grid?.offColumn ?? 0,
    shared: grid?.shared ?? 0,
    // Check digits prove that it was read rightly, not whose it is.
    checksumHolds: anyOf(checks, "checksum", true) * (1 - facts.contested),
    checksumFails: anyOf(checks, "checksum", false),
    sumHolds: anyOf(checks, "arithmetic", true),
    sumFails: facts.blame,
    orderHolds: anyOf(checks, "order", true),
    orderFails: anyOf(checks, "order", false),
    formFails: anyOf(checks, "format", false),
    schemaFails: anyOf(checks, "schema", false),
    columnFails: anyOf(checks, "column", false),
    agrees: agreement === "agrees" ? 1 : 0,
    differs: agreement === "differs" ? 1 : 0,
    silent: agreement === "silent" ? 1 : 0,
    cell: facts.known.leaf.item === null ? 0 : 1,
  };
}
