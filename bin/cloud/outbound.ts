/** The guarded way out, apart from the other parts: what judges addresses is large, and few functions send anything. */
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";

/** Never to loopback: what answers there in a deployment is Lambda's own. */
export const outbound = (): Outbound => openOutbound({ loopback: false });
