/**
 * Figures by words, without a model: BM25 over what is said of them (caption, description, the text beside them, their
 * page). Pure.
 */
import MiniSearch from "minisearch";
import type { Box, Layout, Page } from "../../ports/layout.ts";
import { blockLines, lineText } from "../layout/page-words.ts";

/** As `figures.json` lists it. */
export interface ListedFigure {
  id: string;
  pageNumber: number;
  /** Null where nobody knows its place, as in office documents. */
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
  /** What is said of it, for a model. */
  text: string;
}

export interface RankRequest {
  prompt: string;
  /** Of several criteria, joined by commas or `and`, whether all must be met. */
  matchMode: "all" | "any";
  pages?: readonly number[];
}

/** What a caption says is the figure's own; what its page says is many things'. */
const BOOST = { caption: 4, description: 2, beside: 1.5, heading: 1, page: 0.4 };
type FieldName = keyof typeof BOOST;
const FIELDS = Object.keys(BOOST) as FieldName[];
const SAID: Record<FieldName, string> = {
  caption: "its caption",
  description: "its description",
  beside: "the text beside it",
  heading: "its section's heading",
  page: "the text of its page",
};
/** Inches above and below a figure whose text counts as beside it. */
const BESIDE = 1.2;
/** A criterion is met by so many of its words. */
const MET = 0.5;
const LONGEST_QUOTE = 120;
const LONGEST_TEXT = 1_500;

/** Words that ask for a figure, or join words, and say nothing of what it shows. */
const EMPTY_WORDS = new Set(
  (
    "a an the of in on at to for with and or is are be that this which where what all any find show shows showing select " +
    "image images picture pictures photo photos figure figures fig illustration me please " +
    "der die das ein eine von mit und oder im am zu für bild bilder abbildung zeigt alle le la les un une des du de et ou avec " +
    "sur dans image el los las una y con en imagen het een van met en op afbeelding"
  ).split(" "),
);

const fold = (word: string): string => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
/** Endings of plurals and verbs; rough, and the same for both sides. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ies)$/, "y").replace(/(?:ings?|ed|es|s)$/, "") : word;
const tokenize = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
const processTerm = (word: string): string => stem(fold(word));

/** The words of a wish that say something; where none does, all of them. */
export function termsOf(text: string): string[] {
  const all = tokenize(text);
  const telling = all.filter((word) => !EMPTY_WORDS.has(fold(word)));
  return [...new Set((telling.length > 0 ? telling : all).map(processTerm))];
}

/** The text above and below a figure, and the last heading before it. */
function surroundings(page: Page | undefined, box: Box | null): { beside: string; heading: string; page: string } {
  if (page === undefined) return { beside: "", heading: "", page: "" };
  const texts = page.blocks.map((block) => ({ block, text: blockLines(block).map(lineText).join(" ") }));
  const whole = texts.map(({ text }) => text).join(" ");
  if (box === null) return { beside: "", heading: "", page: whole };
  const beside = texts.filter(
    ({ block }) => block.box.bottom >= box.top - BESIDE && block.box.top <= box.bottom + BESIDE,
  );
  const headings = texts.filter(({ block }) => block.kind === "heading" && block.box.top <= box.top + 0.1);
  return { beside: beside.map(({ text }) => text).join(" "), heading: headings.at(-1)?.text ?? "", page: whole };
}

type Entry = { id: string } & Record<FieldName, string>;

function entryOf(figure: ListedFigure, pages: ReadonlyMap<number, Page>): Entry {
  const { id, pageNumber, bbox, caption, description } = figure;
  return { id, caption: caption ?? "", description, ...surroundings(pages.get(pageNumber), bbox) };
}

const criteriaOf = (prompt: string): string[][] =>
  prompt
    .split(/[,;\n]|\s(?:and|und|et|y|en)\s/iu)
    .map(termsOf)
    .filter((terms) => terms.length > 0);

/** Whether the words found meet the wish. */
function isMet(found: ReadonlySet<string>, criteria: readonly string[][], mode: RankRequest["matchMode"]): boolean {
  if (mode === "any") return true;
  return criteria.every((terms) => terms.filter((term) => found.has(term)).length >= MET * terms.length);
}

const quoted = (text: string): string => {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE).trimEnd()}…` : plain;
};

function reasonFor(entry: Entry, matched: Readonly<Record<string, readonly string[]>>): string {
  const places = new Set(Object.values(matched).flat());
  const best = FIELDS.find((field) => places.has(field)) ?? "page";
  const words = Object.entries(matched)
    .filter(([, fields]) => fields.includes(best))
    .map(([word]) => word);
  const says = best === "page" || best === "beside" ? "" : `: "${quoted(entry[best])}"`;
  return `${words.join(", ")} in ${SAID[best]}${says}`;
}

const aboutOf = ({ caption, description, heading, beside }: Entry): string =>
  [caption, description, heading, beside]
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, LONGEST_TEXT);

/** Every figure with what is said of it, in the document's order; of some pages only where they are named. */
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

/** The figures that meet a wish, the best first. */
export function rankFigures(figures: readonly ListedFigure[], layout: Layout, request: RankRequest): RankedFigure[] {
  const pages = new Map(layout.pages.map((page) => [page.number, page]));
  const wanted = figures.filter(({ pageNumber }) => request.pages?.includes(pageNumber) ?? true);
  const entries = new Map(wanted.map((figure) => [figure.id, entryOf(figure, pages)]));
  const index = new MiniSearch<Entry>({ fields: FIELDS, tokenize, processTerm, searchOptions: { boost: BOOST } });
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
    if (entry === undefined || !isMet(asked, criteria, request.matchMode)) return [];
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
