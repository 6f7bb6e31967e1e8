/** The page quota of an organization and day: charged once, never passed, new at midnight (UTC). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLimits } from "../../../../bin/limits.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { Forbidden, JobFailure } from "../../../../functions/ports/errors.ts";
import type { OcrMode } from "../../../../functions/ports/ocr.ts";
import { DEFAULT_CONFIG } from "../../../../functions/service/organizations/organization.ts";
import { organizationRecords } from "../../../../functions/service/organizations/organization-records.ts";
import {
  admitPages,
  chargePages,
  MAX_PAGE_QUOTA,
  mayCharge,
} from "../../../../functions/service/organizations/page-quota.ts";
import { manualClock } from "../../../support/clock.ts";

const DAY_SECONDS = 86_400;
const START = Date.UTC(2026, 0, 31, 22);

let records: ReturnType<typeof openRecords>;
let clock: ReturnType<typeof manualClock>;
beforeEach(() => {
  clock = manualClock(START);
  records = openRecords(":memory:", { clock });
});
afterEach(() => records.close());

const metered = (pageQuota: number | null, id = 1) =>
  ({
    records: organizationRecords(records, id),
    config: { ...DEFAULT_CONFIG, pageQuota },
    engines: { clock, ocr: {} },
  }) as unknown as Parameters<typeof chargePages>[0];

describe("chargePages", () => {
  it("charges pages up to the quota, and names what is left in its refusal", async () => {
    const org = metered(10);
    await chargePages(org, 7, "a");
    await expect(chargePages(org, 4, "b")).rejects.toThrow(
      new JobFailure(
        "Processing failed: Text recognition needs 4 pages of the document, and 3 of the 10 that your organization may have recognised a day are left; process it again after 00:00 UTC, or choose fewer pages by pageRange",
      ),
    );
    await chargePages(org, 3, "c");
    await expect(chargePages(org, 1, "d")).rejects.toThrow("needs 1 page of the document, and 0 of the 10");
  });

  it("charges a repeated step once, also when the quota is spent by then", async () => {
    const org = metered(10);
    for (let attempt = 0; attempt < 3; attempt += 1) await chargePages(org, 10, "same");
    expect(await mayCharge(org, 1, "other")).toBe(false);
  });

  it("refuses a document over the whole quota, on a new day too", async () => {
    const org = metered(10);
    await chargePages(org, 1, "a");
    clock.advance(DAY_SECONDS * 1000);
    await expect(chargePages(org, 11, "b")).rejects.toThrow("needs 11 pages of the document, and 10 of the 10");
    await chargePages(org, 10, "c");
  });

  it("begins anew at midnight (UTC), however long nothing was charged", async () => {
    const org = metered(10);
    await chargePages(org, 10, "a");
    clock.advance(2 * 3_600_000 - 1);
    expect(await mayCharge(org, 1, "b")).toBe(false);
    clock.advance(1);
    await chargePages(org, 10, "c");
    clock.advance(40 * DAY_SECONDS * 1000);
    await chargePages(org, 10, "d");
    expect(await mayCharge(org, 1, "e")).toBe(false);
  });

  it("follows a clock that is past midnight already", async () => {
    const org = metered(10);
    clock.advance(DAY_SECONDS * 1000);
    await chargePages(org, 6, "a");
    clock.advance(-DAY_SECONDS * 1000);
    await chargePages(org, 4, "b");
    expect(await mayCharge(org, 1, "c")).toBe(false);
  });

  it.each([0, DAY_SECONDS])("never passes the quota under concurrent charges, %d s after others", async (later) => {
    const org = metered(100);
    await chargePages(org, 30, "before");
    clock.advance(later * 1000);
    const tokens = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const charged = await Promise.all(tokens.map((token) => mayCharge(org, 7, token)));
    expect(charged.filter(Boolean)).toHaveLength(Math.floor((100 - (later === 0 ? 30 : 0)) / 7));
  });

  it("counts each organization by itself, and nothing without a quota", async () => {
    await chargePages(metered(5), 5, "a");
    await chargePages(metered(5, 2), 5, "a");
    await chargePages(metered(null), 1_000_000, "b");
    expect(await mayCharge(metered(5), 1, "c")).toBe(false);
  });
});

describe("admitPages", () => {
  const PNG = "image/png";
  it("refuses a picture when no page is left, with the seconds until midnight (UTC)", async () => {
    const org = metered(1);
    await admitPages(org, { ocr: "DEFAULT", mimeType: PNG });
    await chargePages(org, 1, "a");
    const refusal = await admitPages(org, { ocr: "DEFAULT", mimeType: PNG }).catch((error) => error);
    expect(refusal).toBeInstanceOf(Forbidden);
    expect(refusal).toMatchObject({ retryAfter: 2 * 3600 });
    expect(refusal.message).toBe(
      "Your organization has used the 1 page that it may have recognised a day; try again after 00:00 UTC",
    );
  });

  it.each<[string, OcrMode, string]>([
    ["a PDF, which may have a text layer", "DEFAULT", "application/pdf"],
    ["a picture whose text is not wanted", "NONE", PNG],
    ["a text", "PREMIUM", "text/plain"],
  ])("admits %s", async (_name, ocr, mimeType) => {
    const org = metered(1);
    await chargePages(org, 1, "a");
    await admitPages(org, { ocr, mimeType });
    await expect(admitPages(org, { ocr: "PREMIUM", mimeType: "application/pdf" })).rejects.toThrow(Forbidden);
  });
});

describe("SHEAF_PAGE_QUOTA", () => {
  it.each([
    [undefined, null],
    ["off", null],
    ["1", 1],
    [String(MAX_PAGE_QUOTA), MAX_PAGE_QUOTA],
  ])("%s is %s", (SHEAF_PAGE_QUOTA, pageQuota) => {
    expect(parseLimits({ SHEAF_PAGE_QUOTA })).toMatchObject({ pageQuota });
  });

  it.each(["0", "-5", "many", String(MAX_PAGE_QUOTA + 1)])("%s is refused", (SHEAF_PAGE_QUOTA) => {
    expect(() => parseLimits({ SHEAF_PAGE_QUOTA })).toThrow("SHEAF_PAGE_QUOTA must be a whole number");
  });
});
