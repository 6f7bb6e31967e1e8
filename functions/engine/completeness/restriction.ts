/**
 * Whether somebody asks for some of a list's rows only. All rows are wanted unless a sentence asks for rows under a
 * limit: a count, pages, or a criterion. What says how values are written, what is left out, what no row is (headings,
 * sums), or how the document is made limits nothing, nor does any sentence that says no; nor do names.
 */

import { type Part, partsOf, plain } from "./prompt-sentences.ts";
import * as words from "./restriction-words.ts";
import { type DataList, nameOf } from "./result-lists.ts";

/** What is wanted of a list's rows. */
export interface Limit {
  /** Sentences that say so, as given. */
  said: string[];
  /** So many rows; `best`: by their values. */
  count?: { rows: number; of: "first" | "last" | "best" | "some" };
  /** From and to, both included; -1 is the last page. */
  pages?: [number, number][];
  /** Only rows of some kind, which nobody but a reader can tell. */
  criterion?: true;
}

const word = (alternatives: string): string => `(?<![\\p{L}\\p{N}'])(?:${alternatives})(?![\\p{L}\\p{N}'])`;

/** Sentences of one text are held against the same patterns. */
const MOST_COMPILED = 200;
const compiled = new Map<string, RegExp>();
function regex(source: string): RegExp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  const made = new RegExp(source, "u");
  compiled.set(source, made);
  return made;
}

const ASKED = `(?:${words.ASK}|${words.ONLY})`;
const ON_PAGES = `${word(words.PAGE)} (?<from>\\d{1,5})(?: ?(?<onwards>${word(words.ONWARDS)})| ?(?:-|to|and|bis|und|a|au|et|al?|y|tot|en|through) ?(?:(?<to>\\d{1,5})|(?<open>\\S+ ?(?:end|ende|schluss|fin|final|einde))))?`;
const COMPARISON = `(?:(?:${words.PARTICIPLE}) |(?:${words.WITH}|${words.THAT})(?: [\\p{L}']+){0,5}? )?(?:(?:${words.COMPARED})(?![\\p{L}])|[<>≥≤]=?)(?<between>[^\\d]{0,24}?)\\d[\\d.,:/-]*(?=(?<unit>(?: ?\\S+){0,2}))`;
const CATEGORY = `(?:${words.OF}) (?:(?:the|der|die|das|dem|la|le|el|de|het|den) )?(?:${words.KIND}) (?!${word(words.AND)})[\\p{L}\\p{N}]+`;
const STATED = `(?:(?:that|which|who) (?:are|were|is)(?: marked(?: as)?)? |die )?${word(words.STATE)}`;

/** What a sentence must not say before the limit, or after it. */
const REFUSED = regex(`${word(words.NEGATION)}|${word(words.LEAVING)}|${word(words.ALSO)}`);
const TELLS = regex(word(words.TELLING));
const RESTS = regex(word(words.REST));
const FORMATS = regex(word(words.FORMAT));
const COMMON = regex(word(words.COMMON));
const NEGATED = regex(word(words.NEGATION));
const COLUMNS = regex(`^${word(words.THEIR)}|${word("and|or|und|oder|et|ou|y|o|en|of")}`);
/** Verbs of a description of the rows say nothing of the sentence. */
const DESCRIBED = new RegExp(
  `(?<![\\p{L}])(?:${words.WITH}|${words.THAT})(?: [\\p{L}']+){0,3}? (?:${words.TELLING})(?![\\p{L}])`,
  "gu",
);
const tells = (text: string): boolean => TELLS.test(text.replace(DESCRIBED, ""));

interface Found {
  before: string;
  after: string;
  groups: Record<string, string | undefined>;
}

/**
 * Where a sentence asks for something: after a word that asks, or at its beginning, with nothing between that is not
 * said of rows anyhow.
 * @param only a word such as `only` is needed
 */
function asked(sentence: string, what: string, only = false): Found | undefined {
  const begin = only ? word(words.ONLY) : `${word(ASKED)}|^`;
  const between = `(?:(?:${words.FILLER}|${only ? ASKED : `${words.ASK}|${words.ONLY}`}) )*`;
  const match = regex(`^(?<before>.*?)(?:${begin}) ?${between}(?:${what})(?![\\p{L}\\p{N}])(?<after>.*)$`).exec(
    sentence,
  );
  if (match === null) return undefined;
  const { before = "", after = "", ...groups } = match.groups ?? {};
  return REFUSED.test(before) || tells(before) || tells(after) || RESTS.test(after)
    ? undefined
    : { before, after, groups };
}

const isWritten = ({ between = "", unit = "" }: Found["groups"]): boolean => FORMATS.test(`${between} ${unit}`);

/** `lines of the address`: other lines than those of a list. */
const OF_ELSE = regex(`^ (?:of|der|des|von|de|du|del|van) (?!.*${word(words.COMMON)})`);
const MORE_NUMBERS = regex(`^ ?(?:and|und|et|y|en|&|\\+) ?\\d`);

/** Limits of one sentence, for what its rows are called. */
class Sentence {
  readonly #text: string;
  readonly #next: string | undefined;
  readonly #rows: string;
  readonly #row: string;

  constructor({ said, next }: Part, rows: string, row: string) {
    this.#text = plain(said);
    this.#next = next;
    this.#rows = word(rows);
    this.#row = word(row);
  }

  count(): Limit["count"] {
    if (RESTS.test(this.#next ?? "")) return undefined;
    const ranks = [
      ["first", words.FIRST],
      ["last", words.LAST],
      ["best", words.RANKED],
    ] as const;
    const counted = `(?<count>${words.COUNT})`;
    for (const [of, rank] of ranks) {
      const many = `(?:(?:${rank}) ${counted}|${counted.replace("count", "other")} (?:${rank}))(?: \\p{L}+)? ${this.#rows}`;
      const found = asked(this.#text, many) ?? asked(this.#text, `(?:${rank}) ${this.#row}`);
      const { count, other } = found?.groups ?? {};
      if (found === undefined || OF_ELSE.test(found.after) || FORMATS.test(found.after.slice(0, 5))) continue;
      return { rows: words.countOf(count ?? other ?? "one") ?? 1, of };
    }
    const most = `(?:(?:${words.AT_MOST}) )?${counted} ${this.#rows}`;
    const found = asked(this.#text, `(?:${words.AT_MOST}) ${counted} ${this.#rows}`) ?? asked(this.#text, most, true);
    if (found === undefined || FORMATS.test(found.after)) return undefined;
    return { rows: words.countOf(found.groups.count ?? "") ?? 1, of: "some" };
  }

  pages(): [number, number] | undefined {
    const rows = `(?:${this.#rows}|everything|alles|tout|todo)(?: \\p{L}+){0,3}? (?:(?<starting>${words.STARTING})|on|of|in|auf|von|aus|sur|de|des|en|op|van)(?: the| der| la| las| les)?`;
    const one = regex(word(`${words.FIRST}|${words.LAST}`));
    const ordinal = `(?<rank>${one.source}) ${word(words.PAGE)}`;
    const found =
      asked(this.#text, `${rows} ${ON_PAGES}`) ??
      asked(this.#text, ON_PAGES, true) ??
      asked(this.#text, `${rows} ${ordinal}`) ??
      asked(this.#text, ordinal, true);
    if (found === undefined || this.#next !== undefined || MORE_NUMBERS.test(found.after)) return undefined;
    if (regex(word(words.PAGE)).test(found.after)) return undefined;
    const { rank, from, to, onwards, open, starting } = found.groups;
    if (rank !== undefined) return regex(word(words.LAST)).test(rank) ? [-1, -1] : [1, 1];
    const first = Number(from);
    const isOpen = [onwards, open].some((said) => said !== undefined) || (starting !== undefined && to === undefined);
    return [first, isOpen ? Number.POSITIVE_INFINITY : Number(to ?? from)];
  }

  criterion(): boolean {
    const rows = this.#rows;
    const compared = asked(this.#text, `${rows} (?:only )?${COMPARISON}`);
    if (compared !== undefined && !isWritten(compared.groups)) return true;
    if (asked(this.#text, `${rows} ${CATEGORY}`) !== undefined) return true;
    if (asked(this.#text, `${word(words.STATE)} ${rows}|${rows} ${word(words.STATE)}`, true) !== undefined) return true;
    const other = `${word(words.OTHER_ORDER)} ${word(words.TABLE)}`;
    const named = `${word(words.SECTION)} (?!${word(words.AND)}|${word(words.OF)})(?<name>[\\p{L}\\p{N}]+)`;
    const section = asked(this.#text, other) ?? asked(this.#text, named, true);
    if (section !== undefined && !COMMON.test(section.groups.name ?? "")) return true;
    return this.#described() || this.#excepted();
  }

  /** `only rows whose …`: what is said of all rows of a document, or of their columns, describes none. */
  #described(): boolean {
    const about = asked(this.#text, `${this.#rows} (?:${words.OF}) ${word(words.MONTH)}`, true);
    if (about !== undefined) return true;
    const opening = `(?:(?<with>${words.WITH})|${words.THAT})`;
    const found = asked(this.#text, `${this.#rows} ${opening} (?<what>.+)`, true);
    const { with: having, what = "" } = found?.groups ?? {};
    if (what === "" || [COMMON, FORMATS, NEGATED, regex(this.#rows)].some((pattern) => pattern.test(what)))
      return false;
    return having === undefined || !(this.#next !== undefined || COLUMNS.test(what));
  }

  /** `all rows except those that …` */
  #excepted(): boolean {
    const those = `(?:(?:${words.FILLER}) )*(?:${words.THOSE}|${this.#rows})`;
    const what = `(?:${those} (?:${CATEGORY}|${STATED}|${COMPARISON})|${word(words.STATE)} ${this.#rows})`;
    const match = regex(`^(?<before>.*?)${word(words.EXCEPT)} (?:(?:${words.FILLER}) )*${what}`).exec(this.#text);
    const { before = "", ...groups } = match?.groups ?? {};
    return match !== null && !REFUSED.test(before) && !tells(before) && !isWritten(groups);
  }
}

/** What the rows of a list may be called in particular: by the last word of its name, in its number. */
function ownNouns(list: DataList): { many: string; one: string } | undefined {
  const last = nameOf(list).split(" ").at(-1) ?? "";
  if (!/^\p{L}{3,}$/u.test(last)) return undefined;
  const one = last.replace(/ies$/u, "y").replace(/(?<=[^s])s$/u, "");
  return { many: `${last}|${one}`, one };
}

/** The nouns that mean a list's rows; what another list is called means that one's. */
function nounsFor(list: DataList, lists: readonly DataList[]): { many: string; one: string } {
  const own = ownNouns(list);
  const taken = new Set(lists.flatMap((other) => (other === list ? [] : (ownNouns(other)?.many.split("|") ?? []))));
  for (const noun of own?.many.split("|") ?? []) taken.delete(noun);
  const free = (nouns: string): string =>
    nouns
      .split("|")
      .filter((noun) => ![...taken].some((other) => regex(`^(?:${noun})$`).test(other)))
      .join("|");
  return {
    many: own === undefined ? free(words.ROWS) : `${free(words.ROWS)}|${own.many}`,
    one: own === undefined ? free(words.ONE_ROW) : `${free(words.ONE_ROW)}|${own.one}`,
  };
}

/**
 * What a list is limited to; undefined: nothing.
 * @param lists all of the result @param texts the prompt, and descriptions that lead to the list, such as the schema's own
 */
export function limitOf(list: DataList, lists: readonly DataList[], texts: readonly string[]): Limit | undefined {
  const { many, one } = nounsFor(list, lists);
  const limit: Limit = { said: [] };
  for (const part of [...texts, list.shape?.description ?? ""].flatMap(partsOf)) {
    const sentence = new Sentence(part, many, one);
    const [count, pages, criterion] = [sentence.count(), sentence.pages(), sentence.criterion()];
    if (count === undefined && pages === undefined && !criterion) continue;
    limit.said.push(part.said);
    // Of two counts the larger one: fewer rows must not pass for enough.
    if (count !== undefined && count.rows > (limit.count?.rows ?? 0)) limit.count = count;
    if (pages !== undefined) limit.pages = [...(limit.pages ?? []), pages];
    if (criterion) limit.criterion = true;
  }
  return limit.said.length === 0 ? undefined : limit;
}
