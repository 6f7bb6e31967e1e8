/**
 * Ranks figures by the words of a prompt, without a model: BM25 over their caption, description, neighbouring text and
 * page. Pure.
 */

import MiniSearch from "minisearch";
import type { Box, Layout, Page } from "../../ports/layout.ts";
import { blockLines, lineText } from "../layout/page-words.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";

/** An entry of `figures.json`. */
export interface ListedFigure {
  id: string;
  pageNumber: number;
  /** Null without a known place, as in office documents. */
  bbox: Box | null;
  mimeType: string;
  caption: string | null;
  description: string;
}

export interface RankedFigure {
  id: string;
  pageNumber: number;
  /** 0 to 1. */
  score: number;
  reason: string;
  /** The text about the figure, for a model. */
  text: string;
}

export interface RankRequest {
  prompt: string;
  /** Criteria are separated by commas or `and`; with `all`, each must be met. */
  matchMode: "all" | "any";
  pages?: readonly number[];
}

/** Weights of the fields: a caption is about the figure alone, a page about many things. */
const FIELD_WEIGHTS = { caption: 4, description: 2, beside: 1.5, heading: 1, page: 0.4 };
type FieldName = keyof typeof FIELD_WEIGHTS;
const FIELDS = Object.keys(FIELD_WEIGHTS) as FieldName[];
const FIELD_LABELS: Record<FieldName, string> = {
  caption: "its caption",
  description: "its description",
  beside: "the text beside it",
  heading: "its section's heading",
  page: "the text of its page",
};
/** Distance above and below a figure whose text counts as beside it. */
const MAX_BESIDE_INCHES = 1.2;
/** Headings may overlap the figure by this much. */
const HEADING_TOLERANCE_INCHES = 0.1;
/** Share of a criterion's words that must be found. */
const MIN_CRITERION_SHARE = 0.5;
const MAX_QUOTE_CHARS = 120;
const MAX_TEXT_CHARS = 1_500;

/** Words that ask for a figure or join words, without naming its content. */
const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.emptyWords));

const fold = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
/** Removes endings of plurals and verbs, roughly; applied to index and query alike. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ies)$/, "y").replace(/(?:ings?|ed|es|s)$/, "") : word;
const tokenize = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
const processTerm = (word: string): string => stem(fold(word));

/** The search terms of a prompt: its words without stop words, or all words if nothing is left. */
export function termsOf(text: string): string[] {
  const all = tokenize(text);
  const significant = all.filter((word) => !STOP_WORDS.has(fold(word)));
  return [...new Set((significant.length > 0 ? significant : all).map(processTerm))];
}

/** The text above and below a figure, and the last heading before it. */
function surroundings(page: Page | undefined, box: Box | null): { beside: string; heading: string; page: string } {
  if (page === undefined) return { beside: "", heading: "", page: "" };
  const texts = page.blocks.map((block) => ({ block, text: blockLines(block).map(lineText).join(" ") }));
  const whole = texts.map(({ text }) => text).join(" ");
  if (box === null) return { beside: "", heading: "", page: whole };
  const beside = texts.filter(
    ({ block }) => block.box.bottom >= box.top - MAX_BESIDE_INCHES && block.box.top <= box.bottom + MAX_BESIDE_INCHES,
  );
  const headings = texts.filter(
    ({ block }) => block.kind === "heading" && block.box.top <= box.top + HEADING_TOLERANCE_INCHES,
  );
  return { beside: beside.map(({ text }) => text).join(" "), heading: headings.at(-1)?.text ?? "", page: whole };
}

type Entry = { id: string } & Record<FieldName, string>;

function entryOf(figure: ListedFigure, pages: ReadonlyMap<number, Page>): Entry {
  const { id, pageNumber, bbox, caption, description } = figure;
  return { id, caption: caption ?? "", description, ...surroundings(pages.get(pageNumber), bbox) };
}

const CRITERIA_SEPARATOR = new RegExp(`[,;\\n]|\\s(?:${anyOf(wordsOf(({ grammar }) => grammar.and))})\\s`, "iu");

const criteriaOf = (prompt: string): string[][] =>
  prompt
    .split(CRITERIA_SEPARATOR)
    .map(termsOf)
    .filter((terms) => terms.length > 0);

/** The found terms meet the criteria. */
function meetsCriteria(
  found: ReadonlySet<string>,
  criteria: readonly string[][],
  mode: RankRequest["matchMode"],
): boolean {
  if (mode === "any") return true;
  return criteria.every(
    (terms) => terms.filter((term) => found.has(term)).length >= MIN_CRITERION_SHARE * terms.length,
  );
}

const quoted = (text: string): string => {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > MAX_QUOTE_CHARS ? `${plain.slice(0, MAX_QUOTE_CHARS).trimEnd()}…` : plain;
};

function reasonFor(entry: Entry, matched: Readonly<Record<string, readonly string[]>>): string {
  const places = new Set(Object.values(matched).flat());
  const best = FIELDS.find((field) => places.has(field)) ?? "page";
  const words = Object.entries(matched)
    .filter(([, fields]) => fields.includes(best))
    .map(([word]) => word);
  const says = best === "page" || best === "beside" ? "" : `: "${quoted(entry[best])}"`;
  return `${words.join(", ")} in ${FIELD_LABELS[best]}${says}`;
}

const aboutOf = ({ caption, description, heading, beside }: Entry): string =>
  [caption, description, heading, beside]
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, MAX_TEXT_CHARS);

/** Figures with their text, in document order. @param pages undefined for all pages */
export function listFigures(
  figures: readonly ListedFigure[],
  layout: Layout,
  pages: readonly number[] | undefined,
): RankedFigure[] {
  const byNumber = new Map(layout.pages.map((page) => [page.number, page]));
  return figures
    .filter(({ pageNumber }) => pages === undefined || pages.includes(pageNumber))
    .map((figure) => {
      const text = aboutOf(entryOf(figure, byNumber));
      return { id: figure.id, pageNumber: figure.pageNumber, score: 0, reason: "", text };
    });
}

/** The figures that meet a request, the best first. */
export function rankFigures(figures: readonly ListedFigure[], layout: Layout, request: RankRequest): RankedFigure[] {
  const pages = new Map(layout.pages.map((page) => [page.number, page]));
  const wanted = figures.filter(({ pageNumber }) => request.pages?.includes(pageNumber) ?? true);
  const entries = new Map(wanted.map((figure) => [figure.id, entryOf(figure, pages)]));
  const index = new MiniSearch<Entry>({
    fields: FIELDS,
    tokenize,
    processTerm,
    searchOptions: { boost: FIELD_WEIGHTS },
  });
  index.addAll([...entries.values()]);
  const terms = termsOf(request.prompt);
  const criteria = criteriaOf(request.prompt);
  const found = index.search(terms.join(" "), {
    processTerm: (term) => term,
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    weights: { fuzzy: 0.3, prefix: 0.5 },
  });
  const ranked = found.flatMap((hit) => {
    const entry = entries.get(String(hit.id));
    const asked = new Set(hit.queryTerms);
    if (entry === undefined || !meetsCriteria(asked, criteria, request.matchMode)) return [];
    const coverage = asked.size / Math.max(1, terms.length);
    return [{ entry, worth: hit.score * coverage, coverage, reason: reasonFor(entry, hit.match) }];
  });
  ranked.sort((a, b) => b.worth - a.worth || (a.entry.id < b.entry.id ? -1 : 1));
  const best = ranked[0]?.worth ?? 1;
  const pageOf = new Map(wanted.map(({ id, pageNumber }) => [id, pageNumber]));
  return ranked.map(({ entry, worth, coverage, reason }) => ({
    id: entry.id,
    pageNumber: pageOf.get(entry.id) ?? 0,
    score: Number((coverage * (worth / best)).toFixed(3)),
    reason: reason.replace(/^./, (letter) => letter.toUpperCase()),
    text: aboutOf(entry),
  }));
}
