import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { hasDynoxide, makeRecordsTable, startDynoxide } from "../support/dynoxide.ts";
import { ledgerSuite } from "./ledger.suite.ts";

const sizes = { halves: 1, schedules: 3, debits: 100, grants: 20, transactions: 60, workers: 20 };

describe.runIf(hasDynoxide())("on dynoxide", () => {
  ledgerSuite(
    "DynamoDB",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "sheaf-ledger-"));
      const dynoxide = await startDynoxide(join(directory, "records.db"));
      await makeRecordsTable(dynoxide.client, "records");
      const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
      const clock = { now: () => Date.now(), sleep };
      return {
        open: () => openDynamoRecords({ client: dynoxide.client, table: "records", clock }),
        async close() {
          await dynoxide.close();
          await rm(directory, { recursive: true });
        },
      };
    },
    sizes,
  );
});
