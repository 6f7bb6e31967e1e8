/** The ledger's commands, without a store. */
import { describe, expect, it } from "vitest";
import { applyCommand, type LedgerCommand } from "../../../../functions/service/billing/apply-command.ts";
import { MAX_BALANCE_TOKENS, MAX_ENTRY_TOKENS } from "../../../../functions/service/billing/entry.ts";
import { availableOf, EMPTY_ACCOUNT, LedgerDraft } from "../../../../functions/service/billing/ledger-state.ts";
import { Reconciliation } from "../../../../functions/service/billing/reconcile-ledger.ts";
import { LedgerRefusal } from "../../../../functions/service/billing/refusal.ts";
import { expectOverdraftRule } from "../../../support/ledger-schedules.ts";

const NOW = "2026-11-23T16:00:00.000Z";
const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

/** A ledger with a grant of 100 tokens, and what commands make of it. */
function ledger(...commands: LedgerCommand[]): LedgerDraft {
  const nothing = { account: EMPTY_ACCOUNT, usedKey: () => undefined, hold: () => undefined, grant: () => undefined };
  const draft = new LedgerDraft(nothing, NOW);
  for (const command of [topUp("first", 100), ...commands]) applyCommand(draft, command);
  return draft;
}

const topUp = (key: string, amount: number): LedgerCommand => ({ kind: "grant", key, amount, reason: "a pack" });
const holdOf = (id: string, amount: number): LedgerCommand => ({ kind: "hold", id, amount, guid: GUID, run: 1 });
const captureOf = (hold: string, amount: number, key = hold): LedgerCommand => ({
  kind: "capture",
  hold,
  key,
  amount,
  guid: GUID,
  run: 1,
  reason: "work",
});
const releaseOf = (hold: string): LedgerCommand => ({ kind: "release", hold, reason: "the end" });
const refundOf = (key: string, amount: number, grant = "first"): LedgerCommand => ({
  kind: "refund",
  key,
  grant,
  amount,
  reason: "money back",
});
const debitOf = (key: string, amount: number): LedgerCommand => ({
  kind: "debit",
  key,
  amount,
  guid: GUID,
  run: 1,
  reason: "work",
});

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof LedgerRefusal) return error.code;
    throw error;
  }
  return "accepted";
};

const kinds = ({ entries }: LedgerDraft): string[] =>
  entries.map(({ kind, amount, held }) => `${kind} ${amount} ${held}`);

describe("a hold", () => {
  it("takes what is available of its amount", () => {
    const draft = ledger(holdOf("a", 70), holdOf("b", 70));
    expect(kinds(draft)).toEqual(["grant 100 0", "hold 0 70", "hold 0 30"]);
    expect(draft.account).toMatchObject({ balance: 100, held: 100 });
    expect(codeOf(() => applyCommand(draft, holdOf("c", 1)))).toBe("insufficient");
  });

  it("is captured in parts, and its rest is released once", () => {
    const draft = ledger(
      holdOf("a", 70),
      captureOf("a", 20, "1"),
      captureOf("a", 30, "2"),
      releaseOf("a"),
      releaseOf("a"),
    );
    expect(kinds(draft)).toEqual(["grant 100 0", "hold 0 70", "capture -20 -20", "capture -30 -30", "release 0 -20"]);
    expect(draft.account).toMatchObject({ balance: 50, held: 0 });
  });

  it("is not captured beyond its amount", () => {
    const draft = ledger(holdOf("a", 70), captureOf("a", 50, "1"));
    expect(codeOf(() => applyCommand(draft, captureOf("a", 21, "2")))).toBe("exceeds_hold");
    applyCommand(draft, captureOf("a", 20, "2"));
    expect(draft.account.held).toBe(0);
  });

  it("pays a charge that may be larger as far as it goes, once", () => {
    const charge = { ...captureOf("a", 90), most: true } as LedgerCommand;
    const draft = ledger(holdOf("a", 70), charge, charge);
    expect(kinds(draft)).toEqual(["grant 100 0", "hold 0 70", "capture -70 -70"]);
  });

  it("is not captured once it is released", () => {
    const draft = ledger(holdOf("a", 70), releaseOf("a"));
    expect(codeOf(() => applyCommand(draft, captureOf("a", 1)))).toBe("hold_closed");
    expect(codeOf(() => applyCommand(draft, captureOf("unknown", 1)))).toBe("unknown_hold");
  });
});

describe("failures known from other ledgers", () => {
  it("a top-up sent twice is one grant", () => {
    const draft = ledger(topUp("pi_1", 500), topUp("pi_1", 500));
    expect(draft.account.balance).toBe(600);
    expect(codeOf(() => applyCommand(draft, topUp("pi_1", 501)))).toBe("key_reused");
  });

  it("a job that is settled twice is charged once", () => {
    const settlement = [captureOf("a", 40), releaseOf("a")];
    const draft = ledger(holdOf("a", 70), ...settlement, ...settlement);
    expect(draft.account).toMatchObject({ balance: 60, held: 0, entries: 4 });
  });

  it("two holds at once do not take the same tokens", () => {
    const draft = ledger(holdOf("a", 100));
    expect(codeOf(() => applyCommand(draft, holdOf("b", 100)))).toBe("insufficient");
    applyCommand(draft, captureOf("a", 100));
    expect(draft.account.balance).toBe(0);
  });

  it("a refund is not larger than its grant", () => {
    const draft = ledger(refundOf("r1", 60));
    expect(codeOf(() => applyCommand(draft, refundOf("r2", 41)))).toBe("exceeds_grant");
    applyCommand(draft, refundOf("r2", 40));
    expect(codeOf(() => applyCommand(draft, refundOf("r3", 1)))).toBe("exceeds_grant");
    expect(codeOf(() => applyCommand(draft, refundOf("r4", 1, "unknown")))).toBe("unknown_grant");
    expect(draft.account.balance).toBe(0);
  });

  it("only refunds and disputes take a balance below 0", () => {
    const draft = ledger(holdOf("a", 80), captureOf("a", 80), releaseOf("a"));
    expect(codeOf(() => applyCommand(draft, debitOf("d", 21)))).toBe("overdraft");
    const taken: LedgerCommand = { kind: "adjustment", key: "x", amount: -21, reason: "a mistake" };
    expect(codeOf(() => applyCommand(draft, taken))).toBe("overdraft");
    applyCommand(draft, refundOf("r", 100));
    applyCommand(draft, { ...taken, dispute: true });
    expect(draft.account.balance).toBe(-101);
    expect(availableOf(draft.account)).toBe(-101);
  });
});

describe("the overdraft rule", () => {
  it("lets a hold of before a refund be captured: the refund has taken what is available below 0", () => {
    const draft = ledger(holdOf("a", 80), refundOf("r", 100));
    expect([draft.account.balance, availableOf(draft.account)]).toEqual([0, -80]);
    applyCommand(draft, captureOf("a", 50));
    expect([draft.account.balance, availableOf(draft.account)]).toEqual([-50, -80]);
    applyCommand(draft, releaseOf("a"));
    expect([draft.account.balance, availableOf(draft.account)]).toEqual([-50, -50]);
    expect(codeOf(() => applyCommand(draft, holdOf("b", 1)))).toBe("insufficient");
    expect(codeOf(() => applyCommand(draft, debitOf("d", 1)))).toBe("overdraft");
    expectOverdraftRule(draft.entries);
  });

  it("is broken by an entry that takes more than is available, and by a debt without a refund", () => {
    const [grant, hold] = ledger(holdOf("a", 80)).entries;
    if (grant === undefined || hold === undefined) throw new Error("Two entries were made");
    const debit = { ...grant, seq: 3, kind: "debit" as const, amount: -21, balance: 79, key: "debit/d" };
    expect(() => expectOverdraftRule([grant, hold, debit])).toThrow("entry 3 of an overdraft");
    const drifted = { ...debit, amount: -20, balance: -1 };
    expect(() => expectOverdraftRule([grant, hold, drifted])).toThrow("the balance after entry 3");
  });
});

describe("an amount", () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_ENTRY_TOKENS + 1])("of %s is refused", (amount) => {
    for (const command of [topUp("x", amount), holdOf("x", amount), debitOf("x", amount), refundOf("x", amount)])
      expect(codeOf(() => ledger(command))).toBe("invalid_amount");
  });

  it("is refused beyond the largest balance", () => {
    const account = { ...EMPTY_ACCOUNT, balance: MAX_BALANCE_TOKENS };
    const full = { account, usedKey: () => undefined, hold: () => undefined, grant: () => undefined };
    expect(codeOf(() => applyCommand(new LedgerDraft(full, NOW), topUp("x", 1)))).toBe("balance_limit");
  });
});

describe("a recorded debit", () => {
  it("leaves the balance alone and notes the tokens", () => {
    const draft = ledger({ ...debitOf("d", 1_000), recorded: true } as LedgerCommand);
    expect(draft.entries.at(-1)).toMatchObject({ kind: "debit", amount: 0, tokens: 1_000, balance: 100 });
  });
});

describe("a reconciliation", () => {
  const stored = (draft: LedgerDraft) => ({
    account: draft.account,
    holds: [...draft.holds.values()],
    grants: [...draft.grants.values()],
    days: new Map([["2026-11-23", draft.entries.reduce((sum, { tokens }) => sum + tokens, 0)]]),
  });
  const drafted = (): LedgerDraft => ledger(holdOf("a", 70), captureOf("a", 20, "1"), refundOf("r", 10));
  const reconcile = (draft: LedgerDraft, change: Partial<ReturnType<typeof stored>> = {}): string[] => {
    const reconciliation = new Reconciliation();
    for (const entry of draft.entries) reconciliation.add(entry);
    return reconciliation.compare({ ...stored(draft), ...change });
  };

  it("finds nothing in a sound ledger", () => {
    expect(reconcile(drafted())).toEqual([]);
  });

  it("names each difference", () => {
    const draft = drafted();
    const { account, holds } = stored(draft);
    expect(reconcile(draft, { account: { ...account, balance: 71 } })).toEqual([
      "the balance is stored as 71, and its entries give 70",
    ]);
    expect(reconcile(draft, { holds: holds.map((one) => ({ ...one, captured: 71 })) })).toContain(
      "hold a was captured beyond its amount",
    );
    expect(reconcile(draft, { days: new Map() })).toEqual([
      "the tokens of 2026-11-23 is stored as 0, and its entries give 20",
    ]);
    const [first, , third, last] = draft.entries;
    if (first === undefined || third === undefined || last === undefined) throw new Error("Four entries were made");
    const reconciliation = new Reconciliation();
    for (const entry of [first, { ...third, amount: -200 }, { ...last, key: first.key }]) reconciliation.add(entry);
    expect(reconciliation.drift).toEqual([
      "entry 3 follows entry 1",
      "entry 3 notes a balance of 80, not -100",
      "entry 3 releases more than is held",
      "entry 3, a capture, takes more than is available",
      "entry 4 repeats the key grant/first",
      "entry 4 notes a balance of 70, not -110",
      "entry 4 releases more than is held",
    ]);
  });
});
