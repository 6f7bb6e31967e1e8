/** Paragraphs of Word: what they are (heading, list item, caption …) and their text. */
import type { BlockLooks } from "../../../layout/logical/logical-pages.ts";
import type { Run } from "../../../layout/logical/logical-rows.ts";
import { childOf, flagOf, type XmlElement } from "../xml-parts.ts";
import { readListReference, readOutline, type Styles } from "./docx-styles.ts";
import type { Inline, InlineReader } from "./inline-content.ts";
import type { Numbering } from "./numbering.ts";

/** Columns that each nesting of a list stands in. */
const LIST_INDENT = 3;

export interface Paragraph extends Inline {
  looks: BlockLooks;
  /** It begins on a page of its own. */
  breaksBefore: boolean;
  /** Its mark was deleted: what follows is the same paragraph. */
  joinsNext: boolean;
  endsSection: boolean;
}

/** What paragraphs of a document have in common. */
export interface WordStyles {
  styles: Styles;
  numbering: Numbering;
}

export const hasText = (runs: readonly Run[]): boolean => runs.some((run) => /\S/.test(run.text));

function looksOf(
  { styles, numbering }: WordStyles,
  properties: XmlElement | undefined,
  styleId: string | undefined,
): { looks: BlockLooks; numberBefore?: string } {
  const own = readListReference(properties);
  const reference = { ...styles.list(styleId), ...own };
  const { listId } = reference;
  const inList = listId !== undefined && listId !== "0";
  const counted = inList ? numbering.next({ listId, level: own?.level ?? reference.level }, styleId) : undefined;
  const heading = styles.headingLevel(styleId, readOutline(properties));
  const marker = counted?.marker || undefined;
  if (heading !== undefined) {
    return { looks: { kind: "heading", level: heading }, ...(marker === undefined ? {} : { numberBefore: marker }) };
  }
  if (counted !== undefined && marker !== undefined) {
    const { level } = counted;
    return { looks: { kind: "list-item", level, marker, indent: LIST_INDENT * (level - 1) } };
  }
  return { looks: { kind: styles.role(styleId) === "caption" ? "caption" : "paragraph" } };
}

/** Reads a `w:p`, and counts it where it is in a list. */
export function readParagraph(element: XmlElement, word: WordStyles, inlines: InlineReader): Paragraph {
  const properties = childOf(element, "pPr");
  const styleId = childOf(properties, "pStyle")?.attributes.val;
  const inline = inlines.read(element, styleId);
  const joinsNext = childOf(childOf(properties, "rPr"), "del") !== undefined;
  const { looks, numberBefore } = joinsNext
    ? { looks: { kind: "paragraph" } as const, numberBefore: undefined }
    : looksOf(word, properties, styleId);
  if (numberBefore !== undefined && hasText(inline.runs)) inline.runs.unshift({ text: `${numberBefore} ` });
  return {
    ...inline,
    looks,
    breaksBefore: flagOf(childOf(properties, "pageBreakBefore")) ?? word.styles.breaksBefore(styleId),
    joinsNext,
    endsSection: childOf(properties, "sectPr") !== undefined,
  };
}

/** A paragraph within a cell: its mark is part of its text, page breaks are none. */
export function cellRuns({ runs, looks: { marker } }: Paragraph): Run[] {
  const text = runs.map((run) => ({ ...run, text: run.text.replaceAll("\f", "") })).filter((run) => run.text !== "");
  return marker === undefined || !hasText(text) ? text : [{ text: `${marker} ` }, ...text];
}
