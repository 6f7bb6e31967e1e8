/** Budgets: reserved before the work, shared, settled once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import { budgetOf, budgetOperation, type TokenBudget } from "../../../../functions/service/charges/token-budget.ts";
import { organizationRecords } from "../../../../functions/service/organizations/organization-records.ts";

const payer = { guid: "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11", run: 1 };
let store: LocalRecords;
let budget: TokenBudget;
let again: TokenBudget;
const left = async (): Promise<number> =>
  Number(
    (await organizationRecords(store, 1).get({ partition: `job/${payer.guid}`, sort: "run/000001/budget" }))?.value
      .left,
  );

/** Waiting takes no time. */
function patientClock() {
  let time = 0;
  return {
    now: () => time,
    async sleep(milliseconds: number) {
      time += milliseconds;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

beforeEach(async () => {
  const clock = patientClock();
  store = openRecords(":memory:", { clock });
  const records = organizationRecords(store, 1);
  await records.transact([budgetOperation(payer, 100)]);
  const open = () => budgetOf({ records, clock }, { mode: "enforced", payer, allowance: 100 }) as TokenBudget;
  [budget, again] = [open(), open()];
});
afterEach(() => store.close());

describe("a budget", () => {
  it("is undefined for a run without a limit", () => {
    const records = organizationRecords(store, 1);
    expect(budgetOf({ records, clock: systemClock() }, { mode: "record", payer })).toBeUndefined();
    expect(budgetOf({ records, clock: systemClock() }, undefined)).toBeUndefined();
  });

  it("returns what the work did not need", async () => {
    expect(await budget.reserve("a", 10, 60)).toBe(60);
    expect(await left()).toBe(40);
    await budget.settle("a", 25);
    await budget.settle("a", 25);
    expect(await left()).toBe(75);
  });

  it("gives what is left, and nothing below the least", async () => {
    await budget.reserve("a", 10, 60);
    expect(await budget.reserve("b", 10, 60)).toBe(40);
    await budget.settle("a", 60);
    await budget.settle("b", 40);
    await expect(budget.reserve("c", 1, 5)).rejects.toThrow("The prepaid tokens held for this run are used up");
  });

  it("reserves repeated work once, and again settled work not at all", async () => {
    expect(await budget.reserve("a", 10, 60)).toBe(60);
    expect(await again.reserve("a", 10, 60)).toBe(60);
    expect(await left()).toBe(40);
    await budget.settle("a", 30);
    expect(await again.reserve("a", 10, 60)).toBe(30);
    await again.settle("a", 30);
    expect(await left()).toBe(70);
  });

  it("lets work wait for tokens that others may return", async () => {
    await budget.reserve("a", 10, 100);
    const waiting = again.reserve("b", 50, 60);
    await budget.settle("a", 40);
    expect(await waiting).toBe(60);
  });

  it("is never below 0 among many that reserve", async () => {
    const ends = await Promise.allSettled(Array.from({ length: 30 }, (_, at) => budget.reserve(String(at), 7, 7)));
    // 14 of 7 fit; the others waited in vain for tokens that nobody returned.
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(14);
    expect(await left()).toBe(2);
  });

  it("counts what was used beyond a reservation", async () => {
    await budget.reserve("a", 10, 60);
    await budget.settle("a", 110);
    expect(await left()).toBe(-10);
  });
});
