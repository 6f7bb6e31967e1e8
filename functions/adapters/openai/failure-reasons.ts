/** Failed attempts by status and body: retryable or not, an outage or not, and the job's sentence. */
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { TokenCount } from "../../ports/llm.ts";
import { retryAfter } from "./retry-after.ts";
import { usageOf } from "./usage.ts";
import { memberOf, stringOf } from "./wire.ts";

interface Meaning {
  /** True when a retry may help. */
  again: boolean;
  /** True when the server appears unreachable. */
  outage: boolean;
  sentence: string;
}

const unavailable = (again: boolean, outage: boolean): Meaning => ({ again, outage, sentence: JOB_SENTENCES.noModel });
const permanent = (sentence: string): Meaning => ({ again: false, outage: false, sentence });

const MEANINGS = {
  /** 429: too many requests or tokens a minute. */
  busy: unavailable(true, false),
  /** 408, 409, 500 to 599. */
  server: unavailable(true, true),
  connection: unavailable(true, true),
  "time-out": unavailable(true, true),
  /** The response contains no answer. */
  unreadable: unavailable(true, true),
  "too-large": unavailable(false, true),
  /** The account's quota is used up; waiting does not help. */
  quota: unavailable(false, true),
  /** The breaker is open. */
  resting: unavailable(false, false),
  /** The guard of outgoing requests refuses the address. */
  forbidden: permanent("Processing failed: AI service has an address that is not allowed"),
  key: permanent("Processing failed: AI service refused the key of this deployment"),
  model: permanent("Processing failed: AI service does not know the model of this deployment"),
  "too-long": permanent("Processing failed: Document is too long for the AI model"),
  /** The server's filter refused the request; the driver turns this into an answer. */
  filtered: permanent("Processing failed: AI service refused the request"),
  request: permanent("Processing failed: AI service refused the request"),
} satisfies Record<string, Meaning>;

export type FailureReason = keyof typeof MEANINGS;

export interface Failure {
  reason: FailureReason;
  status?: number;
  /** The runtime's code for a connection failure. */
  code?: string;
  /** Milliseconds that the server asks to wait. */
  waitMilliseconds?: number;
  /** The server's own statement whether to retry. */
  again?: boolean;
  tokens?: TokenCount;
  /** `error.param`, and the body in lower case, for finding the refused parameter; never passed on. */
  parameter?: string;
  body?: string;
}

/** True when a retry may help. */
export const isRetryable = ({ reason, again }: Failure): boolean => again ?? MEANINGS[reason].again;

export const isOutage = ({ reason }: Failure): boolean => MEANINGS[reason].outage;

const THIS_DEPLOYMENT = "this deployment";

/** The sentence of a failure, with the name of the server where it is not the deployment's own. */
const sentenceOf = (reason: FailureReason, server: string | undefined): string => {
  const { sentence } = MEANINGS[reason];
  if (server === undefined) return sentence;
  return sentence.includes(THIS_DEPLOYMENT) ? sentence.replace(THIS_DEPLOYMENT, server) : `${sentence} (${server})`;
};

/**
 * The job's failure. Its cause contains only the reason, because a server's text may hold keys and documents.
 * @param server its name in sentences; absent: the deployment's own
 */
export function toJobFailure({ reason, status, code }: Failure, server?: string): JobFailure {
  const details = [reason, status, code].filter((detail) => detail !== undefined).join(" ");
  return new JobFailure(sentenceOf(reason, server), { cause: new Error(`chat completions: ${details}`) });
}

/** Characters of a body that are searched. */
const MAX_SEARCHED_CHARACTERS = 8_192;

/** Sentences for a request with more tokens than the model takes: OpenAI, vLLM, llama.cpp and similar servers. */
const PROMPT_TOO_LONG =
  /context_length_exceeded|(context|prompt|input|request)[ _](length|size|window|tokens?)[^.]{0,60}(exceed|too (long|large))|(exceed|larger|longer|more)[^.]{0,60}context|maximum context length|(prompt|input|request) is too (long|large)|too many (input |prompt )?tokens|string_above_max_length/;
const CONTENT_FILTERED = /content_filter|content_policy_violation|content management policy/;
const QUOTA_EXCEEDED =
  /insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient (credits?|balance)/;
const WRONG_KEY =
  /invalid_api_key|(api[ _]key|authentication)[^.]{0,20}(not valid|invalid)|(invalid|incorrect) api[ _]key/;
const MODEL_NOT_FOUND = /model_not_found|model_not_available/;

function reasonOf(status: number, body: string): FailureReason {
  if (status === 401 || status === 407) return "key";
  if (status === 402 || (status === 429 && QUOTA_EXCEEDED.test(body))) return "quota";
  if (MODEL_NOT_FOUND.test(body) && status < 500) return "model";
  if (status === 403) return CONTENT_FILTERED.test(body) ? "filtered" : "key";
  // No API at this address, or a redirect.
  if (status < 400 || status === 404 || status === 405) return "model";
  if (status === 429) return "busy";
  if (status === 408 || status === 409 || status >= 500) return "server";
  if (WRONG_KEY.test(body)) return "key";
  if (status === 413 || PROMPT_TOO_LONG.test(body)) return "too-long";
  return CONTENT_FILTERED.test(body) ? "filtered" : "request";
}

/** Classifies a status and a body. */
export function failureOf(status: number, body: unknown, headers?: Headers, now = 0): Failure {
  const text = (typeof body === "string" ? body : (JSON.stringify(body) ?? ""))
    .slice(0, MAX_SEARCHED_CHARACTERS)
    .toLowerCase();
  const parameter = stringOf(memberOf(memberOf(body, "error"), "param"));
  const tokens = usageOf(body);
  const waitMilliseconds = headers === undefined ? undefined : retryAfter(headers, now);
  const wish = headers?.get("x-should-retry");
  return {
    reason: reasonOf(status, text),
    status,
    body: text,
    ...(parameter === undefined ? {} : { parameter }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(waitMilliseconds === undefined ? {} : { waitMilliseconds }),
    ...(wish === "true" || wish === "false" ? { again: wish === "true" } : {}),
  };
}
