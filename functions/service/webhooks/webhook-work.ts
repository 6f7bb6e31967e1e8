/** The queue's work of webhooks. */
import type { Json } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { deliverWebhook } from "./deliver-event.ts";

/** Work handlers by kind. The output names the pause that the receiver is given. */
export const webhookWork = {
  "deliver-webhook": async (org: Organization, { kind, event }: { kind: string; event?: Json }): Promise<Json> => {
    if (typeof event !== "string") throw new TypeError(`Work of the kind ${kind} names an event`);
    return { ...(await deliverWebhook(org, event)) };
  },
};
