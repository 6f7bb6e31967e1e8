/** Requests and replies of the settings routes. */
import * as z from "zod";
import { SCOPES } from "../../service/organizations/api-keys.ts";

const time = z.iso.datetime();

export const Me = z.looseObject({
  id: z.string(),
  email: z.string().nullable(),
  organizationId: z.int(),
  scopes: z.array(z.enum(SCOPES)),
});

const quantity = z.int().nullable();
const engine = z.looseObject({ name: z.string(), on: z.boolean(), detail: z.string() });

export const SettingsView = z
  .looseObject({
    organizationId: z.int(),
    quotas: z.looseObject({ documentsPerDay: quantity, storageBytes: quantity, recognizedPagesPerDay: quantity }),
    use: z.looseObject({ documentsToday: z.int(), storedBytes: z.int() }),
    limits: z.looseObject({
      maxDocumentBytes: z.int(),
      maxRequestBytes: z.int(),
      jobTimeoutSeconds: z.int(),
      maxOpenRuns: z.int(),
      requestsPerMinute: z.number().nullable(),
      requestBurst: z.number().nullable(),
    }),
    retention: z.looseObject({ jobDays: quantity, auditDays: quantity }),
    billing: z.looseObject({ mode: z.enum(["off", "record", "enforced"]) }),
    webhook: z.looseObject({ configured: z.boolean(), disabled: z.boolean() }),
    engines: z.looseObject({ ocr: engine, model: engine, payments: engine }),
  })
  .meta({ id: "SettingsView" });

export const SETTINGS_EXAMPLE = {
  organizationId: 1,
  quotas: { documentsPerDay: 1000, storageBytes: 5_000_000_000, recognizedPagesPerDay: null },
  use: { documentsToday: 12, storedBytes: 48_200_311 },
  limits: {
    maxDocumentBytes: 10_000_000,
    maxRequestBytes: 15_000_000,
    jobTimeoutSeconds: 300,
    maxOpenRuns: 10_000,
    requestsPerMinute: 60,
    requestBurst: 100,
  },
  retention: { jobDays: 14, auditDays: 365 },
  billing: { mode: "off" },
  webhook: { configured: true, disabled: false },
  engines: {
    ocr: { name: "OCR", on: true, detail: "Amazon Textract" },
    model: { name: "model", on: false, detail: "the offline extractor does the work" },
    payments: { name: "payments", on: false, detail: "not configured" },
  },
};

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
