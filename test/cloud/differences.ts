/**
 * What the emulator is known to do otherwise than AWS, where an end-to-end test meets it. Against the emulator such a
 * test asserts what is recorded here, so that a difference that goes away, or another that comes, is noticed; against
 * AWS, what its documents say.
 */
export interface Difference {
  what: string;
  aws: string;
  emulator: string;
  /** What each of them answers. */
  status: { aws: number; emulator: number };
}

export const DIFFERENCES: Record<string, Difference> = {
  "over 10 MB": {
    what: "a request over 10 MB",
    aws: "is refused by the gateway, in its own words (413)",
    emulator: "reaches the function, which refuses what is over 4.5 MB (413)",
    status: { aws: 413, emulator: 413 },
  },
  "a request over 15 MB": {
    what: "a request over 15 MB",
    aws: "is refused by the gateway, in its own words (413)",
    emulator: "reaches the function, which refuses what is over 4.5 MB (413)",
    status: { aws: 413, emulator: 413 },
  },
  "exactly 10,000,000 bytes": {
    what: "a request between what a function takes (6 MB as an event, so 4.5 MB of file) and 10 MB",
    aws: "is refused by the gateway, in its own words (413)",
    emulator: "reaches the function, which refuses it (413)",
    status: { aws: 413, emulator: 413 },
  },
  "a path that is not well-formed": {
    what: "a path whose escapes are no UTF-8",
    aws: "is refused (400)",
    emulator: "is decoded with replacement characters, and is unknown (404)",
    status: { aws: 400, emulator: 404 },
  },
};
