/** The tags of a Word part, each put into the tree in the place of its text. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { type Delimiters, findTags, parseTag, type Tag } from "../office/find-tags.ts";
import { atTag, TagProblem, tagFault } from "../office/tag-fault.ts";
import { checkFilters } from "../office/tag-formats.ts";
import { type ParagraphText, type Replacement, replaceText } from "./paragraph-text.ts";
import { childOf, newElement, writeXml, type XmlElement } from "./word-xml.ts";

/** Filters of Word alone. */
export const RICH_TEXT_FILTER = "markdown";
const OWN_FILTERS: ReadonlySet<string> = new Set([RICH_TEXT_FILTER]);

export interface WordTag {
  /** As written, with its delimiters. */
  source: string;
  place: string;
  tag: Tag;
  /** Element that a section repeats by its tag, as in `{-w:tr rows}`. */
  repeats: string | undefined;
  /** True for a section of a table's columns, `{#months | columns}`. */
  columns: boolean;
  /** Stands for the tag in the tree. */
  mark: XmlElement;
  paragraph: XmlElement;
  /** Properties of the tag's run as XML; empty for none. */
  look: string;
}

/** Name of the elements that stand for tags. */
export const MARK = "#tag";

const COLUMNS = /\|\s*columns\s*$/u;
const REPEATED = /^-\s*(w:(?:p|tr|tc|tbl))\s+/u;

/** Reads a tag, with the ways to write a section that Word alone has. @throws TagProblem */
function readTag(inner: string): Pick<WordTag, "tag" | "repeats" | "columns"> {
  const text = inner.trim();
  const repeats = REPEATED.exec(text)?.[1];
  const isSection = /^[#^]/u.test(text) || repeats !== undefined;
  const columns = isSection && COLUMNS.test(text);
  if (columns && (repeats !== undefined || text.startsWith("^"))) {
    throw new TagProblem("repeats columns, which is written {#name | columns}");
  }
  const plain = columns ? text.replace(COLUMNS, "") : text;
  // A picture that other programs centre is one more way to name a picture.
  const tag = parseTag(repeats === undefined ? plain.replace(/^%%/u, "%") : plain.replace(REPEATED, "#"));
  if (tag.kind === "value" || tag.kind === "picture") checkFilters(tag.expression, OWN_FILTERS);
  return { tag, repeats, columns };
}

const lookOf = (run: XmlElement | undefined): string => {
  const properties = childOf(run, "w:rPr");
  return properties === undefined ? "" : writeXml(properties);
};

export interface FoundTags {
  tags: WordTag[];
  faults: UnprocessableEntity[];
}

/** Finds the tags of a paragraph, and puts a mark into the tree for each. @param place such as `the body, paragraph 3` */
export function markTags(
  paragraph: XmlElement,
  content: ParagraphText,
  delimiters: Delimiters,
  place: string,
): FoundTags {
  const { tags: found, unclosed } = findTags(content.text, delimiters);
  const faults: UnprocessableEntity[] = [];
  if (unclosed !== undefined) faults.push(tagFault(unclosed, place, "is never closed"));
  const tags: WordTag[] = [];
  const replacements: Replacement[] = [];
  let piece = 0;
  for (const { source, inner, start, end } of found) {
    while ((content.pieces[piece + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) piece += 1;
    try {
      const mark = newElement(MARK, "");
      const read = atTag(source, place, () => readTag(inner));
      tags.push({ ...read, source, place, mark, paragraph, look: lookOf(content.pieces[piece]?.run) });
      replacements.push({ start, end, element: mark });
    } catch (error) {
      faults.push(error as UnprocessableEntity);
    }
  }
  if (faults.length === 0) replaceText(content, replacements);
  return { tags, faults };
}
