/** Retention: expired jobs are deleted completely, others stay, and each sweep does a part. */
import { afterEach, describe, expect, it } from "vitest";
import { parseLimits } from "../../../../bin/limits.ts";
import { TALLY_SHARDS, tallyPartition } from "../../../../functions/ports/job-tally.ts";
import { sweepRetention } from "../../../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { listJobs } from "../../../../functions/service/lifecycle/views/job-list.ts";
import { waitForEnd } from "../../../../functions/service/lifecycle/views/wait-for-end.ts";
import { recordOrganizations } from "../../../../functions/service/organizations/known-organizations.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

const COMMAND = commandOf({ sourceLocations: true });
const DAY = 86_400;

async function processed(org: Organization, known?: string): Promise<string> {
  const guid = known ?? (await uploaded(org));
  await openRun(org, guid, COMMAND);
  await waitForEnd(org, guid, 10);
  return guid;
}

async function guidsOf(org: Organization): Promise<string[]> {
  const sort = { property: "createdAt", direction: "ASC" } as const;
  return (await listJobs(org, { page: 0, size: 100, sort })).jobs.map(({ guid }) => guid);
}

/** GUIDs hold the time at which they are made, so jobs are made first, and then the clock is advanced. */
async function open(): Promise<void> {
  at = testPlatform();
  await recordOrganizations(at.system, [1, 2]);
}

describe("retention", () => {
  it("deletes jobs that ended 14 days ago, of every organization, except for their usage", async () => {
    await open();
    const [old, again, idle] = [await processed(at.org), await processed(at.org), await uploaded(at.org)];
    const theirs = await processed(at.other);
    at.pass(13.9 * DAY);
    expect(await sweepRetention(at.platform, at.system)).toBe(0);
    await processed(at.org, again);
    at.pass(0.2 * DAY);
    expect(await sweepRetention(at.platform, at.system)).toBe(2);
    // Kept: jobs processed again since, and jobs never processed.
    expect(await guidsOf(at.org)).toEqual([again, idle]);
    expect(await guidsOf(at.other)).toEqual([]);
    expect((await at.org.blobs.list(`jobs/${old}/`)).blobs).toEqual([]);
    for (const [org, guid] of [
      [at.org, old],
      [at.other, theirs],
    ] as const) {
      expect((await org.records.query({ partition: `job/${guid}` })).items).toEqual([]);
      expect(await org.records.due(`${guid}/delete`)).toBeUndefined();
    }
    const months = [0, 1].map((back) => new Date(Date.now() - back * 20 * DAY * 1000).toISOString().slice(0, 7));
    const later = new Date(at.platform.engines.clock.now()).toISOString().slice(0, 7);
    const usage = await Promise.all(
      [...new Set([...months, later])].map((month) => at.org.records.query({ partition: `usage/${month}` })),
    );
    expect(usage.flatMap(({ items }) => items).some(({ value }) => value.guid === old)).toBe(true);
    expect(await sweep(at.platform, at.system)).toBe(0);
  });

  it("continues where a sweep stopped, and starts again an hour after its end", async () => {
    await open();
    for (let count = 0; count < 5; count++) await processed(at.org);
    await processed(at.other);
    at.pass(15 * DAY);
    const gone: number[] = [];
    for (let round = 0; round < 4; round++) gone.push(await sweepRetention(at.platform, at.system, { jobs: 2 }));
    expect(gone).toEqual([2, 2, 2, 0]);
    const late = await processed(at.org);
    at.pass(0.03 * DAY);
    expect(await sweepRetention(at.platform, at.system)).toBe(0);
    expect(await guidsOf(at.org)).toEqual([late]);
  });

  it("removes counters of days without jobs, and deletes no job when it is off", async () => {
    await open();
    await processed(at.org);
    const counters = async () => {
      const shards = Array.from({ length: TALLY_SHARDS }, (_, shard) => tallyPartition(shard));
      const pages = await Promise.all(shards.map((partition) => at.org.records.query({ partition })));
      return pages.flatMap(({ items }) => items).length;
    };
    at.platform.config = { ...at.platform.config, retentionDays: null };
    at.pass(60 * DAY);
    expect(await sweepRetention(at.platform, at.system)).toBe(0);
    at.platform.config = { ...at.platform.config, retentionDays: 3 };
    expect(await sweepRetention(at.platform, at.system)).toBe(1);
    expect(await counters()).toBe(1);
    at.pass(DAY);
    expect(await sweepRetention(at.platform, at.system)).toBe(0);
    expect(await counters()).toBe(0);
  });

  it("is configured in days, or off", () => {
    expect(parseLimits({}).retentionDays).toBe(14);
    expect(parseLimits({ SHEAF_RETENTION_DAYS: "30" }).retentionDays).toBe(30);
    expect(parseLimits({ SHEAF_RETENTION_DAYS: "off" }).retentionDays).toBeNull();
    for (const wrong of ["0", "-1", "1.5", "many", "4000"]) {
      expect(() => parseLimits({ SHEAF_RETENTION_DAYS: wrong })).toThrow("SHEAF_RETENTION_DAYS must be a whole number");
    }
  });
});
