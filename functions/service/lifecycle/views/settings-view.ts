/** An organization's settings, quotas and use, without any secret. */
import type { Organization } from "../../organizations/organization.ts";
import { findWebhook } from "../../webhooks/webhook-settings.ts";

/** The members of GET /settings/view. */
export async function viewSettings(org: Organization) {
  const { config, storedFiles } = org;
  const [quotas, use, webhook] = await Promise.all([storedFiles.quotas(), storedFiles.use(), findWebhook(org)]);
  return {
    organizationId: org.id,
    quotas: { ...quotas, recognizedPagesPerDay: config.pageQuota },
    use,
    limits: {
      maxDocumentBytes: config.maxDocumentBytes,
      maxRequestBytes: config.maxRequestBytes,
      jobTimeoutSeconds: config.jobTimeoutSeconds,
      maxOpenRuns: config.orgOpenRuns,
      requestsPerMinute: config.rateLimit?.perMinute ?? null,
      requestBurst: config.rateLimit?.burst ?? null,
    },
    retention: { jobDays: config.retentionDays, auditDays: config.auditDays },
    billing: { mode: config.billing.mode },
    // The address itself may hold a secret of its receiver's.
    webhook: { configured: webhook.url !== null, disabled: webhook.disabled !== null },
    engines: org.engines.states(),
  };
}
