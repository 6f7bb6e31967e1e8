/** Requests and replies of the settings routes. */
import * as z from "zod";

const time = z.iso.datetime();

export const Me = z.looseObject({ id: z.string(), email: z.string().nullable(), organizationId: z.int() });

export const WebhookWish = z.looseObject({
  url: z.string({ error: "must be an address" }).max(2048, { error: "must be at most 2048 characters" }).optional(),
  rotate: z.boolean({ error: "must be true or false" }).optional(),
});

export const WebhookSettings = z
  .looseObject({
    url: z.string().nullable(),
    secretCreatedAt: time.nullable(),
    previousSecretExpiresAt: time.nullable(),
    disabled: z.looseObject({ at: time, failingSince: time, reason: z.string() }).nullable(),
    secret: z.string().optional(),
  })
  .meta({ id: "WebhookSettings" });

export const WebhookDelivery = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    jobGuid: z.string(),
    run: z.int(),
    createdAt: time,
    status: z.enum(["PENDING", "DELIVERED", "FAILED"]),
    attempts: z.array(
      z.looseObject({
        at: time,
        status: z.int().nullable(),
        error: z.string().nullable(),
        milliseconds: z.number(),
      }),
    ),
    nextTryAt: time.nullable(),
    event: z.looseObject({ type: z.string(), timestamp: time, jobGuid: z.string(), status: z.string() }),
  })
  .meta({ id: "WebhookDelivery" });
