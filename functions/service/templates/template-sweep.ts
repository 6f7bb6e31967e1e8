/** The sweep's part of the work on templates. */
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { DueDetection, DueTemplateDeletion } from "./template-records.ts";

export type DueTemplateWork = DueDetection | DueTemplateDeletion;

/** Puts due work on the queue, in case its message was lost. Done twice it does nothing more. */
export const sweepTemplateWork = (org: Organization, { kind, guid }: DueTemplateWork): Promise<void> =>
  enqueue(org, { kind: kind === "template-fields" ? "detect-fields" : kind, guid });
