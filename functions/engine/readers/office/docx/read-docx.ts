/** Word documents on logical pages. */
import type { Layout } from "../../../../ports/layout.ts";
import { LogicalPages, ROWS_PER_PAGE } from "../../../layout/logical/logical-pages.ts";
import { corrupted, type OfficePackage } from "../office-package.ts";
import { findMainPart, readRelationships, relatedPart } from "../relationships.ts";
import { childOf, flagOf, newBudget, parseXml, type XmlBudget, type XmlElement } from "../xml-parts.ts";
import { findSections, type WordSection } from "./docx-sections.ts";
import { WordStyles } from "./docx-styles.ts";
import { type PlacedPicture, type WordDocument, WordWalker } from "./docx-walker.ts";
import { Notes } from "./notes.ts";
import { Numbering } from "./numbering.ts";

const PAGE_COLUMNS = 85;
/** A page of Word may hold smaller type than the grid. */
const ROWS_PER_WORD_PAGE = 2 * ROWS_PER_PAGE;

/** @param name name of the main part @returns also whether even pages have headers of their own */
function openWord(office: OfficePackage, name: string, budget: XmlBudget): { word: WordDocument; evenPages: boolean } {
  const relationships = readRelationships(office, name, budget);
  const partOf = (type: string): XmlElement | undefined => {
    const part = office.read(relatedPart(relationships, type) ?? "");
    return part === undefined ? undefined : parseXml(part, budget);
  };
  const word = {
    office,
    budget,
    relationships,
    styles: new WordStyles(partOf("styles")),
    numbering: new Numbering(partOf("numbering")),
    notes: new Notes(office, relationships, budget),
  };
  return { word, evenPages: flagOf(childOf(partOf("settings"), "evenAndOddHeaders")) ?? false };
}

/** One section with all headers and footers, for documents whose sections are unknown. */
function sectionWithAllHeadersAndFooters({ relationships }: WordDocument): WordSection {
  const references = [...relationships].flatMap(([id, { type }]) =>
    type === "header" || type === "footer" ? [{ kind: type, id } as const] : [],
  );
  return { breaksPage: true, headersAndFooters: references };
}

/** Tells whether Word recorded its page ends in a part. */
const hasRenderedPageBreaks = (part: Uint8Array): boolean =>
  Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes("lastRenderedPageBreak");

/**
 * Reads the text of a Word document in order: headings, list items with their markers, tables, text boxes, pictures.
 * Tracked changes count as accepted, hidden text is left out, fields show their results. Headers stand at the start and
 * footers at the end of the section that first has them; footnotes before the next recorded page end, endnotes last.
 * @param pageRange logical page numbers, from 1; absent: all
 * @throws JobFailure: corrupted; more of something than can be processed
 */
export function readWord(
  office: OfficePackage,
  pageRange?: readonly number[],
): { layout: Layout; pictures: PlacedPicture[] } {
  const budget = newBudget();
  const name = findMainPart(office, "word/document.xml", budget);
  const part = office.read(name);
  if (part === undefined) throw corrupted();
  const { word, evenPages } = openWord(office, name, budget);
  const pages = new LogicalPages({
    provider: "docx",
    columns: PAGE_COLUMNS,
    ...(hasRenderedPageBreaks(part) ? { rowsPerPage: ROWS_PER_WORD_PAGE } : {}),
    ...(pageRange === undefined ? {} : { pageRange }),
  });
  const sections = findSections(part, evenPages);
  const walker = new WordWalker(word, pages, sections.length > 0 ? sections : [sectionWithAllHeadersAndFooters(word)]);
  walker.body(part);
  return { layout: pages.finish(), pictures: walker.pictures };
}
