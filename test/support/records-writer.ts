/**
 * Writes records until it is killed: `records-writer.ts <file>`. Each line on standard output is an acknowledged write:
 * `put n` for record n, `all n` for a transaction that sets every part to n and counts once.
 */
import { writeSync } from "node:fs";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";

export const PARTITION = "crash";
export const PARTS = 7;
/** Some values are large, so that the log is often moved into the database file. */
export const textOf = (n: number): string => String(n).repeat(n % 5 === 0 ? 20_000 : 20);

async function writeOn(file: string): Promise<void> {
  const records = openRecords(file, { clock: systemClock() });
  const before = await records.get<{ v: number; n: number }>({ partition: PARTITION, sort: "count" });
  for (let n = (before?.value.n ?? 0) + 1; ; n++) {
    await records.put({ partition: PARTITION, sort: `put/${n}` }, { v: 1, n, text: textOf(n) });
    writeSync(1, `put ${n}\n`);
    const parts = Array.from({ length: PARTS }, (_, part) => ({
      kind: "put" as const,
      key: { partition: PARTITION, sort: `part/${part}` },
      value: { v: 1, n, text: textOf(n) },
    }));
    const count = { kind: "add" as const, key: { partition: PARTITION, sort: "count" }, amounts: { n: 1 } };
    await records.transact([...parts, count], { token: `crash/${n}` });
    writeSync(1, `all ${n}\n`);
  }
}

const [, , file] = process.argv;
if (import.meta.main && file !== undefined) await writeOn(file);
