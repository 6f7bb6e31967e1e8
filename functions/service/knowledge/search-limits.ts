/** Limits of a search, which the API names too. */

/** Most passages of one search, as of a tool's `topK`. */
export const MAX_SEARCH_HITS = 50;
/** Passages of a search that does not say how many. */
export const DEFAULT_SEARCH_HITS = 5;
/** Most characters of a question: a page. */
export const MAX_QUERY_CHARS = 4_000;
