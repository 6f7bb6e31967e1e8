/** Settings: the caller, and the organization's webhook. */
import * as z from "zod";
import { viewSettings } from "../service/lifecycle/views/settings-view.ts";
import { listDeliveries, replayDelivery } from "../service/webhooks/delivery-log.ts";
import { type Delivery, EVENT_ID_PATTERN } from "../service/webhooks/webhook-records.ts";
import { findWebhook, saveWebhook } from "../service/webhooks/webhook-settings.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { identifier, integerParameter } from "./schemas/common.ts";
import {
  Me,
  SETTINGS_EXAMPLE,
  SettingsView,
  WebhookDelivery,
  WebhookSettings,
  WebhookWish,
} from "./schemas/settings.ts";

const TAG = "Settings";
const MAX_LISTED_DELIVERIES = 100;

export const me = route({
  method: "GET",
  path: "/user/me",
  scope: "read",
  tag: TAG,
  summary: "Who calls",
  description: "`id` names the API key, which has no e-mail address: `email` is null. `scopes` are the key's.",
  replies: { 200: { description: "The caller", schema: Me } },
  async run(_input, { caller }) {
    const { keyId: id, organizationId, scopes } = caller;
    return ok({ id, email: null, organizationId, scopes: [...scopes] });
  },
});

export const webhook = route({
  method: "GET",
  path: "/settings/webhook",
  scope: "admin",
  tag: TAG,
  summary: "Where job events are sent",
  description:
    "Its secret is shown only by the call that makes it. A webhook whose receiver failed for 4 days is disabled: " +
    "`disabled` says since when and why, events are only logged, and setting the `url` again enables it.",
  replies: { 200: { description: "The webhook; `url` is null while there is none", schema: WebhookSettings } },
  async run(_input, { org }) {
    return ok(await findWebhook(org));
  },
});

export const setWebhook = route({
  method: "PUT",
  path: "/settings/webhook",
  scope: "admin",
  tag: TAG,
  summary: "Set where job events are sent",
  description:
    "At each end of a job's run a POST goes to `url`, signed after Standard Webhooks: `{type, timestamp, jobGuid, run, " +
    "status, error, qualityScore, qualityCategory}`, `type` being job.completed, job.partial, job.failed or " +
    "job.cancelled. An answer of 2xx within 10 s is a delivery; else it is tried again, 8 times in 24 hours, always with " +
    "the same `webhook-id`. The first call, and one with `rotate`, makes a secret and shows it in this answer only; after " +
    "a rotation the secret before signs as well for 24 hours. Without a `url` the webhook is off and its secrets are " +
    "gone; with `rotate` alone the address stays. The address must be public and https.",
  body: {
    kind: "json",
    schema: WebhookWish,
    required: true,
    examples: { set: { url: "https://example.com/sheaf-events" }, rotate: { rotate: true } },
  },
  errors: [400, 409],
  replies: { 200: { description: "The webhook, with its secret if this call made one", schema: WebhookSettings } },
  async run({ body }, { org }) {
    const url = body.url?.trim();
    return ok(await saveWebhook(org, { url: url === "" ? undefined : url, rotate: body.rotate ?? false }));
  },
});

function deliveryReply({ id, type, guid, run, createdAt, status, attempts, nextTryAt, payload }: Delivery) {
  return { id, type, jobGuid: guid, run, createdAt, status, attempts, nextTryAt, event: JSON.parse(payload) };
}

export const deliveries = route({
  method: "GET",
  path: "/settings/webhook/deliveries",
  scope: "admin",
  tag: TAG,
  summary: "The events of the last 14 days, newest first",
  description: "Older ones than the first page's by `before`, the last `id` of the page.",
  query: z.object({
    size: integerParameter(1, MAX_LISTED_DELIVERIES).optional(),
    before: z.string().regex(EVENT_ID_PATTERN, { error: "must be the id of an event" }).optional(),
  }),
  errors: [400],
  replies: { 200: { description: "The events with their tries", schema: z.array(WebhookDelivery) } },
  async run({ query }, { org }) {
    const { size = 20, before } = query;
    const found = await listDeliveries(org, { size, ...(before === undefined ? {} : { before }) });
    return ok(found.map(deliveryReply));
  },
});

export const replay = route({
  method: "POST",
  path: "/settings/webhook/deliveries/{id}/replay",
  scope: "admin",
  tag: TAG,
  summary: "Send an event again",
  description: "At once, under the `webhook-id` that it has, and with all its tries anew.",
  params: z.object({ id: identifier("The event's id") }),
  errors: [404, 409],
  replies: { 200: { description: "The event, PENDING again", schema: WebhookDelivery } },
  async run({ params }, { org }) {
    return ok(deliveryReply(await replayDelivery(org, params.id)));
  },
});

export const view = route({
  method: "GET",
  path: "/settings/view",
  scope: "admin",
  tag: TAG,
  summary: "The organization's settings, quotas and what is used of them",
  description:
    "No secret and no key is in it. A quota that is null is none; `use` counts the documents of the day (UTC) and the " +
    "bytes of all documents that were sent and are kept: of jobs, batches and operations, and templates with their " +
    "pictures, and not the files that are made from them.",
  replies: { 200: { description: "The settings", schema: SettingsView, example: SETTINGS_EXAMPLE } },
  async run(_input, { org }) {
    return ok(await viewSettings(org));
  },
});

export const settingsRoutes = [me, view, webhook, setWebhook, deliveries, replay];
