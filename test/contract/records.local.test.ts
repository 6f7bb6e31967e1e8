import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { manualClock } from "../support/clock.ts";
import { recordsSuite } from "./records.suite.ts";

recordsSuite("SQLite, a file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sheaf-records-"));
  const clock = manualClock();
  const open = () => openRecords(join(directory, "records.db"), { clock });
  let records = open();
  return {
    records,
    clock,
    async reopen() {
      records.close();
      records = open();
      return records;
    },
    async close() {
      records.close();
      await rm(directory, { recursive: true });
    },
  };
});

recordsSuite("SQLite, in memory", async () => {
  const clock = manualClock();
  const records = openRecords(":memory:", { clock });
  return { records, clock, close: async () => records.close() };
});
