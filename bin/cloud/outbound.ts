/** Guarded outbound requests, in a module of their own: the address check is large, and few functions send requests. */
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";

/** Never to loopback: in a deployment, Lambda's own services answer there. */
export const outbound = (): Outbound => openOutbound({ loopback: false });
