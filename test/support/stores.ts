/** Stores of records that a test opens several times, as several processes do. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import type { Records } from "../../functions/ports/records.ts";
import { makeRecordsTable, startDynoxide } from "./dynoxide.ts";

export interface Store {
  /** Opens the records once more. */
  open(): Records;
  /** Closes all of them, and deletes the store. */
  close(): Promise<void>;
}

const FOLDER = "sheaf-store-";

/** Makes a store in a file of SQLite. */
export async function sqliteStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
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
}

/** Makes a store in a local DynamoDB. */
export async function dynamoStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  const dynoxide = await startDynoxide(join(folder, "records.db"));
  await makeRecordsTable(dynoxide.client, "records");
  return {
    open: () => openDynamoRecords({ client: dynoxide.client, table: "records", clock: systemClock() }),
    async close() {
      await dynoxide.close();
      await rm(folder, { recursive: true });
    },
  };
}
