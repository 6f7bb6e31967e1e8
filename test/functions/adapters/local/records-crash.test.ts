import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import type { RecordValue } from "../../../../functions/ports/records.ts";
import { runAndKill } from "../../../support/crash.ts";
import { PARTITION, PARTS, textOf } from "../../../support/records-writer.ts";

interface Numbered extends RecordValue {
  n: number;
  text: string;
}

const ROUNDS = 8;
let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sheaf-crash-"));
});
afterAll(() => rm(directory, { recursive: true }));

test(`Records keeps acknowledged writes and whole transactions when killed ${ROUNDS} times while writing`, async () => {
  const file = join(directory, "records.db");
  const acknowledged = { put: 0, all: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const line of await runAndKill("records-writer.ts", [file], 40 + Math.random() * 200)) {
      const [kind, n] = line.split(" ");
      acknowledged[kind === "put" ? "put" : "all"] = Number(n);
    }
    const records = openRecords(file, { clock: systemClock() });
    const get = async (sort: string) => (await records.get<Numbered>({ partition: PARTITION, sort }))?.value;
    for (let n = 1; n <= acknowledged.put; n++) expect(await get(`put/${n}`)).toEqual({ v: 1, n, text: textOf(n) });
    const { items } = await records.query<Numbered>({ partition: PARTITION, prefix: "part/" });
    if (acknowledged.all > 0 || items.length > 0) expect(items).toHaveLength(PARTS);
    const [n = 0, ...others] = new Set(items.map(({ value }) => value.n));
    expect(others, "all parts are of one transaction").toEqual([]);
    expect([acknowledged.all, acknowledged.all + 1]).toContain(n);
    for (const { value } of items) expect(value.text).toBe(textOf(n));
    expect((await get("count"))?.n, "the counter went with them").toBe(n);

    const count = { kind: "add" as const, key: { partition: PARTITION, sort: "count" }, amounts: { n: 1 } };
    await records.transact([count], { token: `crash/${n}` });
    expect((await get("count"))?.n, "the token went with them").toBe(n);
    records.close();
    acknowledged.put = Math.max(acknowledged.put, n);
    acknowledged.all = n;
  }
  expect(acknowledged.all, "it was killed while it wrote").toBeGreaterThan(ROUNDS);
  const database = new DatabaseSync(file);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
});
