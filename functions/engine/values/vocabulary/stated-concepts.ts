/** Concepts of contracts, reports, publications and bills, whose values phrases of running prose state. */

export interface StatedConcept {
  id: string;
  value: "date" | "period" | "law" | "party" | "place" | "title" | "code";
  /** The first of several different values is the document's own. */
  first?: boolean;
}

const CONCEPTS = [
  { id: "effective-date", value: "date" },
  { id: "due-date", value: "date", first: true },
  { id: "governing-law", value: "law" },
  { id: "notice-period", value: "period" },
  { id: "contract-term", value: "period" },
  { id: "first-party", value: "party", first: true },
  { id: "second-party", value: "party", first: true },
  { id: "seat", value: "place" },
  { id: "organization-name", value: "title", first: true },
  { id: "fiscal-year-end", value: "date", first: true },
  { id: "doi", value: "code", first: true },
  { id: "isbn", value: "code", first: true },
  { id: "issn", value: "code", first: true },
  { id: "arxiv-id", value: "code", first: true },
] as const satisfies readonly StatedConcept[];

export type StatedConceptId = (typeof CONCEPTS)[number]["id"];

export const STATED_CONCEPTS: readonly (StatedConcept & { id: StatedConceptId })[] = CONCEPTS;
