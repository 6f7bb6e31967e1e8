/** Paragraphs of Word: their kind (heading, list item, caption …) and their text. */
import type { TextBlockOptions } from "../../../layout/logical/logical-pages.ts";
import { hasText, type TextRun } from "../../../layout/logical/logical-rows.ts";
import { childOf, flagOf, type XmlElement } from "../xml-parts.ts";
import { readListReference, readOutline, type WordStyles } from "./docx-styles.ts";
import type { InlineContent, InlineReader } from "./inline-content.ts";
import type { Numbering } from "./numbering.ts";

/** Columns of indentation a list level. */
const LIST_INDENT_COLUMNS = 3;

export interface WordParagraph extends InlineContent {
  blockOptions: TextBlockOptions;
  /** Begins on a page of its own. */
  breaksBefore: boolean;
  /** Its paragraph mark was deleted: the next paragraph continues it. */
  joinsNext: boolean;
  endsSection: boolean;
}

/** Definitions shared by the paragraphs of a document. */
export interface ParagraphDefinitions {
  styles: WordStyles;
  numbering: Numbering;
}

function blockOptionsOf(
  { styles, numbering }: ParagraphDefinitions,
  properties: XmlElement | undefined,
  styleId: string | undefined,
): { blockOptions: TextBlockOptions; numberBefore?: string } {
  const own = readListReference(properties);
  const reference = { ...styles.list(styleId), ...own };
  const { listId } = reference;
  const inList = listId !== undefined && listId !== "0";
  const counted = inList ? numbering.next({ listId, level: own?.level ?? reference.level }, styleId) : undefined;
  const heading = styles.headingLevel(styleId, readOutline(properties));
  const marker = counted?.marker || undefined;
  if (heading !== undefined) {
    return {
      blockOptions: { kind: "heading", level: heading },
      ...(marker === undefined ? {} : { numberBefore: marker }),
    };
  }
  if (counted !== undefined && marker !== undefined) {
    const { level } = counted;
    return { blockOptions: { kind: "list-item", level, marker, indent: LIST_INDENT_COLUMNS * (level - 1) } };
  }
  return { blockOptions: { kind: styles.role(styleId) === "caption" ? "caption" : "paragraph" } };
}

/** Reads a `w:p`, and counts it when it is in a list. */
export function readParagraph(element: XmlElement, word: ParagraphDefinitions, inlines: InlineReader): WordParagraph {
  const properties = childOf(element, "pPr");
  const styleId = childOf(properties, "pStyle")?.attributes.val;
  const inline = inlines.read(element, styleId);
  const joinsNext = childOf(childOf(properties, "rPr"), "del") !== undefined;
  const { blockOptions, numberBefore } = joinsNext
    ? { blockOptions: { kind: "paragraph" } as const, numberBefore: undefined }
    : blockOptionsOf(word, properties, styleId);
  if (numberBefore !== undefined && hasText(inline.runs)) inline.runs.unshift({ text: `${numberBefore} ` });
  return {
    ...inline,
    blockOptions,
    breaksBefore: flagOf(childOf(properties, "pageBreakBefore")) ?? word.styles.breaksBefore(styleId),
    joinsNext,
    endsSection: childOf(properties, "sectPr") !== undefined,
  };
}

/** The runs of a paragraph within a cell: its marker becomes text, page breaks are dropped. */
export function cellRuns({ runs, blockOptions: { marker } }: WordParagraph): TextRun[] {
  const text = runs.map((run) => ({ ...run, text: run.text.replaceAll("\f", "") })).filter((run) => run.text !== "");
  return marker === undefined || !hasText(text) ? text : [{ text: `${marker} ` }, ...text];
}
