/**
 * Records which machine each execution name runs on. The port knows executions by name alone; a name in Step Functions
 * is
 * unique only within its machine, and its ARN holds both. So a record is written before the start, and describe, stop
 * and
 * later starts of that name read it. It also decides which of several callers started it. State machines write no
 * records,
 * so the caller that gives them a name reserves it.
 */

import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
import type { RecordKey, Records, RecordValue } from "../../ports/records.ts";
import type { Workflows } from "../../ports/workflows.ts";
import { checkName } from "../workflows-limits.ts";

/** An execution may run for a year, and Step Functions keeps it for 90 days more. */
const CLAIM_LIFETIME_SECONDS = (366 + 90) * 86_400;
const MAX_ATTEMPTS = 5;

interface ClaimRecord extends RecordValue {
  machine: string;
  /** A caller was told that it started the execution. */
  started?: true;
  /** A machine may start it, without telling anyone here. */
  reserved?: true;
}

export interface Claim {
  name: string;
  machine: string;
  started: boolean;
  reserved: boolean;
  version: number;
}

export interface Claims {
  find(name: string): Promise<Claim | undefined>;
  /** The name's claim: a new one on `machine`, or the existing one. */
  claim(name: string, machine: string): Promise<Claim>;
  /** The claim of a name that a machine is to start. */
  reserve(name: string, machine: string): Promise<Claim>;
  /** Moves a claim to another machine, unless it was changed meanwhile. @returns the current claim */
  move(claim: Claim, machine: string): Promise<Claim>;
  /** @returns true for the first caller only */
  markStarted(claim: Claim): Promise<boolean>;
}

/** One partition per name: a single one would be the busiest of the table. */
const keyOf = (name: string): RecordKey => ({ partition: `sys/executions/${name}`, sort: "machine" });

export function openClaims(records: Records, clock: Pick<Clock, "now">): Claims {
  /** @returns the new version, or undefined when the condition failed */
  async function write(
    name: string,
    value: ClaimRecord,
    condition: { ifAbsent: true } | { ifVersion: number },
  ): Promise<number | undefined> {
    const expiresAt = Math.floor(clock.now() / 1000) + CLAIM_LIFETIME_SECONDS;
    try {
      return (await records.put(keyOf(name), value, { expiresAt, condition })).version;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  async function find(name: string): Promise<Claim | undefined> {
    const record = await records.get<ClaimRecord>(keyOf(name));
    if (record === undefined) return undefined;
    const { machine, started = false, reserved = false } = record.value;
    return { name, machine, started, reserved, version: record.version };
  }

  async function claimAs(name: string, machine: string, reserved: boolean): Promise<Claim> {
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const value: ClaimRecord = { v: 1, machine, ...(reserved ? { reserved } : {}) };
      const version = await write(name, value, { ifAbsent: true });
      if (version !== undefined) return { name, machine, started: false, reserved, version };
      const found = await find(name);
      if (found !== undefined) return found;
    }
    throw new ServiceUnavailable("The execution's record changes too fast; try again");
  }

  const claim: Claims["claim"] = (name, machine) => claimAs(name, machine, false);

  return {
    find,
    claim,
    reserve: (name, machine) => claimAs(name, machine, true),
    async move({ name, version }, machine) {
      const moved = await write(name, { v: 1, machine }, { ifVersion: version });
      if (moved === undefined) return claim(name, machine);
      return { name, machine, started: false, reserved: false, version: moved };
    },
    async markStarted({ name, machine, version }) {
      return (await write(name, { v: 1, machine, started: true }, { ifVersion: version })) !== undefined;
    },
  };
}

/** For functions that start nothing themselves and only name the executions of a machine. */
export function openReservations(records: Records, clock: Pick<Clock, "now">): Pick<Workflows, "reserve"> {
  const claims = openClaims(records, clock);
  return {
    async reserve(machine, name) {
      checkName(name);
      return (await claims.reserve(name, machine)).machine;
    },
  };
}
