import { BODY_SILENCE_MS } from "../../functions/adapters/local/arriving-body.ts";
import type { FrontLimits } from "../../functions/adapters/local/front.ts";

/**
 * Limits of the HTTP side of one machine. An organization has a share of each, so that it cannot use up the whole.
 * `npm run bench -- poll` holds 2,000 connections that wait for one organization's job.
 */
export const FRONT_LIMITS: FrontLimits = {
  connections: 4_000,
  groupRequests: 2_500,
  bodies: {
    // Eight requests of 15 MB, four of them of one organization. Each is in memory about twice until it is answered.
    bytes: 128_000_000,
    groupBytes: 64_000_000,
    groupWaiting: 100,
    waitMs: 10_000,
  },
  bodySilenceMs: BODY_SILENCE_MS,
  headersMs: 10_000,
};
