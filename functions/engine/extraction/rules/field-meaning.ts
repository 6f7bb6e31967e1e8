/** The meaning of a schema's field: a concept of the vocabulary, a part of a party, or only its own words. */

import type { Field } from "../../schema/schema-shape.ts";
import { labelKey, labelWords } from "../../values/label-words.ts";
import { stem } from "../../values/stems.ts";
import { foldText, splitName } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import {
  conceptById,
  type LabelMeaning,
  meaningsInText,
  meaningsOfName,
  type ValueKind,
} from "../../values/vocabulary/vocabulary.ts";
import { anyFolded, anyOf } from "../../values/vocabulary/word-patterns.ts";

export type Role = "seller" | "buyer" | "ship-to";

/** Parts of a party that a field can ask for. */
export type PartyPart = "name" | "address" | "street" | "postal-code" | "city" | "country" | "contact";

export interface Meaning {
  /** A concept's id, or null for a field outside the vocabulary. */
  concept: string | null;
  value: ValueKind | null;
  /** 0 to 1: confidence that the field means the concept. */
  strength: number;
  role: Role | null;
  part: PartyPart | null;
  /** Label keys of the field's own words, best first. */
  ownKeys: { key: string; strength: number }[];
  /** Stems of the name's words, for labels in another order or inflection. */
  stems: string[];
}

const ROLES = new Set<string>(["seller", "buyer", "ship-to"]);
const isRole = (id: string): id is Role => ROLES.has(id);

/** In the order in which they are tried; a street may be the first of several lines. */
const PARTS = (["name", "postal-code", "street", "city", "country", "address", "contact"] as const).map((part) => {
  const names = anyFolded(wordsOf(({ properties }) => properties.parts?.[part]));
  return [part, new RegExp(`^(?:${names})${part === "street" ? "(?: 1)?" : ""}$`)] as const;
});

/** Parents that say nothing about their children. */
const NEUTRAL = new Set(wordsOf(({ properties }) => properties.neutralParents));

const partOf = (words: readonly string[]): PartyPart | null => {
  const text = words.join(" ");
  return PARTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
};

function roleOf(words: readonly string[]): Role | null {
  const id = meaningsOfName(words, false).find((meaning) => isRole(meaning.concept))?.concept;
  return id !== undefined && isRole(id) ? id : null;
}

/** The party of `seller.address.city`, `customer_city` or `vendorName`, and the remaining words. */
function ownerOf(field: Field): { role: Role | null; rest: string[] } {
  const names = field.path.map((name) => splitName(name));
  const last = names.at(-1) ?? [];
  for (let cut = Math.min(3, last.length - 1); cut >= 1; cut -= 1) {
    const role = roleOf(last.slice(0, cut));
    if (role !== null) return { role, rest: last.slice(cut) };
  }
  const parents = names.slice(0, -1).map((words) => roleOf(words));
  return { role: parents.findLast((role) => role !== null) ?? null, rest: last };
}

/**
 * True where the party belongs to the concept's own name, such as a customer number: without the party the other words
 * mean something else. It stands anywhere on a page, not in the party's block.
 */
const namesParty = (rest: readonly string[], { concept }: LabelMeaning): boolean =>
  meaningsOfName(rest, false).every((meaning) => meaning.concept !== concept);

/** A schema type can hold this kind of value; booleans and choices are found by their own words only. */
function canHold(field: Field, value: ValueKind): boolean {
  if (field.type === "boolean") return false;
  if (field.choices !== null) return value === "currency" || value === "text";
  const numeric = value === "amount" || value === "rate" || value === "quantity";
  if (field.type === "number") return numeric;
  if (field.type === "integer") return numeric || value === "code";
  if (field.format === "date" || field.format === "date-time") return value === "date";
  if (field.format === "email") return value === "email" || value === "party";
  if (field.format === "uri" || field.format === "uri-reference") return value === "url";
  return true;
}

const compatible = (field: Field, meanings: readonly LabelMeaning[]): LabelMeaning[] =>
  meanings.filter(({ concept }) => canHold(field, conceptById(concept)?.value ?? "text"));

/** Meanings by the name with its parent's, the name, and the title. */
function namedMeanings(field: Field): LabelMeaning[] {
  const names = field.path.map((name) => splitName(name));
  const last = names.at(-1) ?? [];
  const parent = names.at(-2) ?? [];
  const joined = parent.length > 0 ? meaningsOfName([...parent, ...last], field.inItems) : [];
  // `address.number` is a house number: below a specific parent, a single word is not enough.
  const lonely = parent.length > 0 && last.length === 1 && !NEUTRAL.has(parent.join(" ")) && !field.inItems;
  const direct = lonely && roleOf(parent) === null ? [] : meaningsOfName(last, field.inItems);
  const title = field.title === "" ? [] : meaningsOfName(splitName(field.title), field.inItems);
  return compatible(field, [...joined, ...direct, ...title]);
}

/** A description speaks of titles, authors and associations of many things: only one that is a name asks for the document's. */
const NAMED_ONLY = new Set(["title", "author", "organization-name", "seat"]);

const describedMeanings = (field: Field): LabelMeaning[] =>
  field.description === ""
    ? []
    : compatible(field, meaningsInText(field.description, field.inItems)).filter(
        ({ concept }) => !NAMED_ONLY.has(concept),
      );

/** The description is such a name: `Title of the contract`. It tells more than a name with several meanings. */
const namedByDescription = (field: Field): LabelMeaning | undefined =>
  compatible(field, meaningsOfName(splitName(field.description), field.inItems)).find(({ concept }) =>
    NAMED_ONLY.has(concept),
  );

const TAXES = anyFolded(wordsOf(({ totals }) => totals.taxes));
const BEFORE_TAXES = anyFolded(wordsOf(({ totals }) => totals.beforeTaxes));
/** Words before a tax, folded. */
const taxWording = (words: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${anyFolded(words, { rest: "\\w*" })})\\W{1,3}(?:(?:${BEFORE_TAXES}) )?(?:${TAXES})`);

/** Wording for amounts without tax; folded. */
export const WITHOUT_TAX = taxWording(wordsOf(({ totals }) => totals.withoutTax));
/** Wording for amounts with tax; folded. */
export const WITH_TAX = taxWording(wordsOf(({ totals }) => totals.withTax));

const NET_OR_GROSS = new RegExp(anyOf(wordsOf(({ properties }) => properties.netOrGross)));
const ARTICLE = new RegExp(`^(?:${anyOf(wordsOf(({ grammar }) => grammar.articles))})\\s`, "i");

/** The net or gross total, when the description of a "total" tells. */
function refineAmount(concept: string, field: Field): string {
  if (concept !== "gross-total" && concept !== "net-total") return concept;
  if (NET_OR_GROSS.test(foldText(field.name))) return concept;
  const text = foldText(`${field.title} ${field.description}`);
  if (WITHOUT_TAX.test(text)) return "net-total";
  return WITH_TAX.test(text) ? "gross-total" : concept;
}

function ownWords(field: Field): Pick<Meaning, "ownKeys" | "stems"> {
  const name = splitName(field.name);
  const keys = new Map<string, number>();
  const add = (text: string, strength: number): void => {
    const key = labelKey(text);
    if (key.length >= 2 && !keys.has(key)) keys.set(key, strength);
  };
  add(field.title, 1);
  add(name.join(" "), 1);
  // A short description, or its first clause, is often the printed label.
  const clause = field.description.split(/[.,;:(–—]/)[0] ?? "";
  if (clause.split(/\s+/).length <= 5) add(clause.replace(ARTICLE, ""), 0.9);
  for (const quoted of field.description.matchAll(/["“„'‘«]([^"”“'’»]{2,40})["”“'’»]/g)) add(quoted[1] ?? "", 1);
  const stems = [...new Set(labelWords(name.join(" ")).map((word) => stem(word)))];
  return { ownKeys: [...keys].map(([key, strength]) => ({ key, strength })), stems };
}

const KIND_WORDS = (["time", "period"] as const).map(
  (kind) => [kind, new RegExp(`^(?:${anyFolded(wordsOf(({ answers }) => answers[kind]))})$`, "u")] as const,
);

/** The kind of value that a word of a property's name asks for. */
export const kindOfWord = (word: string): "time" | "period" | null =>
  KIND_WORDS.find(([, pattern]) => pattern.test(word))?.[0] ?? null;

/** Kinds of addresses that one word of a name asks for: `press_email`. */
const TOLD_SHAPES = new Set<ValueKind>(["email", "url", "phone"]);

/** Words for a date in names of properties, folded. */
export const DATE_WORDS = new Set(wordsOf(({ answers }) => answers.date).map(foldText));
const SMALL_WORDS = new Set(
  wordsOf(({ grammar }) => [...(grammar.prepositions ?? []), ...(grammar.articles ?? [])]).map(foldText),
);

/** `Date of the ceremony` asks for a date, and for that of the document only where nothing follows. */
function describesDate(description: string): boolean {
  const [first = "", second = ""] = splitName(description);
  return DATE_WORDS.has(first) && SMALL_WORDS.has(second);
}

/** The kind that a text property asks for by its name, or by the first word that describes it: `docket_number`, `meeting_time`. */
function namedKind({ name, type, format, choices, description, inItems }: Field): ValueKind | null {
  if (type !== "string" || format !== null || choices !== null || inItems) return null;
  const words = [...splitName(name), ...splitName(description).slice(0, 1)];
  const kind = words.map(kindOfWord).find((one) => one !== null);
  const shape = words
    .flatMap((word) => meaningsOfName([word], false))
    .map(({ concept }) => conceptById(concept)?.value);
  const named = kind ?? shape.find((one) => one !== undefined && TOLD_SHAPES.has(one));
  if (named !== undefined) return named;
  if (describesDate(description)) return "date";
  return labelWords(name.replaceAll("_", " ")).some((word) => word.endsWith("nr")) ? "code" : null;
}

/** The meaning of a field. Pure. */
export function meaningOf(field: Field): Meaning {
  const plain: Meaning = { concept: null, value: null, strength: 0, role: null, part: null, ...ownWords(field) };
  const about = (meaning: LabelMeaning | undefined, role: Role | null): Meaning => {
    if (meaning === undefined) return { ...plain, role, value: role === null ? namedKind(field) : null };
    const concept = refineAmount(meaning.concept, field);
    return { ...plain, concept, value: conceptById(concept)?.value ?? null, strength: meaning.strength, role };
  };
  const named = namedByDescription(field) ?? namedMeanings(field)[0];
  if (field.inItems) return about(named ?? describedMeanings(field)[0], null);
  const owner = ownerOf(field);
  const part = field.type === "string" ? partOf(owner.rest) : null;
  if (owner.role !== null && part !== null) {
    return part === "name"
      ? { ...about({ concept: owner.role, strength: 1 }, owner.role), part }
      : { ...plain, role: owner.role, part };
  }
  // `bill_to` as an e-mail address: the address under the heading, not the name.
  if (named !== undefined && isRole(named.concept) && field.format === "email")
    return { ...about(named, null), value: "email" };
  if (named !== undefined && isRole(named.concept)) return { ...about(named, named.concept), part: "name" };
  if (named !== undefined) return about(named, namesParty(owner.rest, named) ? null : owner.role);
  // A party's value must be in its own block: the bare words would match any party's.
  if (owner.role !== null)
    return { ...about(compatible(field, meaningsOfName(owner.rest, false))[0], owner.role), ownKeys: [], stems: [] };
  const [described] = describedMeanings(field);
  if (described !== undefined && isRole(described.concept)) return plain;
  return about(described, null);
}
