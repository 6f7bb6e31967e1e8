import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import { ledgerSuite } from "./ledger.suite.ts";

const sizes = { halves: 5, schedules: 60, debits: 300, grants: 40, transactions: 200, workers: 20 };

ledgerSuite(
  "SQLite",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-ledger-"));
    const opened: LocalRecords[] = [];
    return {
      open() {
        const records = openRecords(join(folder, "records.sqlite"), {
          clock: { now: () => Date.now() },
          acknowledge: "committed",
        });
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
