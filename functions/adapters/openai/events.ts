/** Events for the operator: names, numbers and reasons, never a key, a document's text or a server's words. */

import type { LlmTier } from "../../ports/llm.ts";
import type { BreakerState } from "./circuit-breaker.ts";
import type { FailureReason } from "./failure-reasons.ts";

interface OfCall {
  tier: LlmTier;
  model: string;
}

interface OfTry extends OfCall {
  /** Attempt of this call, from 1. */
  attempt: number;
  reason: FailureReason;
  /** HTTP status, if the server answered. */
  status?: number;
  /** The runtime's code for a connection failure, such as ECONNREFUSED. */
  code?: string;
}

export type ModelEvent =
  /** An attempt failed; another follows. */
  | (OfTry & { kind: "retry"; waitMilliseconds: number })
  /** The last attempt failed. */
  | (OfTry & { kind: "failed" })
  /**
   * The server refused a parameter; the call continues without it. `remembered`: so do all later calls to this model.
   */
  | (OfCall & { kind: "without"; parameter: string; remembered: boolean })
  | (OfCall & {
      kind: "answered";
      attempts: number;
      milliseconds: number;
      promptTokens: number;
      completionTokens: number;
      /** True when the driver estimated the tokens because the server did not count them. */
      estimated: boolean;
    })
  | { kind: "breaker"; state: BreakerState };
