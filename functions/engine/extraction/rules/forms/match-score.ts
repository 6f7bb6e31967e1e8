/** How well the items of a form fit the fields of a schema, by their words and by what they hold. */
import { foldText, splitName } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import type { Target } from "../resolve-field.ts";
import { type Conventions, wantsIso } from "../value-reader.ts";
import { type FormItem, isCertain, OWN_TEXT_WEIGHT } from "./form-items.ts";
import { joinTerms, termsOf, weightAmong } from "./form-terms.ts";
import { type ItemReading, isYesNoGroup, readItem } from "./read-item.ts";

/** An item that a field may lead to. */
export interface ItemMatch {
  item: FormItem;
  /** 0 to 1. */
  score: number;
  reading: ItemReading;
}

/** Weights of a field's texts: its name and title, its description, the names of its parents. */
const NAME_WEIGHT = 1;
const DESCRIPTION_WEIGHT = 0.55;
const PARENT_WEIGHT = 0.6;
/** Share of the field's words in the score; the rest is the share of the item's own words that the field has. */
const FIELD_SHARE = 0.68;
/** Lowest score of a candidate. */
const MIN_SCORE = 0.2;
/** Candidates of one field. */
const MAX_MATCHES = 16;
/** Factor for an item that holds something of another type. */
const UNFIT_FACTOR = 0.35;
/** Factor for a field with choices: the words of a question are few beside those of its options. */
const OFFERED_FACTOR = 1.3;
/** Rarity of a word that the form does not have, relative to one that it has once. */
const UNKNOWN_WORD_SHARE = 0.3;
/** Share of the best own text of an item in its cover; the rest is that of all its own texts. */
const BEST_TEXT_SHARE = 0.6;
/** Terms of a text that names an item; longer ones explain. */
const MAX_NAMING_TERMS = 9;
/**
 * Added to items that are filled, less where print may be taken for what is written, and to the first ones of a form: of items that say
 * the same, these are meant.
 */
const FILLED_BONUS = 0.08;
const UNSURE_FILLED_BONUS = 0.03;
const FIRST_BONUS = 0.02;

/** Words of a schema that say nothing of its fields, such as those of its parents that say that there is something. */
const NEUTRAL = new Set(wordsOf(({ properties }) => properties.neutralParents).map(foldText));

const isNeutral = (name: string): boolean => splitName(name).every((word) => NEUTRAL.has(word));

function fieldTerms({ field }: Target): Map<string, number> {
  const parents = field.path.slice(0, -1).filter((name) => !isNeutral(name));
  return joinTerms([
    [field.name, NAME_WEIGHT],
    [field.title, NAME_WEIGHT],
    [field.description, DESCRIPTION_WEIGHT],
    ...parents.map((name) => [name, PARENT_WEIGHT] as const),
  ]);
}

/** Rarity of terms among the items of a form: a term of every item tells none from another. */
class TermRarity {
  readonly #counts = new Map<string, number>();
  readonly #items: number;

  constructor(items: readonly FormItem[]) {
    this.#items = items.length;
    for (const item of items)
      for (const term of new Set(item.names.flatMap(([text]) => [...termsOf(text).keys()])))
        this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
  }

  of(term: string): number {
    return Math.log(1 + (this.#items + 4) / ((this.#counts.get(term) ?? 0) + 1));
  }

  /** A field's term; one that the form has nowhere is the user's own word for something, and tells no item. */
  ofAsked(term: string): number {
    return this.#counts.has(term) ? this.of(term) : UNKNOWN_WORD_SHARE * Math.log(5 + this.#items);
  }
}

/** Share of the words of a text that a field has. */
function shareOf(text: string, wanted: ReadonlyMap<string, number>, rarity: TermRarity): number | undefined {
  let [shared, whole] = [0, 0];
  for (const [term, weight] of termsOf(text)) {
    const rare = weight * rarity.of(term);
    whole += rare;
    shared += rare * Math.min(1, weightAmong(term, wanted) / DESCRIPTION_WEIGHT);
  }
  return whole === 0 ? undefined : shared / whole;
}

/** Share of an item's own words that a field has: of its label, tooltip and name, of which the best counts most. */
function coverOf(item: FormItem, wanted: ReadonlyMap<string, number>, rarity: TermRarity): number {
  const own = item.names.filter(([, weight]) => weight >= OWN_TEXT_WEIGHT).slice(0, 4);
  const shares = own.flatMap(([text]) => {
    const share = shareOf(text, wanted, rarity);
    return share === undefined ? [] : [{ share, naming: termsOf(text).size <= MAX_NAMING_TERMS }];
  });
  if (shares.length === 0) return 0;
  const best = Math.max(...shares.map(({ share }) => share));
  const naming = shares.filter((one) => one.naming);
  const mean = naming.length === 0 ? best : naming.reduce((sum, { share }) => sum + share, 0) / naming.length;
  return BEST_TEXT_SHARE * best + (1 - BEST_TEXT_SHARE) * mean;
}

function wordScore(item: FormItem, wanted: ReadonlyMap<string, number>, rarity: TermRarity): number {
  const has = joinTerms(item.names);
  let [met, whole] = [0, 0];
  for (const [term, weight] of wanted) {
    const rare = weight * rarity.ofAsked(term);
    whole += rare;
    met += rare * Math.min(1, weightAmong(term, has));
  }
  if (whole === 0 || met === 0) return 0;
  return FIELD_SHARE * (met / whole) + (1 - FIELD_SHARE) * coverOf(item, wanted, rarity);
}

/** How an item's kind fits a field: a box to tick answers yes or no, a group gives one of its options. */
function kindFactor(item: FormItem, { field, meaning }: Target): number {
  if (field.type === "boolean") return item.kind === "text" ? 0.6 : item.kind === "tick" || isYesNoGroup(item) ? 1 : 0;
  if (item.kind === "tick") return 0;
  if (item.kind === "group" && (field.type !== "string" || wantsIso(field, meaning))) return 0;
  if (field.choices === null) return item.kind === "text" ? 1 : isYesNoGroup(item) ? 0.5 : 0.8;
  return OFFERED_FACTOR;
}

/** Finds the items that each field may lead to, the best first. */
export class FormMatcher {
  readonly items: readonly FormItem[];
  readonly #rarity: TermRarity;
  readonly #conventions: Conventions;
  readonly #last: number;

  constructor(items: readonly FormItem[], conventions: Conventions) {
    const answered = new Set(items.filter(isYesNoGroup).flatMap(({ members }) => members));
    this.items = items.filter(
      ({ kind, members: [first] }) => kind !== "tick" || first === undefined || !answered.has(first),
    );
    this.#rarity = new TermRarity(this.items);
    this.#conventions = conventions;
    this.#last = Math.max(1, ...items.map(({ at }) => at));
  }

  read(item: FormItem, { field, meaning }: Target): ItemReading {
    return readItem(item, field, meaning, this.#conventions);
  }

  matchesOf(target: Target): ItemMatch[] {
    const wanted = fieldTerms(target);
    return this.items
      .map((item) => ({ item, score: wordScore(item, wanted, this.#rarity) * kindFactor(item, target) }))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_MATCHES)
      .map(({ item, score }) => {
        const reading = this.read(item, target);
        const filled = isCertain(item) ? FILLED_BONUS : UNSURE_FILLED_BONUS;
        const bonus = (reading.kind === "value" ? filled : 0) + FIRST_BONUS * (1 - item.at / this.#last);
        return { item, reading, score: reading.kind === "unfit" ? score * UNFIT_FACTOR : score + bonus };
      })
      .sort((a, b) => b.score - a.score);
  }
}
