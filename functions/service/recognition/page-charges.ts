/** The pages of a round of recognition, under the organization's page quota and the run's budget of tokens. */
import { JobFailure } from "../../ports/errors.ts";
import type { OcrLevel } from "../../ports/ocr.ts";
import { isOwnProvider } from "../../ports/own-providers.ts";
import { reservePages, settlePages } from "../charges/work-budget.ts";
import { ocrOf } from "../organizations/engines.ts";
import { chargePages, mayCharge, returnPages } from "../organizations/page-quota.ts";
import type { StepRun } from "../runs/run-step.ts";

/** Names the charge of a run's pages at a level. */
const chargeToken = ({ job, run }: StepRun, level: OcrLevel): string => `pages/${job.guid}/${run.run}/${level}`;

/** True where the organization's own provider reads the pages, which neither quota nor budget knows. */
const isOwn = ({ org }: StepRun, level: OcrLevel): boolean => isOwnProvider(ocrOf(org.engines, level)?.name ?? "");

/** Charges pages that are about to be recognised. @throws JobFailure when quota or budget have too few left */
export async function chargeRound(context: StepRun, pages: number, level: OcrLevel): Promise<void> {
  if (isOwn(context, level)) return;
  await reservePages(context, pages, level);
  await chargePages(context.org, pages, chargeToken(context, level));
}

/** Charges pages that may stay as they are. @returns false when quota or budget have too few left */
export async function mayChargeRound(context: StepRun, pages: number, level: OcrLevel): Promise<boolean> {
  if (isOwn(context, level)) return true;
  try {
    await reservePages(context, pages, level);
  } catch (error) {
    if (error instanceof JobFailure) return false;
    throw error;
  }
  if (await mayCharge(context.org, pages, chargeToken(context, level))) return true;
  await settlePages(context, 0, level);
  return false;
}

/** Ends a round: pages that were not recognised are returned. @param used pages of the provider's use */
export async function endRound(
  context: StepRun,
  { unread, used }: { unread: number; used: number },
  level: OcrLevel,
): Promise<void> {
  if (isOwn(context, level)) return;
  await returnPages(context.org, unread, chargeToken(context, level));
  await settlePages(context, used, level);
}
