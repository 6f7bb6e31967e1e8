/**
 * Known differences of the emulator from AWS that end-to-end tests meet. Against the emulator such a test asserts the
 * recorded difference, so that a vanished or a new difference is noticed; against AWS, the documented behaviour.
 * Differences that the emulator's launcher fixes are listed there (FIXES): no test meets them.
 */

/** A recorded answer: its status, its author and its body. */
export interface Recorded {
  status: number;
  /** The service's own answers name their request; the gateway's have only a message. */
  by: "gateway" | "service";
  words: RegExp;
}

export interface Difference {
  what: string;
  aws: Recorded & { does: string };
  emulator: Recorded & { does: string };
}

const TOO_LARGE = {
  aws: {
    does: "it is refused by the gateway, in its own words (413)",
    status: 413,
    by: "gateway",
    words: /^\{"message":"Request (Entity )?Too (Large|Long)"\}$/i,
  },
  emulator: {
    does: "it reaches the function, which refuses what is over 4.5 MB (413)",
    status: 413,
    by: "service",
    words: /"The request is over 4\.5 MB \(4,500,000 bytes\)/,
  },
} as const;

export const DIFFERENCES: Record<string, Difference> = {
  "over 10 MB": { what: "a request over 10 MB", ...TOO_LARGE },
  "a request over 15 MB": { what: "a request over 15 MB", ...TOO_LARGE },
  "exactly 10,000,000 bytes": {
    what: "a request between what a function takes (6 MB as an event, so 4.5 MB of file) and 10 MB",
    ...TOO_LARGE,
  },
  "a path that is not well-formed": {
    what: "a path whose escapes are no UTF-8",
    aws: { does: "it is refused (400)", status: 400, by: "gateway", words: /"Bad Request"/i },
    emulator: {
      does: "it is decoded with replacement characters, and is unknown (404)",
      status: 404,
      by: "service",
      words: /"No job /,
    },
  },
};
