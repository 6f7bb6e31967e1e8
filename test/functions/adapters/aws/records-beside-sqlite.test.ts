/** Random operations give the same results with DynamoDB and with SQLite. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { ConditionFailed } from "../../../../functions/ports/errors.ts";
import type { RecordOperation, Records, RecordValue, WriteCondition } from "../../../../functions/ports/records.ts";
import { hasDynoxide } from "../../../support/dynoxide.ts";
import { openWatchedRecords, type WatchedRecords } from "./records-dynoxide.support.ts";

/** Pseudo-random numbers with a fixed seed (Park and Miller's minimal standard generator). */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
const pick = <T>(choices: readonly T[], draw: (below: number) => number): T => {
  const choice = choices[draw(choices.length)];
  if (choice === undefined) throw new Error("There is always a choice");
  return choice;
};
const NUMBERS = [0, 1, -1, 3, 0.1, -0.2, 1e15, 9_007_199_254_740_991, -9e15, 1e21, 1.5e308];
const NAMES = ["a", "b", "c", "d e", "__proto__"];
const CONDITIONS: WriteCondition[] = [
  {},
  {},
  { ifAbsent: true },
  { ifPresent: true },
  { ifVersion: 1 },
  { ifVersion: 2 },
  { ifVersion: Number.NaN },
];

function drawOperation(draw: (below: number) => number, sort: string, now: number): RecordOperation {
  const one = { partition: "same", sort };
  const numbers = () => Object.fromEntries([draw(3), draw(3)].map(() => [pick(NAMES, draw), pick(NUMBERS, draw)]));
  const condition = pick(CONDITIONS, draw);
  switch (draw(8)) {
    case 0:
    case 1: {
      const value: RecordValue = { v: 1, ...(draw(4) === 0 ? { b: "text" } : {}), ...numbers(), list: [draw(9)] };
      return { kind: "put", key: one, value, condition, ...(draw(3) ? {} : { expiresAt: now + draw(4) - 1 }) };
    }
    case 2:
      return { kind: "delete", key: one, condition };
    case 3:
      return { kind: "check", key: one, condition: pick(CONDITIONS.slice(2), draw) };
    default:
      return { kind: "add", key: one, amounts: numbers(), ...(draw(2) ? { floor: numbers() } : {}) };
  }
}

const SORTS = ["1", "2", "3"];
async function attempt(on: Records, operations: RecordOperation[], token: string | undefined): Promise<unknown> {
  const [first] = operations;
  try {
    if (operations.length > 1 || first?.kind === "check" || token !== undefined) {
      return await on.transact(operations, token === undefined ? {} : { token });
    }
    if (first?.kind === "put") return await on.put(first.key, first.value, first);
    if (first?.kind === "delete") return await on.delete(first.key, first.condition);
    if (first?.kind === "add") return JSON.stringify(await on.add(first.key, first.amounts, first.floor));
  } catch (error) {
    if (error instanceof ConditionFailed) return `failed ${error.failed}`;
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
  throw new Error("There is no such operation");
}

describe.runIf(hasDynoxide())("DynamoDB records beside SQLite", () => {
  let store: WatchedRecords;
  beforeAll(async () => {
    store = await openWatchedRecords();
  });
  afterAll(() => store.close());

  test.each([1, 2])("give the same results as SQLite for 250 operations drawn with seed %i", async (seed) => {
    const local = openRecords(":memory:", { clock: store.clock });
    const draw = drawer(seed);
    for (let step = 0; step < 250; step++) {
      const now = Math.floor(store.clock.now() / 1000);
      const sorts = SORTS.filter(() => draw(3) === 0);
      const operations = (sorts.length ? sorts : [pick(SORTS, draw)]).map((sort) => drawOperation(draw, sort, now));
      const token = draw(10) === 0 ? `${seed}/${draw(20)}` : undefined;
      const what = `step ${step}: ${JSON.stringify(operations)} ${token}`;
      expect(await attempt(store.records, operations, token), what).toEqual(await attempt(local, operations, token));
      const states = [];
      for (const one of [store.records, local]) states.push((await one.query({ partition: "same" })).items);
      expect(JSON.stringify(states[0]), what).toBe(JSON.stringify(states[1]));
      if (draw(5) === 0) store.clock.advance(1000);
    }
    for (const sort of SORTS) await store.records.delete({ partition: "same", sort });
    local.close();
  });
});
