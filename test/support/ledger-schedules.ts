/** Random schedules of a ledger's commands, with crashes, retries and replays, and what must hold after them. */
import { expect } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { ConditionFailed } from "../../functions/ports/errors.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { LedgerCommand } from "../../functions/service/billing/apply-command.ts";
import type { Entry } from "../../functions/service/billing/entry.ts";
import type { Ledger } from "../../functions/service/billing/ledger.ts";
import { LedgerRefusal } from "../../functions/service/billing/refusal.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { withMethods } from "./changed.ts";

export type RandomBelow = (below: number) => number;

/** @returns whole numbers below a bound, the same for the same seed */
export function randomFrom(seed: number): RandomBelow {
  let state = (seed * 0x9e3779b1) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x3c6ef372) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

/** A random list of commands over few names, so that they repeat, collide and exceed each other. */
export function randomSchedule(random: RandomBelow, length: number): LedgerCommand[] {
  const name = (kinds: number): string => String.fromCharCode(97 + random(kinds));
  const about = { guid: GUID, run: 1, reason: "a schedule" };
  const make: (() => LedgerCommand)[] = [
    () => ({ kind: "grant", key: name(6), amount: 1 + random(400), reason: "a pack" }),
    () => ({ kind: "grant", key: name(3), amount: 100, reason: "a pack" }),
    () => ({ kind: "hold", id: name(8), amount: 1 + random(150), guid: GUID, run: 1 }),
    () => ({ kind: "hold", id: name(8), amount: 1 + random(150), guid: GUID, run: 1 }),
    () => ({ kind: "capture", hold: name(8), key: `${name(8)}${random(3)}`, amount: 1 + random(60), ...about }),
    () => ({ kind: "capture", hold: name(8), key: `${name(8)}${random(3)}`, amount: 1 + random(60), ...about }),
    () => ({ kind: "release", hold: name(8), reason: "the end" }),
    () => ({ kind: "debit", key: name(8), amount: 1 + random(40), ...about }),
    () => ({ kind: "debit", key: `r${name(4)}`, amount: 1 + random(40), ...about, recorded: true }),
    () => ({ kind: "refund", key: name(5), grant: name(6), amount: 1 + random(200), reason: "money back" }),
    () => ({ kind: "adjustment", key: name(5), amount: 50 - random(100) || 1, reason: "by hand" }),
    () => ({ kind: "adjustment", key: `d${name(3)}`, amount: -1 - random(90), reason: "a dispute", dispute: true }),
  ];
  return Array.from({ length }, () => (make[random(make.length)] as () => LedgerCommand)());
}

/** A crash of the process that writes: before the write, or before its answer. */
export class Crash extends Error {}

/** Records whose transactions crash now and then; each handle is a process of its own. */
export function crashing(records: Records, random: RandomBelow, oneIn: number): Records {
  return withMethods(records, {
    async transact(operations, options) {
      const [before, after] = [random(oneIn) === 0, random(oneIn) === 0];
      if (before) throw new Crash("before the write");
      await records.transact(operations, options);
      if (after) throw new Crash("before the answer");
    },
  });
}

/** What a command came to. */
export type Outcome = "done" | LedgerRefusal["code"];

/** Sends a command until it is answered, as a caller that repeats it after each crash. @param open a new process */
export async function sendUntilAnswered(open: () => Ledger, command: LedgerCommand): Promise<Outcome> {
  for (;;) {
    try {
      await open().post([command]);
      return "done";
    } catch (error) {
      if (error instanceof LedgerRefusal) return error.code;
      if (!(error instanceof Crash)) throw error;
    }
  }
}

export async function allEntries(ledger: Ledger): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await ledger.entries({ ascending: true, limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    entries.push(...page.entries);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return entries;
}

const keyOf = (command: LedgerCommand): string =>
  command.kind === "hold" ? `hold/${command.id}` : "key" in command ? `${command.kind}/${command.key}` : command.kind;

/**
 * The overdraft rule (docs/decisions/overdraft.md): only a refund or a dispute takes what is available below 0, and a
 * balance is below 0 only while one has done so.
 */
export function expectOverdraftRule(entries: readonly Entry[]): void {
  let available = 0;
  let isOverdrawn = false;
  for (const { amount, held, balance, seq, overdraws } of entries) {
    available += amount - held;
    if (available >= 0) isOverdrawn = false;
    else if (amount < held) {
      expect(overdraws, `entry ${seq} of an overdraft`).toBe(true);
      isOverdrawn = true;
    }
    if (balance < 0) expect(isOverdrawn, `the balance after entry ${seq}`).toBe(true);
  }
}

/**
 * Checks what holds after every schedule: the balance is the sum of the entries, no key has two entries, everything
 * acknowledged has its entry and nothing refused has, the overdraft rule holds, and the reconciliation finds no drift.
 */
export async function expectConserved(
  ledger: Ledger,
  answered: readonly { command: LedgerCommand; outcome: Outcome }[],
): Promise<void> {
  const entries = await allEntries(ledger);
  const { account, drift } = await ledger.reconcile();
  expect(drift).toEqual([]);
  expect(account.balance).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
  expect(account.held).toBe(entries.reduce((sum, { held }) => sum + held, 0));
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  expect(account.held).toBeGreaterThanOrEqual(0);
  expectOverdraftRule(entries);
  const keyed = answered.filter(({ command }) => command.kind !== "release");
  const done = new Set(keyed.filter(({ outcome }) => outcome === "done").map(({ command }) => keyOf(command)));
  const made = entries.filter(({ kind }) => kind !== "release").map(({ key }) => key);
  expect(new Set(made)).toEqual(done);
}

/** Runs a random schedule in waves of concurrent commands, with crashes and replays. */
export async function runSchedule(records: Records, organization: number, seed: number, length = 24): Promise<void> {
  const random = randomFrom(seed);
  const clock = { now: () => Date.UTC(2026, 10, 23) + seed, sleep: async () => undefined, guid: systemClock().guid };
  const open = () => ledgerOf(crashing(records, random, 8), organization, clock);
  const schedule = randomSchedule(random, length);
  const answered: { command: LedgerCommand; outcome: Outcome }[] = [];
  for (let at = 0; at < schedule.length; ) {
    const wave = schedule.slice(at, at + 1 + random(4));
    at += wave.length;
    const replayed = random(4) === 0 ? schedule.slice(0, random(at)) : [];
    const sent = [...wave, ...replayed];
    const outcomes = await Promise.all(sent.map((command) => sendUntilAnswered(open, command)));
    answered.push(...sent.map((command, index) => ({ command, outcome: outcomes[index] ?? "done" })));
  }
  await expectConserved(ledgerOf(records, organization, clock), answered);
}

/** True for an error of a caller that gave way to another. */
export const isRace = (error: unknown): boolean => error instanceof ConditionFailed;
