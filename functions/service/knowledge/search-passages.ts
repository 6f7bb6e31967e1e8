/** Searching a knowledge base. */
import { parsePassage } from "../../engine/passages/passage-files.ts";
import { questionTerms } from "../../engine/passages/search-terms.ts";
import { ServiceUnavailable } from "../../ports/errors.ts";
import type { Box } from "../../ports/layout.ts";
import type { PassageHit, PassageIndexes } from "../../ports/passage-index.ts";
import { findCaseDocument } from "../cases/case-documents.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadKnowledgeBase } from "./knowledge-bases.ts";
import { type IndexRecord, indexFile, indexKey, passagesFile } from "./knowledge-records.ts";
import { MAX_QUERY_CHARS } from "./search-limits.ts";

/** Passages looked up beyond those wanted: those of removed documents are left out. */
const SPARE_HITS = 20;
/** Tries to open an index whose file another change has just replaced. */
const MAX_TRIES = 4;

/** A passage that was found. */
export interface FoundPassage {
  caseId: number;
  documentId: string;
  /** Null for a document without a name. */
  filename: string | null;
  /** From 1. */
  pageNumber: number;
  /** Inches from the top left corner of the page as shown. */
  bbox: Box;
  text: string;
  /** Comparable within one search; larger is better. */
  score: number;
  headings: string[];
  part?: { number: number; of: number };
}

/** @throws ServiceUnavailable in a deployment without indexes */
export function passageIndexes({ engines }: Organization): PassageIndexes {
  if (engines.passages === undefined) throw new ServiceUnavailable("This service has no search");
  return engines.passages;
}

async function findHits(org: Organization, caseId: number, query: string, limit: number): Promise<PassageHit[]> {
  const question = { terms: questionTerms(query.slice(0, MAX_QUERY_CHARS)), limit };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const file = (await org.records.get<IndexRecord>(indexKey(caseId)))?.value.file;
    if (file === undefined) return [];
    const key = indexFile(caseId, file);
    const hits = await passageIndexes(org).search(`${org.id}/${key}`, () => org.blobs.get(key), question);
    if (hits !== undefined) return hits;
  }
  return [];
}

/**
 * The passages of a knowledge base that are nearest to a question, the best first. Documents that are removed are not
 * among them, from the moment of their removal.
 * @throws NotFound for an unknown case, and for one that is no knowledge base
 */
export async function searchKnowledgeBase(
  org: Organization,
  caseId: number,
  query: string,
  topK: number,
): Promise<FoundPassage[]> {
  await loadKnowledgeBase(org, caseId);
  const hits = await findHits(org, caseId, query, topK + SPARE_HITS);
  const names = new Map<string, Promise<string | null | undefined>>();
  const nameOf = (documentId: string): Promise<string | null | undefined> => {
    const known = names.get(documentId) ?? findName(org, caseId, documentId);
    names.set(documentId, known);
    return known;
  };
  const found: FoundPassage[] = [];
  for (const hit of hits) {
    if (found.length === topK) break;
    const filename = await nameOf(hit.document);
    const passage = filename === undefined ? undefined : await loadPassage(org, caseId, hit, filename);
    if (passage !== undefined) found.push(passage);
  }
  return found;
}

/** @returns undefined for a document that is no longer there */
async function findName(org: Organization, caseId: number, documentId: string): Promise<string | null | undefined> {
  return (await findCaseDocument(org, caseId, documentId))?.document.fileName;
}

async function loadPassage(
  org: Organization,
  caseId: number,
  { document, start, bytes, score }: PassageHit,
  filename: string | null,
): Promise<FoundPassage | undefined> {
  const line = await org.blobs.get(passagesFile(caseId, document), { start, end: start + bytes - 1 });
  if (line === undefined || line.length !== bytes) return undefined;
  const { page, bbox, text, headings, part } = parsePassage(line);
  return {
    caseId,
    documentId: document,
    filename,
    pageNumber: page,
    bbox,
    text,
    score: Number(score.toPrecision(6)),
    headings,
    ...(part === undefined ? {} : { part }),
  };
}
