/** Knowledge bases: cases whose documents are searched. */
import { jsonBody } from "./answers.ts";
import { change, read, remove } from "./calls.ts";
import type { Case } from "./case-calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";

/** A passage that a search has found. */
export interface FoundPassage {
  documentId: string;
  filename: string;
  /** From 1. */
  pageNumber: number;
  /** Inches from the top left corner of the page as shown. */
  bbox: { left: number; top: number; right: number; bottom: number };
  text: string;
  /** Comparable within one search; larger is better. */
  score: number;
  /** The headings that it stands under, the document's first. */
  headings: string[];
  /** Present for a part of a long table. */
  part?: { number: number; of: number };
}

export interface SearchOptions extends CallOptions {
  /** Most passages, 1 to 50; default 5. */
  topK?: number | undefined;
}

const PATH = "/knowledge-bases";
const pathOf = (caseId: number): string => `${PATH}/${caseId}`;

/** Methods throw as SheafClient's do. */
export class KnowledgeBaseCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All cases that are knowledge bases, by id. */
  list(options?: CallOptions): Promise<Case[]> {
    return read(this.#connection, PATH, options);
  }

  /** Makes a case a knowledge base; its documents can be searched a moment later. */
  add(caseId: number, options?: CallOptions): Promise<Case> {
    return change(this.#connection, "POST", PATH, options, jsonBody({ caseId }));
  }

  get(caseId: number, options?: CallOptions): Promise<Case> {
    return read(this.#connection, pathOf(caseId), options);
  }

  /** Makes it a plain case again; the case and its documents stay. */
  remove(caseId: number, options?: CallOptions): Promise<void> {
    return remove(this.#connection, pathOf(caseId), options);
  }

  /** The passages nearest to a question, the best first. */
  search(caseId: number, question: string, { topK, ...options }: SearchOptions = {}): Promise<FoundPassage[]> {
    return read(this.#connection, `${pathOf(caseId)}/search`, options, { q: question, topK });
  }
}
