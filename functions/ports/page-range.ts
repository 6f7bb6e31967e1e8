/** Page ranges of commands: page numbers from 1, of which those that do not exist are ignored. */

/** The rest of a sentence about a document and a page range that names none of its pages. */
export const noSuchPages = (pageCount: number): string =>
  `The document has ${pageCount === 1 ? "1 page" : `${pageCount} pages`}, and pageRange names none of them`;
