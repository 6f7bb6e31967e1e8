/** Quotas, keys and the audit over a store that several processes write: exact whoever comes first. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { appendEntry, listEntries } from "../../functions/service/audit/audit-log.ts";
import { commandFacts } from "../../functions/service/audit/audit-records.ts";
import { organizationKeys } from "../../functions/service/organizations/issued-keys.ts";
import { organizationRecords } from "../../functions/service/organizations/organization-records.ts";
import { type DocumentQuotas, QUOTAS_KEY, storedFilesOf } from "../../functions/service/organizations/stored-files.ts";
import type { LedgerStore } from "./ledger.suite.ts";

/** Processes that write at the same time, and the files that all of them send at once. */
const PROCESSES = 4;
const FILES = 50;

export function quotasSuite(name: string, make: () => Promise<LedgerStore>): void {
  describe(`an organization's administration over ${name}`, () => {
    let store: LedgerStore;
    let id = 0;
    beforeAll(async () => {
      store = await make();
    });
    afterAll(() => store.close());
    beforeEach(() => {
      id += 1;
    });

    const clock = systemClock();
    /** The organization's records as each process has them. */
    const processes = () => Array.from({ length: PROCESSES }, () => organizationRecords(store.open(), id));
    const limit = (quotas: DocumentQuotas) => processes()[0]?.put(QUOTAS_KEY, { v: 1, ...quotas });

    /** Sends files of 10 bytes, all at once. @returns the number that came in */
    async function send(): Promise<number> {
      const files = processes().map((records) => storedFilesOf(records, clock));
      const sent = await Promise.allSettled(
        Array.from({ length: FILES }, (_, index) => files[index % PROCESSES]?.take(`jobs/${index}/source`, 10)),
      );
      const refused = sent.filter((one) => one.status === "rejected").map(({ reason }) => reason.kind);
      expect(new Set(refused)).toEqual(new Set(["Forbidden"]));
      return sent.length - refused.length;
    }

    it("takes exactly the documents of a day that its quota has", async () => {
      await limit({ documentsPerDay: 17, storageBytes: null });
      expect(await send()).toBe(17);
    });

    it("takes exactly the bytes that its quota has, and gives back what is deleted", async () => {
      await limit({ documentsPerDay: null, storageBytes: 230 });
      expect(await send()).toBe(23);
      const [files = storedFilesOf(organizationRecords(store.open(), id), clock)] = processes().map((records) =>
        storedFilesOf(records, clock),
      );
      expect((await files.use()).storedBytes).toBe(230);
      await Promise.all([files.releaseBelow("jobs/"), files.releaseBelow("jobs/")]);
      expect((await files.use()).storedBytes).toBe(0);
    });

    it("keeps one of two administrators that are revoked at once", async () => {
      const of = () => organizationKeys(store.open(), id, { clock, hash: async () => "0".repeat(64) });
      const [one, two] = [of(), of()];
      const made = [];
      for (const name of ["one", "two"]) made.push(await one.issue({ name, scopes: ["admin"] }));
      const ended = await Promise.allSettled([one.revoke(made[0]?.id ?? ""), two.revoke(made[1]?.id ?? "")]);
      expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await one.list()).toHaveLength(1);
    });

    it("pages its audit newest first, with the entries of all processes", async () => {
      const audits = processes().map((records) => ({ records, clock, auditDays: 1 }));
      const count = 30;
      await Promise.all(
        Array.from({ length: count }, (_, index) => {
          const audit = audits[index % PROCESSES];
          return audit && appendEntry(audit, commandFacts("set-quota", String(index)));
        }),
      );
      const [audit] = audits;
      if (audit === undefined) throw new Error("No process");
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listEntries(audit, { limit: 7, cursor });
        seen.push(...page.entries.map(({ resource, at }) => `${at} ${resource}`));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(count);
      const times = seen.map((entry) => entry.slice(0, 24));
      expect(times).toEqual([...times].sort().reverse());
    });
  });
}
