/** The driver with a running DynamoDB emulator, and a connection that is observed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { openDynamoRecords } from "../../../../functions/adapters/aws/records.ts";
import type { Records } from "../../../../functions/ports/records.ts";
import { type ManualClock, manualClock } from "../../../support/clock.ts";
import { makeRecordsTable, startDynoxide } from "../../../support/dynoxide.ts";

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** DynamoDB's limits of expressions, which the emulator lacks. */
function checkExpressions(request: object): void {
  const parts = [request, ...("TransactItems" in request ? Object.values(request.TransactItems as object) : [])];
  for (const part of parts.flatMap((each) => [each, ...Object.values(each)])) {
    for (const [member, value] of Object.entries(Object(part))) {
      if (!/Expression$/.test(member)) continue;
      expect(String(value).length, member).toBeLessThanOrEqual(4096);
      expect(String(value).match(/ [-+=<>]+ |\w\(|AND|OR|BETWEEN/g)?.length ?? 0, member).toBeLessThanOrEqual(300);
    }
    for (const name of Object.values(Object(Object(part).ExpressionAttributeNames))) {
      expect(name).toMatch(/./s);
      expect(Buffer.byteLength(String(name))).toBeLessThanOrEqual(255);
    }
  }
}

/** Counts requests, and drops the answers of the given number of requests after they were done. */
interface Line {
  requests: string[];
  lose: number;
}

function watch(client: DynamoDBClient): Line {
  const line: Line = { requests: [], lose: 0 };
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        line.requests.push(commandName);
        checkExpressions(args.input);
        const lost = line.lose > 0;
        line.lose -= lost ? 1 : 0;
        if (!lost) return next(args);
        await next(args).catch(() => undefined);
        throw Object.assign(new Error("the line was cut"), { code: "ECONNRESET" });
      },
    { step: "initialize" },
  );
  return line;
}

export interface WatchedRecords {
  client: DynamoDBClient;
  records: Records;
  line: Line;
  clock: ManualClock;
  close(): Promise<void>;
}

export async function openWatchedRecords(): Promise<WatchedRecords> {
  const clock = manualClock();
  const directory = await mkdtemp(join(tmpdir(), "sheaf-dynamodb-"));
  const dynoxide = await startDynoxide(join(directory, "records.db"));
  const { client } = dynoxide;
  await makeRecordsTable(client, "records");
  return {
    client,
    records: openDynamoRecords({ client, table: "records", clock: { now: clock.now, sleep } }),
    line: watch(client),
    clock,
    async close() {
      await dynoxide.close();
      await rm(directory, { recursive: true });
    },
  };
}
