/** What the driver tells its operator: names, numbers and reasons, never a key, a document's text or a server's words. */

import type { LlmTier } from "../../ports/llm.ts";
import type { BreakerState } from "./circuit-breaker.ts";
import type { FailureReason } from "./failures.ts";

interface OfCall {
  tier: LlmTier;
  model: string;
}

interface OfTry extends OfCall {
  /** Of this call, from 1. */
  attempt: number;
  reason: FailureReason;
  /** HTTP status, where the server answered. */
  status?: number;
  /** The runtime's name of a connection's end, such as ECONNREFUSED. */
  code?: string;
}

export type ModelEvent =
  /** A try failed and there will be another. */
  | (OfTry & { kind: "retry"; waitMilliseconds: number })
  /** A try failed and was the last. */
  | (OfTry & { kind: "failed" })
  /** The server refused a parameter; the call goes on without it. `remembered`: so do all later ones to this model. */
  | (OfCall & { kind: "without"; parameter: string; remembered: boolean })
  | (OfCall & {
      kind: "answered";
      attempts: number;
      milliseconds: number;
      promptTokens: number;
      completionTokens: number;
      /** The server did not count them. */
      estimated: boolean;
    })
  | { kind: "breaker"; state: BreakerState };
