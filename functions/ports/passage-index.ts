/** Full-text indexes of passages. An index is a file: the service stores it, the driver writes and searches it. */

/** A document's passages as the engine wrote their terms (engine/passages/passage-files.ts). */
export interface PassageTerms {
  /** Opaque; unique within an index. */
  document: string;
  terms: Uint8Array;
}

export interface IndexChange {
  /** Documents whose passages go; unknown ones are ignored. */
  remove: readonly string[];
  /** Documents whose passages come; those of a document that is there already are replaced. */
  add: readonly PassageTerms[];
}

export interface PassageHit {
  document: string;
  /** The bytes of its line in the document's file of passages. */
  start: number;
  bytes: number;
  /** BM25, over 0; larger is better. Comparable within one search. */
  score: number;
}

export interface PassageQuestion {
  /** As engine/passages/search-terms.ts makes them. */
  terms: readonly string[];
  limit: number;
}

export interface PassageIndexes {
  /** Changes an index, which is absent at first. @returns the bytes of the new one */
  update(index: Uint8Array | undefined, change: IndexChange): Promise<Uint8Array>;
  /**
   * The best hits of an index, the best first.
   * @param name of this state of the index, unique in the deployment: an index that is open already is not loaded again
   * @param load returns its bytes; undefined when it is gone, which gives undefined
   */
  search(
    name: string,
    load: () => Promise<Uint8Array | undefined>,
    question: PassageQuestion,
  ): Promise<PassageHit[] | undefined>;
  close(): Promise<void>;
}
