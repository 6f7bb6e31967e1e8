/** The ledger on a driver of Records: conserved, exact under contention, the same for the same schedule. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { Ledger } from "../../functions/service/billing/ledger.ts";
import { LedgerRefusal } from "../../functions/service/billing/refusal.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { allEntries, expectConserved, randomFrom, randomSchedule, runSchedule } from "../support/ledger-schedules.ts";

export interface LedgerStore {
  /** A process of its own over the same data. */
  open(): Records;
  close(): Promise<void>;
}

export interface LedgerSizes {
  /** Random schedules. */
  schedules: number;
  /** Schedules that are run as a whole and in two halves. */
  halves: number;
  /** Concurrent debits and grants of one organization. */
  debits: number;
  grants: number;
  /** Transactions that workers record for themselves, and the workers. */
  transactions: number;
  workers: number;
}

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const clock = systemClock();

export function ledgerSuite(name: string, make: () => Promise<LedgerStore>, sizes: LedgerSizes): void {
  describe(`the ledger over ${name}`, () => {
    let store: LedgerStore;
    let records: Records;
    let organization = 0;
    const own = (): Ledger => ledgerOf(records, organization, clock);
    /** The ledger of the same organization in another process. */
    const elsewhere = (): Ledger => ledgerOf(store.open(), organization, clock);
    const anew = (): Ledger => {
      organization += 1;
      return own();
    };
    beforeAll(async () => {
      store = await make();
      records = store.open();
    });
    afterAll(() => store.close());

    const grant = (ledger: Ledger, key: string, amount: number) =>
      ledger.post([{ kind: "grant", key, amount, reason: "a pack" }]);
    const debit = (ledger: Ledger, key: string, amount: number) =>
      ledger.post([{ kind: "debit", key, amount, guid: GUID, run: 1, reason: "work" }]);

    it(`conserves tokens in ${sizes.schedules} random schedules with crashes and replays`, async () => {
      for (let seed = 1; seed <= sizes.schedules; seed += 1) {
        anew();
        await runSchedule(records, organization, seed);
      }
      expect(organization).toBeGreaterThanOrEqual(sizes.schedules);
    });

    it("makes the same entries of one run and of two halves", async () => {
      const still = { ...clock, now: () => Date.UTC(2026, 10, 23) };
      for (let seed = 1; seed <= sizes.halves; seed += 1) {
        const schedule = randomSchedule(randomFrom(seed), 40);
        const run = async (ledger: Ledger, part: typeof schedule): Promise<void> => {
          for (const command of part) {
            await ledger.post([command]).catch((error: unknown) => {
              if (!(error instanceof LedgerRefusal)) throw error;
            });
          }
        };
        anew();
        const whole = ledgerOf(records, organization, still);
        await run(whole, schedule);
        anew();
        await run(ledgerOf(records, organization, still), schedule.slice(0, 17));
        const rest = ledgerOf(store.open(), organization, still);
        await run(rest, schedule.slice(17));
        expect(await allEntries(rest)).toEqual(await allEntries(whole));
      }
    });

    it(`is exact under ${sizes.debits} concurrent debits and ${sizes.grants} grants`, async () => {
      await grant(anew(), "first", sizes.debits * 3);
      const processes = [own(), elsewhere(), elsewhere()];
      const processOf = (at: number): Ledger => processes[at % processes.length] as Ledger;
      const debits = Array.from({ length: sizes.debits }, (_, at) => debit(processOf(at), String(at), 3));
      const grants = Array.from({ length: sizes.grants }, (_, at) => grant(processOf(at), String(at), 7));
      await Promise.all([...debits, ...grants]);
      const { account, drift } = await own().reconcile();
      expect(drift).toEqual([]);
      expect(account).toMatchObject({ balance: sizes.grants * 7, entries: 1 + sizes.debits + sizes.grants });
    });

    it("gives the last tokens to one of two holds at once", async () => {
      await grant(anew(), "first", 100);
      const hold = (ledger: Ledger, id: string) => ledger.post([{ kind: "hold", id, amount: 100, guid: GUID, run: 1 }]);
      const ends = await Promise.allSettled([hold(own(), "a"), hold(elsewhere(), "b")]);
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "insufficient" });
      expect(await own().account()).toMatchObject({ balance: 100, held: 100 });
    });

    it("settles once when two processes settle within milliseconds", async () => {
      await grant(anew(), "first", 100);
      await own().post([{ kind: "hold", id: "a", amount: 80, guid: GUID, run: 1 }]);
      const settle = (ledger: Ledger) =>
        ledger.post([
          { kind: "capture", hold: "a", key: "a", amount: 30, guid: GUID, run: 1, reason: "work" },
          { kind: "release", hold: "a", reason: "the end" },
        ]);
      await Promise.all([settle(own()), settle(elsewhere()), settle(elsewhere()), settle(own())]);
      expect(await own().account()).toMatchObject({ balance: 70, held: 0, entries: 4 });
    });

    it("credits a top-up once that many processes send at once", async () => {
      anew();
      await Promise.all(Array.from({ length: 8 }, (_, at) => grant(at % 2 === 0 ? own() : elsewhere(), "pi_1", 250)));
      expect(await own().account()).toMatchObject({ balance: 250, entries: 1 });
    });

    it("refunds no more than a grant when many processes refund it at once", async () => {
      await grant(anew(), "pi_1", 100);
      await grant(own(), "pi_2", 500);
      const refund = (ledger: Ledger, key: string, amount: number) =>
        ledger.post([{ kind: "refund", key, grant: "pi_1", amount, reason: "money back" }]);
      const ledgers = [own(), elsewhere(), elsewhere()];
      const ends = await Promise.allSettled(ledgers.map((ledger, at) => refund(ledger, `r${at}`, 40)));
      const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.code] : []));
      expect(refused).toEqual(["exceeds_grant"]);
      expect(await own().account()).toMatchObject({ balance: 520, entries: 4 });
      expect((await own().reconcile()).drift).toEqual([]);
    });

    it("gives its entries in pages, without gaps and repeats, in both directions", async () => {
      await grant(anew(), "first", 1_000);
      await Promise.all(Array.from({ length: 24 }, (_, at) => debit(own(), String(at), 1 + at)));
      const walked = async (ascending: boolean): Promise<number[]> => {
        const seen: number[] = [];
        for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
          const page = await own().entries({ limit: 7, ascending, ...(cursor === undefined ? {} : { cursor }) });
          seen.push(...page.entries.map(({ seq }) => seq));
          cursor = page.cursor;
        }
        return seen;
      };
      const oldest = Array.from({ length: 25 }, (_, at) => at + 1);
      expect(await walked(true)).toEqual(oldest);
      expect(await walked(false)).toEqual(oldest.toReversed());
      const days = await own().days({ limit: 10 });
      expect(days.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(300);
    });

    it("writes further operations with its commands, or neither", async () => {
      const ledger = anew();
      const key = { partition: "other", sort: "one" };
      const note = { kind: "put", key, value: { v: 1 }, condition: { ifAbsent: true } } as const;
      const posted = (name: string) => ledger.post([{ kind: "grant", key: name, amount: 5, reason: "" }], [note]);
      const ends = await Promise.allSettled([posted("a"), posted("b"), grant(ledger, "c", 5)]);
      expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
      expect(await ledger.account()).toMatchObject({ balance: 10, entries: 2 });
    });

    it(`equals the lists that ${sizes.workers} workers keep of ${sizes.transactions} transactions`, async () => {
      const organizations = [1, 2, 3].map(() => {
        anew();
        return organization;
      });
      const lists = await Promise.all(
        Array.from({ length: sizes.workers }, async (_, worker) => {
          const random = randomFrom(worker + 1);
          const process = store.open();
          const acknowledged: { organization: number; key: string; amount: number }[] = [];
          for (let at = worker; at < sizes.transactions; at += sizes.workers) {
            const account = organizations[random(organizations.length)] ?? 1;
            const ledger = ledgerOf(process, account, clock);
            const [key, amount] = [`${worker}-${at}`, 1 + random(90)];
            const spends = random(3) > 0;
            try {
              await (spends ? debit(ledger, key, amount) : grant(ledger, key, amount));
            } catch (error) {
              if (error instanceof LedgerRefusal) continue;
              throw error;
            }
            const signed = spends ? -amount : amount;
            acknowledged.push({ organization: account, key: `${spends ? "debit" : "grant"}/${key}`, amount: signed });
          }
          return acknowledged;
        }),
      );
      for (const account of organizations) {
        const ledger = ledgerOf(records, account, clock);
        const expected = lists.flat().filter((one) => one.organization === account);
        const entries = await allEntries(ledger);
        const lines = (list: readonly { key: string; amount: number }[]) =>
          list.map((one) => `${one.key} ${one.amount}`);
        expect(lines(entries).sort()).toEqual(lines(expected).sort());
        expect((await ledger.account()).balance).toBe(expected.reduce((sum, { amount }) => sum + amount, 0));
        await expectConserved(
          ledger,
          entries.map(({ key }) => ({ command: commandOf(key), outcome: "done" as const })),
        );
      }
    });
  });
}

/** A command of an entry's key. */
function commandOf(key: string) {
  const [kind, name = ""] = key.split("/");
  const about = { key: name, amount: 1, reason: "" };
  return kind === "grant"
    ? { kind: "grant" as const, ...about }
    : { kind: "debit" as const, ...about, guid: GUID, run: 1 };
}
