/** The audit's pages: newest first, over days, stable while entries are appended. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLimits } from "../../../../bin/limits.ts";
import { appendEntry, auditOf, listEntries } from "../../../../functions/service/audit/audit-log.ts";
import { commandFacts } from "../../../../functions/service/audit/audit-records.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(() => {
  at = testPlatform();
});
afterEach(() => at.close());

const append = (resource: string) => appendEntry(auditOf(at.org), commandFacts("create-key", resource));
const DAY = 24 * 3600;
const now = () => at.platform.engines.clock.now();
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** All resources of a query, page by page. */
async function all(query: { from?: string; to?: string }, limit: number): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await listEntries(auditOf(at.org), { ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    found.push(...page.entries.map(({ resource }) => resource));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe("the entries of an audit", () => {
  it("come newest first over days, each once, whatever the size of the pages", async () => {
    const appended: string[] = [];
    for (const [day, pause] of [0, 1, 45, 46].entries()) {
      for (let count = 0; count < 7; count += 1) {
        appended.unshift(`${day}/${count}`);
        await append(`${day}/${count}`);
        at.pass(0.002);
      }
      at.pass(pause * DAY);
    }
    for (const limit of [1, 3, 7, 100]) expect(await all({}, limit), `pages of ${limit}`).toEqual(appended);
    expect((await listEntries(auditOf(at.other), { limit: 10 })).entries).toEqual([]);
  });

  it("are those between two times, both included", async () => {
    const times: number[] = [];
    for (const name of ["a", "b", "c"]) {
      await append(name);
      at.pass(1);
    }
    for (const { at: time } of (await listEntries(auditOf(at.org), { limit: 9 })).entries)
      times.unshift(Date.parse(time));
    const [first = 0, second = 0, third = 0] = times;
    expect(await all({ from: iso(second) }, 9)).toEqual(["c", "b"]);
    expect(await all({ to: iso(second) }, 9)).toEqual(["b", "a"]);
    expect(await all({ from: iso(first + 1), to: iso(third - 1) }, 9)).toEqual(["b"]);
    expect(await all({ from: iso(now() + 1000) }, 9)).toEqual([]);
    expect(await all({ to: "9999-12-31T00:00:00.000Z" }, 9)).toHaveLength(3);
  });

  it("stay on their pages while others are appended", async () => {
    for (const name of ["a", "b", "c", "d"]) {
      await append(name);
      at.pass(0.002);
    }
    const { nextCursor } = await listEntries(auditOf(at.org), { limit: 2 });
    await append("e");
    const page = await listEntries(auditOf(at.org), { limit: 2, cursor: nextCursor ?? "" });
    expect(page.entries.map(({ resource }) => resource)).toEqual(["b", "a"]);
    await expect(listEntries(auditOf(at.org), { limit: 2, cursor: "no-cursor" })).rejects.toMatchObject({
      kind: "BadRequest",
    });
  });

  it("are kept for a year, and are never overwritten", async () => {
    await append("old");
    const [stored] = (await at.org.records.query({ partition: `audit/${iso(now()).slice(0, 10)}` })).items;
    expect(stored?.expiresAt).toBeGreaterThan(now() / 1000 + 364 * DAY);
    expect(stored?.version).toBe(1);
    at.pass(366 * DAY);
    expect(await all({}, 9)).toEqual([]);
  });

  it("have no more of a resource than a name's length", async () => {
    await append("x".repeat(10_000));
    expect((await all({}, 9))[0]).toHaveLength(300);
  });
});

describe("SHEAF_AUDIT_DAYS", () => {
  it.each([
    ["", 365],
    ["30", 30],
    ["off", null],
  ])("%s is %s", (SHEAF_AUDIT_DAYS, auditDays) => {
    expect(parseLimits({ SHEAF_AUDIT_DAYS })).toMatchObject({ auditDays });
  });

  it.each(["0", "-1", "4000", "long"])("%s is refused", (SHEAF_AUDIT_DAYS) => {
    expect(() => parseLimits({ SHEAF_AUDIT_DAYS })).toThrow("SHEAF_AUDIT_DAYS must be a whole number");
  });
});
