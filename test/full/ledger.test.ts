/**
 * The ledger on both drivers at full size: 10,000 random schedules, 1,000 debits beside 100 grants, 500 transactions.
 * SHEAF_LEDGER_SCHEDULES is the number of schedules on DynamoDB, where each takes a hundred round trips.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { ledgerSuite } from "../contract/ledger.suite.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { runSchedule } from "../support/ledger-schedules.ts";
import { dynamoStore, sqliteStore } from "../support/stores.ts";

const sizes = { halves: 20, schedules: 20, debits: 1_000, grants: 100, transactions: 500, workers: 20 };
const SCHEDULES = 10_000;
/** Two and a half minutes of them on two busy cores; 10,000 take 35 under more load. */
const USUAL_DYNAMODB_SCHEDULES = 1_000;
const DYNAMODB_SCHEDULES = Number(process.env.SHEAF_LEDGER_SCHEDULES ?? USUAL_DYNAMODB_SCHEDULES);
/** Schedules between two lines of progress. */
const SCHEDULES_PER_LINE = 500;
const MAX_SCHEDULES_MS = 6 * 3_600_000;

describe("random schedules", () => {
  let records: LocalRecords;
  beforeAll(() => {
    records = openRecords(":memory:", { clock: systemClock() });
  });
  afterAll(() => records.close());

  it(`conserve tokens, ${SCHEDULES} of them`, { timeout: 1_200_000 }, async () => {
    for (let seed = 1; seed <= SCHEDULES; seed += 1) await runSchedule(records, seed, seed);
    expect(records.hasRecordsBeside("sys/")).toBe(true);
  });
});

ledgerSuite("SQLite", sqliteStore, sizes);

describe.runIf(hasDynoxide())("on dynoxide", () => {
  ledgerSuite("DynamoDB", dynamoStore, sizes);

  it(`random schedules conserve tokens, ${DYNAMODB_SCHEDULES} of them`, { timeout: MAX_SCHEDULES_MS }, async () => {
    const store = await dynamoStore();
    try {
      const records = store.open();
      for (let seed = 1; seed <= DYNAMODB_SCHEDULES; seed += 1) {
        await runSchedule(records, seed, seed);
        if (seed % SCHEDULES_PER_LINE === 0) console.info(`${seed} of ${DYNAMODB_SCHEDULES} schedules`);
      }
      expect((await ledgerOf(records, DYNAMODB_SCHEDULES, systemClock()).account()).entries).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });
});
