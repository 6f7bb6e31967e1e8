/** Events of payments on a driver of Records: exact while jobs are charged, and credited once when work fails. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openStripe } from "../../functions/adapters/stripe/stripe-payments.ts";
import { ServiceUnavailable } from "../../functions/ports/errors.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { Ledger } from "../../functions/service/billing/ledger.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { takePaymentEvent } from "../../functions/service/payments/take-payment-event.ts";
import { Payment, signatureOf, WEBHOOK_SECRET } from "../support/stripe-events.ts";
import type { LedgerStore } from "./ledger.suite.ts";

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const clock = systemClock();
const payments = openStripe({
  secretKey: "sk_test_secret",
  webhookSecret: WEBHOOK_SECRET,
  offer: { product: "prod_1" },
  clock: { now: () => Date.now() },
  deployment: async () => "here",
  onSkipped: () => undefined,
});

const paymentOf = (organization: number, name: string, tokens: number): Payment => {
  const metadata = {
    sheaf_organization: String(organization),
    sheaf_tokens: String(tokens),
    sheaf_deployment: "here",
  };
  const session = `cs_${organization}_${name}`;
  return new Payment(session, {
    client_reference_id: String(organization),
    metadata,
    payment_intent_data: { metadata },
  });
};

/** Delivers an event to a process over some records. */
async function deliver(records: Records, event: object): Promise<void> {
  const text = JSON.stringify(event);
  const at = {
    findPayments: async () => payments,
    records,
    organization: (id: number) => ({ ledger: ledgerOf(records, id, clock) }),
    clock,
    log: () => undefined,
  };
  await takePaymentEvent(at, Buffer.from(text), signatureOf(text));
}

export function paymentsSuite(name: string, make: () => Promise<LedgerStore>): void {
  describe(`events of payments over ${name}`, () => {
    let store: LedgerStore;
    let records: Records;
    beforeAll(async () => {
      store = await make();
      records = store.open();
    });
    afterAll(() => store.close());
    const ledger = (organization: number): Ledger => ledgerOf(records, organization, clock);

    it("are exact when 200 arrive for one organization while jobs are charged", async () => {
      const processes = [records, store.open(), store.open()];
      const processOf = (at: number): Records => processes[at % processes.length] as Records;
      await ledger(1).post([{ kind: "grant", key: "first", amount: 10_000, reason: "" }]);
      // 50 payments are completed; half of them are refunded, a quarter disputed; and each is told of twice.
      const events = Array.from({ length: 50 }, (_, at) => {
        const payment = paymentOf(1, String(at), 100);
        const second = at % 2 === 0 ? payment.refunded(500) : payment.completed();
        const third = at % 4 === 1 ? payment.dispute("closed", "lost") : payment.completed();
        return [payment.completed(), second, third, payment.completed()];
      }).flat();
      expect(events).toHaveLength(200);
      const charge = async (at: number): Promise<void> => {
        const own = ledgerOf(processOf(at), 1, clock);
        const place = { guid: GUID, run: at + 1 };
        await own.post([{ kind: "hold", id: `h${at}`, amount: 40, ...place }]);
        await own.post([
          { kind: "capture", hold: `h${at}`, key: `h${at}`, amount: 15, reason: "", ...place },
          { kind: "release", hold: `h${at}`, reason: "" },
        ]);
      };
      await Promise.all([
        ...events.map((event, at) => deliver(processOf(at), event)),
        ...Array.from({ length: 40 }, (_, at) => charge(at)),
      ]);
      const { account, drift } = await ledger(1).reconcile();
      expect(drift).toEqual([]);
      const lost = Array.from({ length: 50 }, (_, at) => at).filter((at) => at % 4 === 1).length;
      expect(account).toMatchObject({ balance: 10_000 + 50 * 100 - 25 * 50 - lost * 100 - 40 * 15, held: 0 });
    });

    it("are credited once when their work fails first, or its answer is lost", async () => {
      let fault: "before" | "after" | undefined;
      const failing: Records = {
        get: (key) => records.get(key),
        put: (...given) => records.put(...given),
        delete: (...given) => records.delete(...given),
        add: (...given) => records.add(...given),
        query: (query) => records.query(query),
        async transact(...given) {
          if (fault === "before") throw new ServiceUnavailable("The store is away");
          await records.transact(...given);
          if (fault === "after") throw new ServiceUnavailable("The answer is lost");
        },
      };
      const payment = paymentOf(2, "a", 100);
      for (const [kind, left] of [["before", 0] as const, ["after", 100] as const]) {
        fault = kind;
        await expect(deliver(failing, payment.completed())).rejects.toBeInstanceOf(ServiceUnavailable);
        expect((await ledger(2).account()).balance).toBe(left);
      }
      fault = undefined;
      for (let time = 0; time < 3; time += 1) await deliver(failing, payment.completed());
      expect(await ledger(2).account()).toMatchObject({ balance: 100, entries: 1 });
    });

    it("of an unknown payment are kept until the payment is told", async () => {
      const payment = paymentOf(3, "a", 100);
      await deliver(records, payment.dispute("created", "needs_response"));
      await deliver(records, payment.refunded(250));
      expect(await ledger(3).account()).toMatchObject({ balance: 0, entries: 0 });
      await deliver(records, payment.completed());
      expect(await ledger(3).account()).toMatchObject({ balance: 0 });
      await deliver(records, payment.dispute("closed", "won"));
      expect(await ledger(3).account()).toMatchObject({ balance: 75 });
    });
  });
}
