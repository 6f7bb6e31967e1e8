/**
 * Detects whether a request asks for some of a list's rows only. All rows are wanted unless a sentence asks for rows
 * under a limit: a count, pages, or a criterion. Sentences about the format of values, about skipped parts, about
 * headings and sums, or about the document limit nothing; nor do negated sentences and names.
 */

import { normalizeSentence, type SentencePart, sentenceParts } from "./prompt-sentences.ts";
import * as words from "./restriction-words.ts";
import { type DataList, listName } from "./result-lists.ts";

/** The restriction of a list's rows. */
export interface RowLimit {
  /** The restricting sentences, as given. */
  said: string[];
  /** Number of rows; `best`: ranked by their values. */
  count?: { rows: number; of: "first" | "last" | "best" | "some" };
  /** Ranges of page numbers, both ends included; -1 is the last page. */
  pages?: [number, number][];
  /** Only rows of some kind, which only a reader can recognise. */
  criterion?: true;
}

const wholeWord = (alternatives: string): string => `(?<![\\p{L}\\p{N}'])(?:${alternatives})(?![\\p{L}\\p{N}'])`;

/** Sentences of one text are matched against the same patterns. */
const MAX_COMPILED_PATTERNS = 200;
const compiled = new Map<string, RegExp>();
function compiledPattern(source: string): RegExp {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (compiled.size >= MAX_COMPILED_PATTERNS) compiled.clear();
  const made = new RegExp(source, "u");
  compiled.set(source, made);
  return made;
}

const ASKED = `(?:${words.ASK}|${words.ONLY})`;
const ON_PAGES = `${wholeWord(words.PAGE)} (?<from>\\d{1,5})(?: ?(?<onwards>${wholeWord(words.ONWARDS)})| ?(?:-|to|and|bis|und|a|au|et|al?|y|tot|en|through) ?(?:(?<to>\\d{1,5})|(?<open>\\S+ ?(?:end|ende|schluss|fin|final|einde))))?`;
const COMPARISON = `(?:(?:${words.PARTICIPLE}) |(?:${words.WITH}|${words.THAT})(?: [\\p{L}']+){0,5}? )?(?:(?:${words.COMPARED})(?![\\p{L}])|[<>≥≤]=?)(?<between>[^\\d]{0,24}?)\\d[\\d.,:/-]*(?=(?<unit>(?: ?\\S+){0,2}))`;
const CATEGORY = `(?:${words.OF}) (?:(?:the|der|die|das|dem|la|le|el|de|het|den) )?(?:${words.KIND}) (?!${wholeWord(words.AND)})[\\p{L}\\p{N}]+`;
const STATED = `(?:(?:that|which|who) (?:are|were|is)(?: marked(?: as)?)? |die )?${wholeWord(words.STATE)}`;

/** A sentence with one of these before the limit asks for nothing. */
const REFUSING_WORDS = compiledPattern(
  `${wholeWord(words.NEGATION)}|${wholeWord(words.EXCLUDING_VERBS)}|${wholeWord(words.INCLUDING_WORDS)}`,
);
const DESCRIBING_VERBS = compiledPattern(wholeWord(words.DESCRIBING_VERBS));
const REST_WORDS = compiledPattern(wholeWord(words.REST));
const FORMAT_WORDS = compiledPattern(wholeWord(words.FORMAT));
const COMMON_WORDS = compiledPattern(wholeWord(words.COMMON));
const NEGATING_WORDS = compiledPattern(wholeWord(words.NEGATION));
const COLUMN_WORDS = compiledPattern(
  `^${wholeWord(words.COLUMN_DETERMINERS)}|${wholeWord("and|or|und|oder|et|ou|y|o|en|of")}`,
);
/** Verbs inside a description of the rows do not make the sentence descriptive. */
const DESCRIPTION_OF_ROWS = new RegExp(
  `(?<![\\p{L}])(?:${words.WITH}|${words.THAT})(?: [\\p{L}']+){0,3}? (?:${words.DESCRIBING_VERBS})(?![\\p{L}])`,
  "gu",
);
const isDescription = (text: string): boolean => DESCRIBING_VERBS.test(text.replace(DESCRIPTION_OF_ROWS, ""));

interface RequestMatch {
  before: string;
  after: string;
  groups: Record<string, string | undefined>;
}

/**
 * Finds a request: a verb that asks (or the sentence's beginning), then only filler, then the wanted rows.
 * @param only requires a word such as `only`
 */
function findRequest(sentence: string, what: string, only = false): RequestMatch | undefined {
  const begin = only ? wholeWord(words.ONLY) : `${wholeWord(ASKED)}|^`;
  const between = `(?:(?:${words.FILLER}|${only ? ASKED : `${words.ASK}|${words.ONLY}`}) )*`;
  const match = compiledPattern(
    `^(?<before>.*?)(?:${begin}) ?${between}(?:${what})(?![\\p{L}\\p{N}])(?<after>.*)$`,
  ).exec(sentence);
  if (match === null) return undefined;
  const { before = "", after = "", ...groups } = match.groups ?? {};
  return REFUSING_WORDS.test(before) || isDescription(before) || isDescription(after) || REST_WORDS.test(after)
    ? undefined
    : { before, after, groups };
}

const isAboutFormat = ({ between = "", unit = "" }: RequestMatch["groups"]): boolean =>
  FORMAT_WORDS.test(`${between} ${unit}`);

/** `lines of the address`: not the lines of the list. */
const OF_SOMETHING_ELSE = compiledPattern(`^ (?:of|der|des|von|de|du|del|van) (?!.*${wholeWord(words.COMMON)})`);
const MORE_NUMBERS = compiledPattern(`^ ?(?:and|und|et|y|en|&|\\+) ?\\d`);

/** The limits in one sentence, by the nouns for the list's rows. */
class RequestSentence {
  readonly #text: string;
  readonly #next: string | undefined;
  readonly #rows: string;
  readonly #row: string;

  constructor({ said, next }: SentencePart, rows: string, row: string) {
    this.#text = normalizeSentence(said);
    this.#next = next;
    this.#rows = wholeWord(rows);
    this.#row = wholeWord(row);
  }

  count(): RowLimit["count"] {
    if (REST_WORDS.test(this.#next ?? "")) return undefined;
    const ranks = [
      ["first", words.FIRST],
      ["last", words.LAST],
      ["best", words.RANKED],
    ] as const;
    const counted = `(?<count>${words.COUNT})`;
    for (const [of, rank] of ranks) {
      const many = `(?:(?:${rank}) ${counted}|${counted.replace("count", "other")} (?:${rank}))(?: \\p{L}+)? ${this.#rows}`;
      const found = findRequest(this.#text, many) ?? findRequest(this.#text, `(?:${rank}) ${this.#row}`);
      const { count, other } = found?.groups ?? {};
      if (found === undefined || OF_SOMETHING_ELSE.test(found.after) || FORMAT_WORDS.test(found.after.slice(0, 5)))
        continue;
      return { rows: words.countOf(count ?? other ?? "one") ?? 1, of };
    }
    const most = `(?:(?:${words.AT_MOST}) )?${counted} ${this.#rows}`;
    const found =
      findRequest(this.#text, `(?:${words.AT_MOST}) ${counted} ${this.#rows}`) ?? findRequest(this.#text, most, true);
    if (found === undefined || FORMAT_WORDS.test(found.after)) return undefined;
    return { rows: words.countOf(found.groups.count ?? "") ?? 1, of: "some" };
  }

  pages(): [number, number] | undefined {
    const rows = `(?:${this.#rows}|everything|alles|tout|todo)(?: \\p{L}+){0,3}? (?:(?<starting>${words.STARTING})|on|of|in|auf|von|aus|sur|de|des|en|op|van)(?: the| der| la| las| les)?`;
    const one = compiledPattern(wholeWord(`${words.FIRST}|${words.LAST}`));
    const ordinal = `(?<rank>${one.source}) ${wholeWord(words.PAGE)}`;
    const found =
      findRequest(this.#text, `${rows} ${ON_PAGES}`) ??
      findRequest(this.#text, ON_PAGES, true) ??
      findRequest(this.#text, `${rows} ${ordinal}`) ??
      findRequest(this.#text, ordinal, true);
    if (found === undefined || this.#next !== undefined || MORE_NUMBERS.test(found.after)) return undefined;
    if (compiledPattern(wholeWord(words.PAGE)).test(found.after)) return undefined;
    const { rank, from, to, onwards, open, starting } = found.groups;
    if (rank !== undefined) return compiledPattern(wholeWord(words.LAST)).test(rank) ? [-1, -1] : [1, 1];
    const first = Number(from);
    const isOpen = [onwards, open].some((said) => said !== undefined) || (starting !== undefined && to === undefined);
    return [first, isOpen ? Number.POSITIVE_INFINITY : Number(to ?? from)];
  }

  criterion(): boolean {
    const rows = this.#rows;
    const compared = findRequest(this.#text, `${rows} (?:only )?${COMPARISON}`);
    if (compared !== undefined && !isAboutFormat(compared.groups)) return true;
    if (findRequest(this.#text, `${rows} ${CATEGORY}`) !== undefined) return true;
    if (
      findRequest(this.#text, `${wholeWord(words.STATE)} ${rows}|${rows} ${wholeWord(words.STATE)}`, true) !== undefined
    )
      return true;
    const other = `${wholeWord(words.LATER_ORDINALS)} ${wholeWord(words.TABLE)}`;
    const named = `${wholeWord(words.SECTION)} (?!${wholeWord(words.AND)}|${wholeWord(words.OF)})(?<name>[\\p{L}\\p{N}]+)`;
    const section = findRequest(this.#text, other) ?? findRequest(this.#text, named, true);
    if (section !== undefined && !COMMON_WORDS.test(section.groups.name ?? "")) return true;
    return this.#described() || this.#excepted();
  }

  /** `only rows whose …`: a property of all rows of a document, or of their columns, is no criterion. */
  #described(): boolean {
    const about = findRequest(this.#text, `${this.#rows} (?:${words.OF}) ${wholeWord(words.MONTH)}`, true);
    if (about !== undefined) return true;
    const opening = `(?:(?<with>${words.WITH})|${words.THAT})`;
    const found = findRequest(this.#text, `${this.#rows} ${opening} (?<what>.+)`, true);
    const { with: having, what = "" } = found?.groups ?? {};
    if (
      what === "" ||
      [COMMON_WORDS, FORMAT_WORDS, NEGATING_WORDS, compiledPattern(this.#rows)].some((pattern) => pattern.test(what))
    )
      return false;
    return having === undefined || !(this.#next !== undefined || COLUMN_WORDS.test(what));
  }

  /** `all rows except those that …` */
  #excepted(): boolean {
    const those = `(?:(?:${words.FILLER}) )*(?:${words.THOSE}|${this.#rows})`;
    const what = `(?:${those} (?:${CATEGORY}|${STATED}|${COMPARISON})|${wholeWord(words.STATE)} ${this.#rows})`;
    const match = compiledPattern(`^(?<before>.*?)${wholeWord(words.EXCEPT)} (?:(?:${words.FILLER}) )*${what}`).exec(
      this.#text,
    );
    const { before = "", ...groups } = match?.groups ?? {};
    return match !== null && !REFUSING_WORDS.test(before) && !isDescription(before) && !isAboutFormat(groups);
  }
}

/** The particular nouns for a list's rows: the last word of its name, in plural and singular. */
function ownNouns(list: DataList): { many: string; one: string } | undefined {
  const last = listName(list).split(" ").at(-1) ?? "";
  if (!/^\p{L}{3,}$/u.test(last)) return undefined;
  const one = last.replace(/ies$/u, "y").replace(/(?<=[^s])s$/u, "");
  return { many: `${last}|${one}`, one };
}

/** The nouns for a list's rows, without those that name another list. */
function nounsFor(list: DataList, lists: readonly DataList[]): { many: string; one: string } {
  const own = ownNouns(list);
  const taken = new Set(lists.flatMap((other) => (other === list ? [] : (ownNouns(other)?.many.split("|") ?? []))));
  for (const noun of own?.many.split("|") ?? []) taken.delete(noun);
  const free = (nouns: string): string =>
    nouns
      .split("|")
      .filter((noun) => ![...taken].some((other) => compiledPattern(`^(?:${noun})$`).test(other)))
      .join("|");
  return {
    many: own === undefined ? free(words.ROWS) : `${free(words.ROWS)}|${own.many}`,
    one: own === undefined ? free(words.ONE_ROW) : `${free(words.ONE_ROW)}|${own.one}`,
  };
}

/**
 * The restriction of a list; undefined if all rows are wanted.
 * @param lists all lists of the result @param texts the prompt, and descriptions that apply to the list, such as the
 * schema's own
 */
export function findRowLimit(
  list: DataList,
  lists: readonly DataList[],
  texts: readonly string[],
): RowLimit | undefined {
  const { many, one } = nounsFor(list, lists);
  const limit: RowLimit = { said: [] };
  for (const part of [...texts, list.shape?.description ?? ""].flatMap(sentenceParts)) {
    const sentence = new RequestSentence(part, many, one);
    const [count, pages, criterion] = [sentence.count(), sentence.pages(), sentence.criterion()];
    if (count === undefined && pages === undefined && !criterion) continue;
    limit.said.push(part.said);
    // The larger of two counts: too few rows must not pass for enough.
    if (count !== undefined && count.rows > (limit.count?.rows ?? 0)) limit.count = count;
    if (pages !== undefined) limit.pages = [...(limit.pages ?? []), pages];
    if (criterion) limit.criterion = true;
  }
  return limit.said.length === 0 ? undefined : limit;
}
