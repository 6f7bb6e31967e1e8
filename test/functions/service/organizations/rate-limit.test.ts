/** The token bucket of an organization, also under concurrent requests. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import {
  type OrgRecords,
  organizationRecords,
} from "../../../../functions/service/organizations/organization-records.ts";
import { takeTokens } from "../../../../functions/service/organizations/rate-limit.ts";
import { manualClock } from "../../../support/clock.ts";

const LIMIT = { perMinute: 60, burst: 5 };
const START = Date.UTC(2026, 0, 1);

let records: ReturnType<typeof openRecords>;
let org: OrgRecords;
beforeEach(() => {
  records = openRecords(":memory:", { clock: manualClock(START) });
  org = organizationRecords(records, 1);
});
afterEach(() => records.close());

const take = (seconds: number, weight = 1, limit = LIMIT) => takeTokens(org, limit, weight, START + seconds * 1000);

describe("takeTokens", () => {
  it("takes the burst at once, then a token a second", async () => {
    for (let left = 4; left >= 0; left -= 1) {
      expect(await take(0)).toEqual({
        allowed: true,
        limit: 60,
        remaining: left,
        reset: START / 1000 + 5 - left,
        retryAfter: 0,
      });
    }
    expect(await take(0)).toMatchObject({ allowed: false, remaining: 0, retryAfter: 1 });
    expect(await take(0.9)).toMatchObject({ allowed: false });
    expect(await take(1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take(1)).toMatchObject({ allowed: false });
  });

  it("fills the bucket to the burst, however long the pause", async () => {
    await take(0);
    const passed = [];
    for (let request = 0; request < 8; request += 1) passed.push((await take(86_400)).allowed);
    expect(passed).toEqual([true, true, true, true, true, false, false, false]);
  });

  it("takes no tokens for a refused request", async () => {
    for (let request = 0; request < 50; request += 1) await take(0);
    expect(await take(2)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it("takes at most the whole bucket for a heavy request", async () => {
    expect(await take(0, 3)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await take(0, 3)).toMatchObject({ allowed: false, remaining: 2, retryAfter: 1 });
    expect(await take(1, 3)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take(100, 1000)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it("reads the bucket for weight 0, also when it is empty", async () => {
    for (let request = 0; request < 6; request += 1) await take(0);
    expect(await take(0, 0)).toMatchObject({ allowed: true, remaining: 0, reset: START / 1000 + 5 });
    expect(await take(3, 0)).toMatchObject({ allowed: true, remaining: 3 });
    expect(await take(3, 0)).toMatchObject({ remaining: 3 });
  });

  it("allows exactly the burst of concurrent requests", async () => {
    const at = await Promise.all(Array.from({ length: 20 }, () => take(0)));
    expect(at.filter(({ allowed }) => allowed)).toHaveLength(5);
    const later = await Promise.all(Array.from({ length: 20 }, () => take(60)));
    expect(later.filter(({ allowed }) => allowed)).toHaveLength(5);
  });

  it("separates organizations", async () => {
    for (let request = 0; request < 6; request += 1) await take(0);
    expect(await takeTokens(organizationRecords(records, 2), LIMIT, 1, START)).toMatchObject({ remaining: 4 });
  });

  it("supports rates below one token a second, and fractional rates", async () => {
    const slow = { perMinute: 7, burst: 1 };
    expect(await take(0, 1, slow)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take(8.5, 1, slow)).toMatchObject({ allowed: false, retryAfter: 1 });
    expect(await take(8.6, 1, slow)).toMatchObject({ allowed: true });
  });
});
