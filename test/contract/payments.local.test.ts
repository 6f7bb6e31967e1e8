import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import { paymentsSuite } from "./payments.suite.ts";

paymentsSuite("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-payments-"));
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
});
