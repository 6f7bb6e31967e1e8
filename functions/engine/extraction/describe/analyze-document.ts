/** A first analysis of a document: its type and language, with a suggested prompt and schema. */

import { isObject, type Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { blockLines, lineText } from "../../layout/page-words.ts";
import { documentType } from "../document-type/document-type.ts";
import { extractOffline } from "../rules/extract-offline.ts";
import { generateSchema } from "./generate-schema.ts";

export interface Analysis {
  /** `invoice`, `credit note`, `receipt`, `contract`, `letter`, … or `other`. */
  document_type: string;
  /** ISO 639-1; null when undecided. */
  language: string | null;
  /** Number of pages of the whole document. */
  pages: number;
  suggested_prompt: string;
  suggested_schema: Json;
}

/** Top part of the first page that holds titles, as a share of its height. */
const TITLE_AREA_SHARE = 0.4;
/** Names listed in a prompt. */
const MAX_PROMPT_NAMES = 12;

const textOf = (layout: Layout): string =>
  layout.pages.flatMap((page) => page.blocks.flatMap((block) => blockLines(block).map(lineText))).join("\n");

function headingOf({ pages: [page] }: Layout): string {
  if (page === undefined) return "";
  const { blocks, height } = deskewPage(page);
  const lines = blocks.flatMap(blockLines).filter(({ box }) => box.top < TITLE_AREA_SHARE * height);
  return lines.map(lineText).join("\n");
}

const asWords = (name: string): string => name.replaceAll("_", " ");

const enumerate = (names: readonly string[]): string =>
  names.length <= 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

const article = (type: string): string => (/^[aeiou]/.test(type) ? "an" : "a");

/** The suggested prompt. */
function promptFor(type: string, schema: Json): string {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const scalars: string[] = [];
  const lists: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const items = isObject(property) && isObject(property.items) ? property.items.properties : undefined;
    if (isObject(items))
      lists.push(`all ${asWords(name)} with ${enumerate(Object.keys(items).slice(0, MAX_PROMPT_NAMES).map(asWords))}`);
    else scalars.push(asWords(name));
  }
  const wanted = [...scalars.slice(0, MAX_PROMPT_NAMES), ...lists];
  const asked = wanted.length === 0 ? "what it states" : `the ${enumerate(wanted)}`;
  const lead = type === "other" ? "" : `The document is ${article(type)} ${type}. `;
  return `${lead}Extract ${asked}. Leave out what the document does not state.`;
}

/** The type of a document. @param general its general result */
export function analysedType(layout: Layout, general: { document_type?: Json }): string {
  const titled = typeof general.document_type === "string" ? general.document_type : null;
  return documentType(headingOf(layout), textOf(layout), titled);
}

/**
 * Analyzes a document without a model: type by titles and wording in English, German, French, Spanish and Dutch, language
 * by common words, schema by the values on the page.
 */
export function analyzeDocument(layout: Layout): Analysis {
  const { result } = extractOffline(layout, { granularity: "auto" });
  const general = isObject(result) ? result : {};
  const type = analysedType(layout, general);
  const schema = generateSchema(layout);
  return {
    document_type: type,
    language: typeof general.language === "string" ? general.language : null,
    pages: layout.pageCount,
    suggested_prompt: promptFor(type, schema),
    suggested_schema: schema,
  };
}
