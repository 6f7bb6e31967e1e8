/**
 * What is known of one payment, and the tokens that follow from it. Events only add to what is known, and the tokens
 * are computed from all of it: so events may come twice, late and in any order.
 */
import type { DisputeState, PaymentEvent } from "../../ports/payments.ts";
import type { RecordValue } from "../../ports/records.ts";
import type { LedgerCommand } from "../billing/apply-command.ts";

/** What was bought by a payment. */
export interface Purchase {
  session: string;
  tokens: number;
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
}

interface Dispute {
  amount: number;
  currency: string;
  state: DisputeState;
}

export interface PaymentRecord extends RecordValue {
  v: 1;
  /** Known with the purchase. */
  organizationId?: number;
  purchase?: Purchase;
  /** Most that is known to be returned, and the whole of it, in the currency's smallest unit. */
  refund?: { refunded: number; amount: number };
  disputes: Record<string, Dispute>;
  /** Tokens that the ledger has taken back. */
  taken: { refunds: number; disputes: number };
  /** Number of adjustments so far; part of their keys. */
  adjustments: number;
}

export const NEW_PAYMENT: PaymentRecord = {
  v: 1,
  disputes: {},
  taken: { refunds: 0, disputes: 0 },
  adjustments: 0,
};

type KnownEvent = Exclude<PaymentEvent, { kind: "ignored" }>;

/** Adds an event to what is known. @returns the same record when it says nothing new */
export function learn(record: PaymentRecord, event: KnownEvent): PaymentRecord {
  switch (event.kind) {
    case "paid": {
      if (record.purchase !== undefined) return record;
      const { session, tokens, amount, currency, organizationId } = event;
      return { ...record, organizationId, purchase: { session, tokens, amount, currency } };
    }
    case "refunded": {
      const { refunded, amount } = event;
      if (refunded <= (record.refund?.refunded ?? 0)) return record;
      return { ...record, refund: { refunded, amount } };
    }
    case "disputed": {
      const { dispute, amount, currency, state } = event;
      const known = record.disputes[dispute];
      // An end is final, also where the beginning is told after it.
      if (known !== undefined && (known.state !== "open" || state === "open")) return record;
      return { ...record, disputes: { ...record.disputes, [dispute]: { amount, currency, state } } };
    }
  }
}

/** The tokens of a part of an amount, rounded down; all of them for the whole. */
function shareOf(tokens: number, part: number, whole: number): number {
  if (part >= whole) return tokens;
  return Number((BigInt(tokens) * BigInt(part)) / BigInt(whole));
}

/** Tokens that refunds and disputes take back of a purchase: together never more than it has. */
function toTake({ purchase, refund, disputes }: PaymentRecord): PaymentRecord["taken"] {
  if (purchase === undefined) return { refunds: 0, disputes: 0 };
  const { tokens, amount, currency } = purchase;
  const refunds = refund === undefined ? 0 : shareOf(tokens, refund.refunded, refund.amount);
  const withheld = Object.values(disputes).filter(({ state }) => state !== "returned");
  const disputed = withheld.reduce(
    // A dispute in another currency cannot be compared, and counts as one of the whole.
    (sum, dispute) => sum + (dispute.currency === currency ? shareOf(tokens, dispute.amount, amount) : tokens),
    0,
  );
  return { refunds, disputes: Math.min(disputed, tokens - refunds) };
}

/**
 * The commands that bring the ledger to what is known, and the record once they are carried out.
 * @param payment names the payment
 */
export function settle(payment: string, record: PaymentRecord): { record: PaymentRecord; commands: LedgerCommand[] } {
  const { purchase, taken } = record;
  if (purchase === undefined) return { record, commands: [] };
  const grant = `stripe/${purchase.session}`;
  const commands: LedgerCommand[] = [{ kind: "grant", key: grant, amount: purchase.tokens, reason: "Tokens bought" }];
  const next = toTake(record);
  const refunds = next.refunds - taken.refunds;
  const disputes = next.disputes - taken.disputes;
  if (refunds > 0) {
    const key = `stripe/${payment}/${record.refund?.refunded}`;
    commands.push({ kind: "refund", key, grant, amount: refunds, reason: "Payment refunded" });
  }
  if (disputes !== 0) {
    const key = `stripe/${payment}/${record.adjustments + 1}`;
    const reason = disputes > 0 ? "Payment disputed" : "Disputed payment settled";
    commands.push({ kind: "adjustment", key, amount: -disputes, reason, dispute: true });
  }
  const adjustments = record.adjustments + (disputes === 0 ? 0 : 1);
  return { record: { ...record, taken: next, adjustments }, commands };
}
