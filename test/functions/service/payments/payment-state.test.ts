/** What follows from a payment's events, in every order and number. */
import { describe, expect, it } from "vitest";
import type { PaymentEvent } from "../../../../functions/ports/payments.ts";
import type { LedgerCommand } from "../../../../functions/service/billing/apply-command.ts";
import { learn, NEW_PAYMENT, settle } from "../../../../functions/service/payments/payment-state.ts";
import { randomFrom } from "../../../support/ledger-schedules.ts";

type KnownEvent = Exclude<PaymentEvent, { kind: "ignored" }>;

const PAID = {
  kind: "paid",
  payment: "pi_1",
  session: "cs_1",
  organizationId: 1,
  tokens: 1_000_000_000,
  amount: 99_999,
  currency: "eur",
} as const;
const disputed = (dispute: string, state: "open" | "lost" | "returned", amount: number = PAID.amount): KnownEvent => ({
  kind: "disputed",
  payment: "pi_1",
  dispute,
  amount,
  currency: "eur",
  state,
});
const refunded = (amount: number): KnownEvent => ({
  kind: "refunded",
  payment: "pi_1",
  refunded: amount,
  amount: PAID.amount,
});

/** Tokens left by events; each key counts once, as in the ledger. */
function leftBy(events: readonly KnownEvent[]): number {
  let record = NEW_PAYMENT;
  const amounts = new Map<string, number>();
  for (const event of events) {
    const next = settle("pi_1", learn(record, event));
    for (const command of next.commands) amounts.set(keyOf(command), signedOf(command));
    record = next.record;
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}

const keyOf = (command: LedgerCommand): string => `${command.kind} ${"key" in command ? command.key : ""}`;
function signedOf(command: LedgerCommand): number {
  if (!("amount" in command)) throw new Error(`${command.kind} is no command of a payment`);
  return command.kind === "refund" ? -command.amount : command.amount;
}

describe("the tokens of a payment", () => {
  it.each<[string, KnownEvent[], number]>([
    ["nothing but a refund", [refunded(1)], 0],
    ["the payment", [PAID], PAID.tokens],
    ["a refund of a third, rounded down", [PAID, refunded(33_333)], PAID.tokens - 333_333_333],
    ["refunds up to the whole", [PAID, refunded(1), refunded(50_000), refunded(99_999)], 0],
    ["a refund and a dispute of the whole", [PAID, refunded(50_000), disputed("a", "open")], 0],
    [
      "two disputes, of which one is won",
      [PAID, disputed("a", "lost", 33_333), disputed("b", "returned")],
      PAID.tokens - 333_333_333,
    ],
    [
      "a dispute that is told to begin after its end",
      [PAID, disputed("a", "returned"), disputed("a", "open")],
      PAID.tokens,
    ],
    ["a dispute in another currency", [PAID, { ...disputed("a", "lost", 1), currency: "usd" } as KnownEvent], 0],
  ])("after %s are right", (_what, events, left) => {
    expect(leftBy(events)).toBe(left);
  });

  it("are the same for 500 random histories in any order, with repetitions", () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const random = randomFrom(seed);
      const events: KnownEvent[] = [
        PAID,
        ...Array.from({ length: random(4) }, () => refunded(1 + random(PAID.amount))),
        ...["a", "b"].slice(random(3)).flatMap((name) => {
          const amount = 1 + random(PAID.amount);
          const end = random(2) === 0 ? "lost" : "returned";
          return [disputed(name, "open", amount), disputed(name, end, amount)].slice(0, 1 + random(2));
        }),
      ];
      const left = leftBy(events);
      expect(left).toBeGreaterThanOrEqual(0);
      for (let round = 0; round < 5; round += 1) {
        const shuffled = [...events, ...events]
          .map((event) => ({ event, at: random(1_000_000) }))
          .sort((one, other) => one.at - other.at)
          .map(({ event }) => event);
        expect(leftBy(shuffled), `seed ${seed}`).toBe(left);
      }
    }
  });
});
