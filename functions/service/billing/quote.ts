/** Quotes: what a run is expected to cost, and the most that it may. Pure: the sizes of its work are measured elsewhere. */
import { blendedTokens } from "./rate.ts";

/** Sizes of a run's work. */
export interface WorkSizes {
  /** Pages that text recognition is expected to read, and the most that it may, second looks included. */
  recognised: { expected: number; most: number };
  /** Requests of the first round. */
  requests: number;
  /** Tokens of the first round of requests to a model, by the estimate, which is above the model's own count. */
  prompts: number;
  /** Tokens of requests around the first round, by the same estimate: they are part of the bound's second round. */
  looks: number;
  /** Tokens of the answers as long as they may be. */
  answers: number;
  /** Tokens of the text that they are about. */
  content: number;
  /** Tokens of pages whose text is not known yet, in prompts and in answers. */
  unread: { expected: number; most: number };
}

export interface Prices {
  /** Blended tokens for a million tokens of the tier; 0 without a model. */
  tier: number;
  /** Tokens a page. */
  page: number;
  /** Names for the lines. */
  tierName: string;
  ocr: string;
}

export interface QuoteLine {
  what: string;
  unit: "token" | "page";
  quantity: number;
  tokens: number;
}

export interface Quote {
  /** Expected. */
  tokens: number;
  upperBound: number;
  lines: QuoteLine[];
}

/**
 * The estimate of a prompt is above a model's own count, so that it fits the context; of 100 tokens of it, models count
 * about this many (npm run bench -- quotes).
 */
const COUNTED_SHARE = 0.8;
/**
 * The share of the longest answer that answers have at the median, and of the text that they are about: an answer says
 * some of a text again, and few say all of it.
 */
const ANSWER_SHARE = 0.7;
const CONTENT_SHARE = 0.3;
/** The longest answers have this many times the tokens of their text: names of members stand in every row. */
const MOST_CONTENT_SHARE = 2.5;
/**
 * The bound has the first round of requests, and a second one that shows the pages again: for an answer that is repaired,
 * or rows that it lacks.
 */
const BOUND_ROUNDS = 2;
/**
 * Longest answers in the bound: the first round has one. The second says less again: faulty values, the rows left out,
 * or the whole of an answer that is far from the longest.
 */
const BOUND_ANSWERS = 1.5;
/** Tokens of an answer that says that nothing was found. */
const SHORT_ANSWER_TOKENS = 50;
/** Tokens of a short answer to each request that is asked for twice, with its question. */
const SPARE_TOKENS = 300;

/** @returns a quote whose upper bound is never below what is expected */
export function quoteOf(sizes: WorkSizes, { tier, page, tierName, ocr }: Prices): Quote {
  const { recognised, requests, prompts, looks, answers, content, unread } = sizes;
  const spare = SPARE_TOKENS * Math.max(1, requests);
  const answered = Math.min(answers * ANSWER_SHARE, content * CONTENT_SHARE + SHORT_ANSWER_TOKENS);
  const asks = prompts > 0 && tier > 0;
  const expected = asks ? Math.round((prompts + looks) * COUNTED_SHARE + answered + unread.expected) : 0;
  const longest = Math.min(answers, content * MOST_CONTENT_SHARE + spare);
  const most = asks
    ? Math.ceil(Math.max(prompts * BOUND_ROUNDS, prompts + looks) + longest * BOUND_ANSWERS + unread.most + spare)
    : 0;
  const lines: QuoteLine[] = [
    ...(asks
      ? [
          {
            what: `model, tier ${tierName}`,
            unit: "token" as const,
            quantity: expected,
            tokens: blendedTokens(expected, tier),
          },
        ]
      : []),
    ...(recognised.expected > 0
      ? [
          {
            what: `text recognition, ${ocr}`,
            unit: "page" as const,
            quantity: recognised.expected,
            tokens: recognised.expected * page,
          },
        ]
      : []),
  ];
  const tokens = lines.reduce((sum, line) => sum + line.tokens, 0);
  return { tokens, upperBound: Math.max(tokens, blendedTokens(most, tier) + recognised.most * page), lines };
}
