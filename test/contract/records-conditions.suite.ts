import { expect, test } from "vitest";
import { ConditionFailed } from "../../functions/ports/errors.ts";
import type { RecordKey, WriteCondition } from "../../functions/ports/records.ts";
import { failedOf, type RecordsContext } from "./records.suite.ts";

/** Part of the suite in records.suite.ts: conditional writes, and concurrent writers. */
export function recordsConditionTests(context: RecordsContext): void {
  conditionTests(context);
  raceTests(context);
}

const CONDITION_OUTCOMES: { condition: WriteCondition; absent: boolean; first: boolean }[] = [
  { condition: {}, absent: true, first: true },
  { condition: { ifAbsent: true }, absent: true, first: false },
  { condition: { ifPresent: true }, absent: false, first: true },
  { condition: { ifVersion: 1 }, absent: false, first: true },
  { condition: { ifVersion: 2 }, absent: false, first: false },
];

function conditionTests({ records, key }: RecordsContext): void {
  const attempts = {
    put: (one: RecordKey, condition: WriteCondition) => records().put(one, { v: 1, new: true }, { condition }),
    delete: (one: RecordKey, condition: WriteCondition) => records().delete(one, condition),
    "put in a transaction": (one: RecordKey, condition: WriteCondition) =>
      records().transact([{ kind: "put", key: one, value: { v: 1, new: true }, condition }]),
    "delete in a transaction": (one: RecordKey, condition: WriteCondition) =>
      records().transact([{ kind: "delete", key: one, condition }]),
    check: (one: RecordKey, condition: WriteCondition) => records().transact([{ kind: "check", key: one, condition }]),
  };

  for (const [kind, attempt] of Object.entries(attempts)) {
    for (const { condition, absent, first } of CONDITION_OUTCOMES) {
      // A check without a condition is not an operation.
      if (kind === "check" && Object.keys(condition).length === 0) continue;
      test(`Records: ${kind} with ${JSON.stringify(condition)} ${absent ? "holds" : "fails"} without a record, ${first ? "holds" : "fails"} on version 1`, async () => {
        for (const [there, holds] of [[false, absent] as const, [true, first] as const]) {
          const one = key();
          if (there) await records().put(one, { v: 1, new: false });
          const before = await records().get(one);
          if (!holds) await failedOf(attempt(one, condition));
          else await attempt(one, condition);
          const after = await records().get(one);
          if (!holds || kind === "check") expect(after).toEqual(before);
          else if (kind.startsWith("put"))
            expect(after).toEqual({ key: one, version: there ? 2 : 1, value: { v: 1, new: true } });
          else expect(after).toBeUndefined();
        }
      });
    }
  }

  test("Records refuses two conditions at once as a defect, and writes nothing", async () => {
    const one = key();
    const condition = { ifAbsent: true, ifVersion: 1 } as const;
    await expect(records().put(one, { v: 1 }, { condition })).rejects.toThrow(TypeError);
    await expect(records().delete(one, { ifPresent: true, ifVersion: 1 })).rejects.toThrow(TypeError);
    expect(await records().get(one)).toBeUndefined();
  });

  test("Records reports a failed condition as a retryable conflict", async () => {
    await expect(records().delete(key(), { ifPresent: true })).rejects.toMatchObject({
      kind: "Conflict",
      retryable: true,
    });
  });
}

function raceTests({ records, key }: RecordsContext): void {
  test("Records.add counts all of 50 concurrent increments", async () => {
    const one = key();
    const seen = await Promise.all(
      Array.from({ length: 50 }, () => records().add<{ v: number; n: number }>(one, { n: 1 })),
    );
    expect(seen.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(await records().get(one)).toMatchObject({ version: 50, value: { n: 50 } });
  });

  test("Records.add with a floor lets 7 of 20 takers take 7 tokens", async () => {
    const one = key();
    await records().put(one, { v: 1, tokens: 7 });
    const takers = Array.from({ length: 20 }, () => records().add(one, { tokens: -1 }, { tokens: 0 }));
    const outcomes = await Promise.allSettled(takers);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(await records().get(one)).toMatchObject({ value: { tokens: 0 } });
  });

  for (const condition of [{ ifVersion: 1 }, { ifAbsent: true }] as const) {
    test(`Records.put with ${JSON.stringify(condition)} lets one of 20 concurrent writers win`, async () => {
      const one = key();
      if ("ifVersion" in condition) await records().put(one, { v: 1, writer: -1 });
      const writers = Array.from({ length: 20 }, (_, writer) =>
        records()
          .put(one, { v: 1, writer }, { condition })
          .then(() => writer),
      );
      const outcomes = await Promise.allSettled(writers);
      const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(ConditionFailed);
      }
      expect(winners).toHaveLength(1);
      expect((await records().get(one))?.value.writer).toBe(winners[0]);
    });
  }
}
