/** The ledger on both drivers at full size: 10,000 random schedules, 1,000 debits beside 100 grants, 500 transactions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import { ledgerSuite } from "../contract/ledger.suite.ts";
import { hasDynoxide, makeRecordsTable, startDynoxide } from "../support/dynoxide.ts";
import { runSchedule } from "../support/ledger-schedules.ts";

const sizes = { halves: 20, schedules: 20, debits: 1_000, grants: 100, transactions: 500, workers: 20 };
const SCHEDULES = 10_000;

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

ledgerSuite(
  "SQLite",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-ledger-"));
    const opened: LocalRecords[] = [];
    return {
      open() {
        const records = openRecords(join(folder, "records.sqlite"), { clock: systemClock(), acknowledge: "committed" });
        opened.push(records);
        return records;
      },
      async close() {
        for (const records of opened) records.close();
        await rm(folder, { recursive: true });
      },
    };
  },
  sizes,
);

describe.runIf(hasDynoxide())("on dynoxide", () => {
  ledgerSuite(
    "DynamoDB",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "sheaf-ledger-"));
      const dynoxide = await startDynoxide(join(directory, "records.db"));
      await makeRecordsTable(dynoxide.client, "records");
      return {
        open: () => openDynamoRecords({ client: dynoxide.client, table: "records", clock: systemClock() }),
        async close() {
          await dynoxide.close();
          await rm(directory, { recursive: true });
        },
      };
    },
    { ...sizes, schedules: 300 },
  );
});
