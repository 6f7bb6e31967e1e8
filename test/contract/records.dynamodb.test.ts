import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { manualClock } from "../support/clock.ts";
import { hasDynoxide, makeRecordsTable, startDynoxide } from "../support/dynoxide.ts";
import { recordsSuite } from "./records.suite.ts";

/**
 * Refuses reads that are not strongly consistent: the emulator always reads consistently, the service only on request.
 */
function refuseStaleReads(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      (args) => {
        if (/^(Get|Query|Scan|Batch|Execute)/.test(commandName)) {
          expect(args.input, commandName).toMatchObject({ ConsistentRead: true });
        }
        return next(args);
      },
    { step: "initialize" },
  );
}

describe.runIf(hasDynoxide())("on dynoxide", () => {
  recordsSuite("DynamoDB", async () => {
    const directory = await mkdtemp(join(tmpdir(), "sheaf-dynamodb-"));
    const dynoxide = await startDynoxide(join(directory, "records.db"));
    await makeRecordsTable(dynoxide.client, "records");
    refuseStaleReads(dynoxide.client);
    const clock = manualClock();
    const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const open = () =>
      openDynamoRecords({ client: dynoxide.client, table: "records", clock: { now: clock.now, sleep } });
    return {
      records: open(),
      clock,
      async reopen() {
        await dynoxide.restart();
        return open();
      },
      async close() {
        await dynoxide.close();
        await rm(directory, { recursive: true });
      },
    };
  });
});
