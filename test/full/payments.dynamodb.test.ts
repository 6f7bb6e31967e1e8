import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { paymentsSuite } from "../contract/payments.suite.ts";
import { hasDynoxide, makeRecordsTable, startDynoxide } from "../support/dynoxide.ts";

describe.runIf(hasDynoxide())("on dynoxide", () => {
  paymentsSuite("DynamoDB", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sheaf-payments-"));
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
  });
});
