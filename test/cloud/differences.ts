/**
 * What the emulator is known to do otherwise than AWS, where an end-to-end test meets it. Against the emulator such a
 * test asserts what is recorded here, so that a difference that goes away, or another that comes, is noticed.
 */
export interface Difference {
  what: string;
  aws: string;
  emulator: string;
  /** What the emulator answers. */
  status: number;
}

export const DIFFERENCES: Record<string, Difference> = {
  "a request over 15 MB": {
    what: "a request over 10 MB",
    aws: "is refused by the API (413)",
    emulator: "reaches the function, which finds the document too large (413 with another sentence)",
    status: 413,
  },
  "exactly 10,000,000 bytes": {
    what: "a document over 4.5 MB in one request",
    aws: "is refused, for a function takes events of 6 MB (413)",
    emulator: "is accepted (201)",
    status: 201,
  },
  "a path that is not well-formed": {
    what: "a path whose escapes are no UTF-8",
    aws: "is refused (400)",
    emulator: "is decoded with replacement characters, and is unknown (404)",
    status: 404,
  },
};
