/**
 * The last use of each pipeline's machine, to the day. A machine is named by the hash of its definition; organizations
 * whose pipelines have the same shape share it. The record belongs to the deployment and names no organization.
 * Partition `sys/machine-uses`: one record for each machine.
 */
import type { Clock } from "../../ports/clock.ts";
import type { RecordKey, Records, RecordValue } from "../../ports/records.ts";

export const MACHINE_USES = "sys/machine-uses";

export interface MachineUse extends RecordValue {
  v: 1;
  /** Milliseconds since 1970; a day old at the most while the machine is in use. */
  usedAt: number;
  /** Somebody has begun to remove the machine. */
  removing?: true;
}

/** What of it an organization's work may touch. */
export interface MachineUses {
  /** Notes that a machine is used now. Whoever noted it within a day writes nothing, and mostly reads nothing. */
  note(machine: string): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Machines that a process remembers to have noted; what was noted first is forgotten first. */
const KEPT = 1000;

export const machineUseKey = (machine: string): RecordKey => ({ partition: MACHINE_USES, sort: machine });

/** By the store: a process has one, a test several. */
const noted = new WeakMap<Records, Map<string, number>>();

export function machineUsesOf(records: Records, clock: Pick<Clock, "now">): MachineUses {
  const known = noted.get(records) ?? new Map<string, number>();
  noted.set(records, known);

  function remember(machine: string, usedAt: number): void {
    known.delete(machine);
    known.set(machine, usedAt);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  }

  return {
    async note(machine) {
      const now = clock.now();
      const isFresh = (usedAt: number): boolean => now - usedAt < DAY_MS;
      if (isFresh(known.get(machine) ?? Number.NEGATIVE_INFINITY)) return;
      const key = machineUseKey(machine);
      const stored = (await records.get<MachineUse>(key))?.value;
      if (stored !== undefined && stored.removing !== true && isFresh(stored.usedAt)) {
        remember(machine, stored.usedAt);
        return;
      }
      const value: MachineUse = { v: 1, usedAt: now };
      await records.put(key, value);
      remember(machine, now);
    },
  };
}
