/**
 * Page quota per organization and day (UTC): the pages that may be sent to text recognition, which is what a document
 * costs most for. Pages are charged before they are sent, in one atomic increment. A token makes a repeated step charge
 * once.
 *
 * One record holds the day and its pages as one number, so that a new day begins with the same increment and no records
 * of past days remain.
 */
import { ConditionFailed, Forbidden, JobFailure } from "../../ports/errors.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ProviderUse } from "../../ports/own-providers.ts";
import type { RecordValue } from "../../ports/records.ts";
import type { Organization } from "./organization.ts";

type Metered = Pick<Organization, "records" | "config" | "engines">;

/**
 * `charged`: days since 1970 times DAY_UNIT, plus the pages of that day; negated, so that a floor bounds it from above.
 */
interface PagesRecord extends RecordValue {
  charged: number;
}

const PAGES_KEY = { partition: "rate", sort: "pages" };
/** Above the largest quota. Days times this stay far below 2^53. */
const DAY_UNIT = 10_000_000;
/** The largest quota: pages of an organization and day. */
export const MAX_PAGE_QUOTA = DAY_UNIT - 1;
const DAY_MS = 86_400_000;

/** A quota at a moment. */
interface Meter {
  quota: number;
  /** Days since 1970. */
  day: number;
  /** The number that the record holds. */
  charged: number;
  /** Pages of this day that are left. */
  left: number;
}

async function readMeter({ records, engines }: Metered, quota: number): Promise<Meter> {
  const charged = -((await records.get<PagesRecord>(PAGES_KEY))?.value.charged ?? 0);
  // Another machine's clock may be past midnight already.
  const day = Math.max(Math.floor(engines.clock.now() / DAY_MS), Math.floor(charged / DAY_UNIT));
  const used = Math.max(0, charged - day * DAY_UNIT);
  return { quota, day, charged, left: Math.max(0, quota - used) };
}

/** Seconds until the next day begins. */
const secondsLeft = ({ engines }: Metered): number =>
  Math.max(1, Math.ceil((DAY_MS - (engines.clock.now() % DAY_MS)) / 1000));

/**
 * Charges pages, where there is a quota and any page.
 * @param token charges once @returns the pages left for a refused charge; undefined for a charged one
 */
async function charge(org: Metered, pages: number, token: string): Promise<number | undefined> {
  const { pageQuota: quota } = org.config;
  if (quota === null || pages === 0) return undefined;
  const meter = await readMeter(org, quota);
  const { day, charged } = meter;
  if (pages > quota) return meter.left;
  const add = async (amount: number, most: number): Promise<boolean> => {
    const add = { kind: "add", key: PAGES_KEY, amounts: { charged: -amount }, floor: { charged: -most } } as const;
    try {
      await org.records.transact([add], { token });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  };
  const begins = day * DAY_UNIT;
  // The first charge of a day sets the day; of two at once, one finds it set.
  if (charged < begins && (await add(begins + pages - charged, begins + pages))) return undefined;
  if (await add(pages, begins + quota)) return undefined;
  return (await readMeter(org, quota)).left;
}

/**
 * Charges pages that text recognition is about to read.
 * @param token names the charge: a repeated one is charged once within a day
 * @throws JobFailure when fewer pages are left today
 */
export async function chargePages(org: Metered, pages: number, token: string): Promise<void> {
  const left = await charge(org, pages, token);
  if (left === undefined) return;
  throw new JobFailure(
    `Processing failed: Text recognition needs ${count(pages)} of the document, and ${left} of the ${org.config.pageQuota} that your organization may have recognised a day are left; process it again after 00:00 UTC, or choose fewer pages by pageRange`,
  );
}

/** Returns charged pages that were not recognised after all; a repeated call with the same token returns them once. */
export async function returnPages({ records, config }: Metered, pages: number, token: string): Promise<void> {
  if (config.pageQuota === null || pages === 0) return;
  await records.transact([{ kind: "add", key: PAGES_KEY, amounts: { charged: pages } }], {
    token: `${token}/returned`,
  });
}

/** Charges pages that may stay as they are. @returns false when fewer pages are left today */
export const mayCharge = async (org: Metered, pages: number, token: string): Promise<boolean> =>
  (await charge(org, pages, token)) === undefined;

const count = (pages: number): string => (pages === 1 ? "1 page" : `${pages} pages`);

interface AdmittedCommand {
  ocr: OcrMode;
  mimeType: string;
  providers?: ProviderUse;
}

/** True when text recognition reads at least one page of a document that nothing was read of before. */
const certainlyRecognised = ({ ocr, mimeType, providers }: AdmittedCommand): boolean =>
  // Pages that an organization's own provider reads are no part of the quota.
  providers?.ocr?.[ocr === "PREMIUM" ? "PREMIUM" : "DEFAULT"] === undefined &&
  (mimeType.startsWith("image/") ? ocr !== "NONE" : mimeType === "application/pdf" && ocr === "PREMIUM");

/**
 * Refuses the first run of a document that recognition must read, when no page is left today. Any other document is
 * charged when its run knows the pages that need recognition.
 * @throws Forbidden, with the seconds until the next day
 */
export async function admitPages(org: Metered, command: AdmittedCommand): Promise<void> {
  const { pageQuota: quota } = org.config;
  if (quota === null || org.engines.ocr === null || !certainlyRecognised(command)) return;
  if ((await readMeter(org, quota)).left > 0) return;
  throw new Forbidden(
    `Your organization has used the ${count(quota)} that it may have recognised a day; try again after 00:00 UTC`,
    { retryAfter: secondsLeft(org) },
  );
}
