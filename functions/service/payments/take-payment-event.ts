/**
 * Takes events of payments. What is known of a payment is one record, which is written in the transaction of the
 * ledger's entries: an event whose work fails leaves nothing, and is told again by the provider.
 */
import { isDeepStrictEqual } from "node:util";
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
import type { FindPayments, PaymentEvent } from "../../ports/payments.ts";
import type { Records, WriteCondition } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { paymentKey, systemRecords } from "../organizations/organization-records.ts";
import { CUSTOMER_KEY } from "./customer.ts";
import { notConfigured } from "./not-configured.ts";
import { learn, NEW_PAYMENT, type PaymentRecord, settle } from "./payment-state.ts";

export interface PaymentEvents {
  findPayments: FindPayments;
  records: Records;
  organization(id: number): Pick<Organization, "ledger">;
  clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  log(level: "info" | "warn", message: string, facts: Record<string, string>): void;
}

/** Tries to write an event while others of the same payment come first. */
const MAX_TRIES = 30;
/** Milliseconds of a pause after a lost race, for each try before it. */
const PAUSE_MS = 5;
/**
 * Days that an event of an unknown payment is kept, for a payment that is told later: Stripe repeats an event for 3
 * days, and some payments take two weeks.
 */
const UNKNOWN_PAYMENT_DAYS = 30;

type KnownEvent = Exclude<PaymentEvent, { kind: "ignored" }>;

/** One try. @returns the organization whose ledger it changed @throws ConditionFailed when another event of the payment came first */
async function write({ records, organization, clock }: PaymentEvents, event: KnownEvent): Promise<number | undefined> {
  const { payment } = event;
  const system = systemRecords(records);
  const stored = await system.get<PaymentRecord>(paymentKey(payment));
  const before = stored?.value ?? NEW_PAYMENT;
  const { record, commands } = settle(payment, learn(before, event));
  if (isDeepStrictEqual(record, before)) return undefined;
  const condition: WriteCondition = stored === undefined ? { ifAbsent: true } : { ifVersion: stored.version };
  const { organizationId } = record;
  if (organizationId === undefined) {
    const expiresAt = Math.floor(clock.now() / 1000) + UNKNOWN_PAYMENT_DAYS * 24 * 3600;
    await system.put(paymentKey(payment), record, { expiresAt, condition });
    return undefined;
  }
  const customer = event.kind === "paid" ? event.customer : undefined;
  await organization(organizationId).ledger.post(commands, [
    { kind: "payment-put", id: payment, value: record, condition },
    ...(customer === undefined ? [] : [{ kind: "put" as const, key: CUSTOMER_KEY, value: { v: 1, customer } }]),
  ]);
  return organizationId;
}

/**
 * Verifies an event and carries it out; repeating it changes nothing.
 * @returns the organization whose ledger it changed, if any
 * @throws BadRequest for an event that is not the provider's; ServiceUnavailable when payments are not configured, or
 * the ledger is busy
 */
export async function takePaymentEvent(
  events: PaymentEvents,
  body: Uint8Array,
  signature: string | undefined,
): Promise<number | undefined> {
  const payments = await events.findPayments();
  if (payments === null) throw notConfigured();
  const event = await payments.event(body, signature);
  if (event.kind === "ignored") {
    const { type, reason } = event;
    events.log(reason === undefined ? "info" : "warn", "payment event ignored", { type, reason: reason ?? "" });
    return undefined;
  }
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    try {
      return await write(events, event);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await events.clock.sleep(attempt * PAUSE_MS);
    }
  }
  throw new ServiceUnavailable("Other events of the same payment come first; send this one again", { retryAfter: 5 });
}
