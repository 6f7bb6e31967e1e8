/** The job list by counters: the same as a recount, over every driver of Records. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDynamoRecords } from "../../../../functions/adapters/aws/records.ts";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { addTally, TALLY_SHARDS, tallyPartition } from "../../../../functions/ports/job-tally.ts";
import { queryAll } from "../../../../functions/ports/records.ts";
import { deleteJob, finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { listJobs } from "../../../../functions/service/lifecycle/views/job-list.ts";
import { bindOrganization, type Organization } from "../../../../functions/service/organizations/organization.ts";
import { jobKey } from "../../../../functions/service/runs/job-records.ts";
import { updateJob } from "../../../../functions/service/runs/job-store.ts";
import { withMethods } from "../../../support/changed.ts";
import { type Dynoxide, hasDynoxide, makeRecordsTable, startDynoxide } from "../../../support/dynoxide.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";
import { RandomJobs } from "./job-list.suite.ts";

let at: TestPlatform;
afterEach(() => at.close());

async function sumOfCounters(org: Organization): Promise<number> {
  let sum = 0;
  for (let shard = 0; shard < TALLY_SHARDS; shard++) {
    for await (const { key, value } of queryAll(org.records, { partition: tallyPartition(shard) })) {
      const hours = new Map();
      addTally(hours, key.sort, value);
      for (const counts of hours.values()) for (const count of Object.values<number>(counts)) sum += count;
    }
  }
  return sum;
}

async function expectSameLists(jobs: RandomJobs, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const { listed, counted, what } = await jobs.compare();
    expect(listed, JSON.stringify(what)).toEqual(counted);
  }
}

describe("listJobs over SQLite", () => {
  it.each([1, 2])("equals a recount after any history, which counts every listed job once (seed %i)", async (seed) => {
    at = testPlatform();
    const jobs = new RandomJobs(at.org, seed);
    for (let round = 0; round < 8; round++) {
      for (let step = 0; step < 40; step++) await jobs.act(false);
      await expectSameLists(jobs, 8);
    }
    expect(jobs.known.size).toBeGreaterThan(20);
    expect(await sumOfCounters(at.org)).toBe(jobs.known.size);
  });

  it.each([4])(
    "equals a recount while and after jobs of an earlier release are carried over (seed %i)",
    async (seed) => {
      at = testPlatform();
      const jobs = new RandomJobs(at.org, seed);
      for (let round = 0; round < 6; round++) {
        for (let step = 0; step < 40; step++) await jobs.act(round < 4);
        await expectSameLists(jobs, 5);
        if (round % 2 === 1) await jobs.carry();
        await expectSameLists(jobs, 5);
      }
      expect(await jobs.carry()).toBe(0);
      expect((await at.org.records.query({ partition: "jobs" })).items).toEqual([]);
      expect(await sumOfCounters(at.org)).toBe(jobs.known.size);
    },
  );

  it("reads the entries of its page only, however many jobs there are", async () => {
    at = testPlatform();
    const jobs = new RandomJobs(at.org, 6);
    for (let count = 0; count < 1200; count++) await (count % 6 === 5 ? jobs.act(false) : jobs.make());
    let rows = 0;
    const org: Organization = {
      ...at.org,
      records: withMethods(at.org.records, {
        async query(query) {
          const page = await at.org.records.query(query);
          if (query.partition.startsWith("job-list/")) rows += page.items.length;
          return page as never;
        },
      }),
    };
    const sort = { property: "createdAt", direction: "DESC" } as const;
    const { totalSize } = await listJobs(org, { page: 0, size: 20, sort });
    expect(totalSize).toBe(jobs.known.size);
    expect(rows).toBeLessThanOrEqual(21);
    rows = 0;
    expect((await listJobs(org, { page: Math.floor(totalSize / 20) - 1, size: 20, sort })).jobs).toHaveLength(20);
    expect(rows).toBeLessThanOrEqual(42);
  });

  it("counts a job no longer whose deletion an earlier release began", async () => {
    at = testPlatform();
    const jobs = new RandomJobs(at.org, 7);
    await jobs.makeOld();
    const [guid = ""] = jobs.known.keys();
    const key = jobKey(guid);
    const job = (await at.org.records.get(key))?.value;
    await at.org.records.put(key, { v: 1, ...job, deleted: true });
    await jobs.carry();
    expect(await sumOfCounters(at.org)).toBe(1);
    await finishDeletion(jobs.org, guid);
    await finishDeletion(jobs.org, guid);
    expect(await sumOfCounters(at.org)).toBe(0);
  });

  it("counts each of concurrent changes, carryings and deletions once", async () => {
    at = testPlatform();
    const jobs = new RandomJobs(at.org, 8);
    for (let count = 0; count < 30; count++) await (count % 2 === 0 ? jobs.make() : jobs.makeOld());
    const guids = [...jobs.known.keys()];
    await Promise.all([
      ...guids.flatMap((guid) => [
        updateJob(jobs.org, guid, (job) => ({ job: { ...job, status: "FAILED" } })),
        updateJob(jobs.org, guid, (job) => ({ job: { ...job, status: "COMPLETED" } })),
      ]),
      jobs.carry(),
      jobs.carry(),
    ]);
    await Promise.allSettled(
      guids.slice(0, 10).flatMap((guid) => [deleteJob(jobs.org, guid), deleteJob(jobs.org, guid)]),
    );
    expect(await sumOfCounters(at.org)).toBe(20);
    const sort = { property: "createdAt", direction: "ASC" } as const;
    expect((await listJobs(jobs.org, { page: 0, size: 100, sort })).jobs).toHaveLength(20);
  });
});

describe.runIf(hasDynoxide())("listJobs over DynamoDB", () => {
  let dynoxide: Dynoxide;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sheaf-list-"));
    dynoxide = await startDynoxide(join(folder, "records.db"));
    await makeRecordsTable(dynoxide.client, "records");
  });
  afterAll(async () => {
    await dynoxide.close();
    await rm(folder, { recursive: true });
  });

  it("equals a recount after any history, with jobs of an earlier release", async () => {
    at = testPlatform();
    const records = openDynamoRecords({ client: dynoxide.client, table: "records", clock: systemClock() });
    const jobs = new RandomJobs(bindOrganization({ ...at.platform, records }, 1), 9);
    for (let round = 0; round < 3; round++) {
      for (let step = 0; step < 25; step++) await jobs.act(round < 1);
      await expectSameLists(jobs, 3);
      await jobs.carry();
    }
    await expectSameLists(jobs, 5);
    expect(await sumOfCounters(jobs.org)).toBe(jobs.known.size);
  });
});
