/**
 * Guarded outbound requests. Separate from the other parts: the check of addresses is large, and few functions send
 * requests.
 */
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";

/** Never to loopback: on Lambda, its own runtime API answers there. */
export const outbound = (): Outbound => openOutbound({ loopback: false });
