/** DynamoDB killed during writes: acknowledged writes stay, transactions are whole. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openDynamoRecords } from "../../../../functions/adapters/aws/records.ts";
import { ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import type { RecordOperation, Records, RecordValue } from "../../../../functions/ports/records.ts";
import { type Dynoxide, hasDynoxide, makeRecordsTable, startDynoxide } from "../../../support/dynoxide.ts";

interface Numbered extends RecordValue {
  n: number;
  text: string;
}

const PARTITION = "crash";
const PARTS = 7;
const ACCOUNTS = 4;
const BALANCE = 1000;
const at = (sort: string) => ({ partition: PARTITION, sort });
/** Some values are wide, so that the log is moved into the database file again and again. */
const textOf = (n: number): string => String(n).repeat(n % 5 === 0 ? 20_000 : 20);
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The acknowledged writes, and the transaction that was sent last. */
interface Acknowledged {
  put: number;
  all: number;
  sent: number;
  added: number;
}

const partsOf = (n: number): RecordOperation[] => [
  ...Array.from({ length: PARTS }, (_, part) => ({
    kind: "put" as const,
    key: at(`part/${part}`),
    value: { v: 1, n, text: textOf(n) },
  })),
  { kind: "add", key: at("count"), amounts: { n: 1 } },
];

/** Writers that go on until `stopped`; with a driver that does not retry, each ends at its first error. */
function write(records: Records, done: Acknowledged, stopped: () => boolean): Promise<PromiseSettledResult<void>[]> {
  const until = async (step: (n: number) => Promise<void>) => {
    for (let n = 0; !stopped(); n++) await step(n);
  };
  const numbered = until(async () => {
    const n = done.all + 1;
    await records.put(at(`put/${n}`), { v: 1, n, text: textOf(n) });
    done.put = n;
    done.sent = n;
    await records.transact(partsOf(n), { token: `crash/${n}` });
    done.all = n;
  });
  const transfers = until((n) => {
    const [from, to] = [at(`account/${n % ACCOUNTS}`), at(`account/${(n * 3 + 1) % ACCOUNTS}`)];
    if (from.sort === to.sort) return Promise.resolve();
    return records.transact([
      { kind: "add", key: from, amounts: { n: -1 }, floor: { n: 0 } },
      { kind: "add", key: to, amounts: { n: 1 } },
    ]);
  });
  const increments = until(async () => {
    await records.add(at("increments"), { n: 1 });
    done.added += 1;
  });
  return Promise.allSettled([numbered, transfers, increments]);
}

async function checkAll(records: Records, done: Acknowledged): Promise<number> {
  const numberAt = async (sort: string) => (await records.get<Numbered>(at(sort)))?.value.n ?? 0;
  const found = new Map<number, string>();
  let next: string | undefined;
  do {
    const query = { partition: PARTITION, prefix: "put/", ...(next === undefined ? {} : { cursor: next }) };
    const { items, cursor } = await records.query<Numbered>(query);
    for (const { value } of items) found.set(value.n, value.text);
    next = cursor;
  } while (next !== undefined);
  for (let n = 1; n <= done.put; n++) expect(found.get(n)).toBe(textOf(n));

  const { items } = await records.query<Numbered>({ partition: PARTITION, prefix: "part/" });
  expect(items).toHaveLength(PARTS);
  const [n = 0, ...others] = new Set(items.map(({ value }) => value.n));
  expect(others, "all parts are of one transaction").toEqual([]);
  expect([done.all, done.sent]).toContain(n);
  for (const { value } of items) expect(value.text).toBe(textOf(n));
  expect(await numberAt("count"), "the counter went with them").toBe(n);
  await records.transact(partsOf(n), { token: `crash/${n}` });
  expect(await numberAt("count"), "the token went with them").toBe(n);

  const { items: accounts } = await records.query<Numbered>({ partition: PARTITION, prefix: "account/" });
  expect(accounts.reduce((sum, { value }) => sum + value.n, 0)).toBe(ACCOUNTS * BALANCE);
  return n;
}

describe.runIf(hasDynoxide())("DynamoDB records", () => {
  const ROUNDS = 8;
  let directory = "";
  let dynoxide: Dynoxide;
  const open = (pauses: number) =>
    openDynamoRecords({
      client: dynoxide.client,
      table: "records",
      clock: { now: () => Date.now(), sleep },
      pauses,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "sheaf-dynamodb-"));
  });
  afterEach(() => dynoxide.close());
  afterAll(() => rm(directory, { recursive: true }));

  async function start(file: string): Promise<void> {
    dynoxide = await startDynoxide(join(directory, file));
    await makeRecordsTable(dynoxide.client, "records");
    const records = open(3);
    for (let n = 0; n < ACCOUNTS; n++) await records.put(at(`account/${n}`), { v: 1, n: BALANCE });
  }

  test(`keep acknowledged writes and whole transactions when killed ${ROUNDS} times while writing`, async () => {
    await start("killed.db");
    const done: Acknowledged = { put: 0, all: 0, sent: 0, added: 0 };
    let cut = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const before = { ...done };
      let stopped = false;
      const writers = write(open(0), done, () => stopped);
      await vi.waitFor(() => expect(done.all).toBeGreaterThan(before.all), { timeout: 10_000, interval: 2 });
      await sleep(Math.random() * 150);
      stopped = true;
      await dynoxide.restart();
      for (const { status } of await writers) cut += status === "rejected" ? 1 : 0;
      const n = await checkAll(open(3), done);
      const added = (await open(3).get<Numbered>(at("increments")))?.value.n ?? 0;
      expect([done.added, done.added + 1]).toContain(added);
      Object.assign(done, { put: Math.max(done.put, n), all: n, sent: n, added });
    }
    expect(cut, "writes were cut off in the middle").toBeGreaterThan(ROUNDS / 2);
  });

  test("do everything once when killed under writers that retry", async () => {
    await start("unnoticed.db");
    const done: Acknowledged = { put: 0, all: 0, sent: 0, added: 0 };
    let stopped = false;
    const writers = write(open(10), done, () => stopped);
    for (let round = 0; round < 4; round++) {
      const { all } = done;
      await vi.waitFor(() => expect(done.all).toBeGreaterThan(all), { timeout: 10_000, interval: 2 });
      await sleep(Math.random() * 100);
      await dynoxide.restart();
    }
    stopped = true;
    expect(await writers).toEqual(Array.from({ length: 3 }, () => ({ status: "fulfilled", value: undefined })));
    expect(await checkAll(open(3), done)).toBe(done.all);
    expect((await open(3).get(at("increments")))?.value.n).toBe(done.added);
    await dynoxide.close();
    await expect(open(2).get(at("increments")), "without it").rejects.toThrow(ServiceUnavailable);
  });
});
