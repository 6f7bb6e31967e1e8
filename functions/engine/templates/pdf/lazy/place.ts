/** Places of objects, as lists of a PDF tell them. */

/** Where an object is: free, at an offset of the file, or in a stream of objects. */
export type Place =
  | { kind: "free" }
  | { kind: "offset"; offset: number; generation: number }
  | { kind: "packed"; stream: number; index: number };

/** Most listed objects, about six times as many as the largest known form has; each takes memory. */
export const MAX_LISTED_OBJECTS = 500_000;
