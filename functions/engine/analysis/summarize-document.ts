/** A summary of a document without a model, from its headings and labels; the same bytes give the same summary. */
import { isObject, type Json } from "../../ports/json.ts";
import type { Block, Layout } from "../../ports/layout.ts";
import { analysedType } from "../extraction/describe/analyze-document.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import { blockLines, lineText } from "../layout/page-words.ts";

export interface Summary {
  /** `invoice`, `contract`, … or `other`. */
  document_type: string;
  title: string;
  summary: string;
  /** Labels with their values, as printed. */
  key_facts: string[];
}

/** Pages that labels are looked for on: the first ones say what a document is, and the work stays a few seconds. */
const LABELLED_PAGES = 20;
/** Lengths in characters, and numbers, that a person reads at a glance; also for what a model writes. */
const MAX_TITLE_CHARS = 200;
const MAX_SUMMARY_CHARS = 2_000;
const MAX_FACT_CHARS = 200;
const MAX_FACTS = 20;
const MAX_SECTIONS = 12;
const MAX_SECTION_CHARS = 80;
/** Most characters of the opening text. */
const MAX_OPENING_CHARS = 400;
/** Words from which text opens a document; less is a label or an address. */
const MIN_OPENING_WORDS = 12;

const single = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

/** Shortens a text at a word, to at most so many characters. */
function shorten(text: string, most: number): string {
  const whole = single(text);
  if (whole.length <= most) return whole;
  const cut = whole.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  const kept = space > most / 2 ? cut.slice(0, space) : cut;
  // Not between the halves of a character beyond the basic plane.
  return `${kept.replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

const textOf = (block: Block): string => blockLines(block).map(lineText).join(" ");

/** The headings of a document, the title first. */
function headingsOf({ pages }: Layout): { text: string; level: number }[] {
  return pages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const text = block.kind === "heading" ? single(textOf(block)) : "";
      return text === "" || block.kind !== "heading" ? [] : [{ text, level: block.level ?? 1 }];
    }),
  );
}

/** The most important heading of the first page that has one, else the first line of the document. */
function titleOf(layout: Layout): string {
  for (const page of layout.pages.slice(0, LABELLED_PAGES)) {
    const headings = headingsOf({ ...layout, pages: [page] });
    const top = Math.min(...headings.map(({ level }) => level));
    const found = headings.find(({ level }) => level === top);
    if (found !== undefined) return shorten(found.text, MAX_TITLE_CHARS);
  }
  const lines = layout.pages.flatMap(({ blocks }) => blocks.flatMap(blockLines));
  const first = lines.map(lineText).find((line) => /\p{L}{2,}/u.test(line));
  return shorten(first ?? "", MAX_TITLE_CHARS);
}

/** The first paragraph that is a text rather than a label. */
function openingOf({ pages }: Layout): string {
  for (const { blocks } of pages.slice(0, LABELLED_PAGES)) {
    for (const block of blocks) {
      const text = block.kind === "paragraph" ? single(textOf(block)) : "";
      if (text.split(" ").length >= MIN_OPENING_WORDS) return shorten(text, MAX_OPENING_CHARS);
    }
  }
  return "";
}

const factText = (value: Json | undefined): string => (value === true ? "yes" : value === false ? "no" : String(value));

function factsOf(values: Json | undefined): string[] {
  if (!isObject(values)) return [];
  const facts = Object.entries(values)
    .filter(([, value]) => value !== null && typeof value !== "object")
    .map(([label, value]) => shorten(`${label}: ${factText(value)}`, MAX_FACT_CHARS));
  return [...new Set(facts)].slice(0, MAX_FACTS);
}

const pagesText = (pages: number): string => (pages === 1 ? "1 page" : `${pages} pages`);

/** Titles may end with a mark of their own, such as "Ltd.". */
const sentence = (text: string): string => (/[.!?。]$/u.test(text) ? text : `${text}.`);

/** Summarises a document: what it is, its sections, how it begins, and its labelled values. */
export function summarizeDocument(layout: Layout): Summary {
  const first = { ...layout, pages: layout.pages.slice(0, LABELLED_PAGES) };
  const { result } = extractOffline(first, { granularity: "auto" });
  const general = isObject(result) ? result : {};
  const type = analysedType(first, general);
  const title = titleOf(layout);
  const sections = [...new Set(headingsOf(layout).map(({ text }) => shorten(text, MAX_SECTION_CHARS)))]
    .filter((text) => text !== title)
    .slice(0, MAX_SECTIONS);
  const opening = openingOf(layout);
  const kind = type === "other" ? "Document" : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  const parts = [
    sentence(`${kind} of ${pagesText(layout.pageCount)}${title === "" ? "" : `: ${title}`}`),
    ...(sections.length === 0 ? [] : [`Sections: ${sections.join("; ")}.`]),
    ...(opening === "" ? [] : [opening]),
  ];
  return limitSummary({
    document_type: type,
    title,
    summary: parts.join(" "),
    key_facts: factsOf(general.key_values),
  });
}

/** Shortens a summary that another has written to the lengths of this one's. */
export function limitSummary({ document_type, title, summary, key_facts }: Summary): Summary {
  return {
    document_type: shorten(document_type, MAX_TITLE_CHARS),
    title: shorten(title, MAX_TITLE_CHARS),
    summary: shorten(summary, MAX_SUMMARY_CHARS),
    key_facts: key_facts.slice(0, MAX_FACTS).map((fact) => shorten(fact, MAX_FACT_CHARS)),
  };
}
