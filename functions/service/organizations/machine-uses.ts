/**
 * The last use of each pipeline's machine, to the day. A machine is named by the hash of its definition; organizations
 * whose pipelines have the same shape share it. The record belongs to the deployment and names no organization.
 * Partition `sys/machine-uses`: one record for each machine.
 */
import type { Clock } from "../../ports/clock.ts";
import type { RecordKey, Records, RecordValue } from "../../ports/records.ts";

export const MACHINE_USES_PARTITION = "sys/machine-uses";

export interface MachineUse extends RecordValue {
  v: 1;
  /** Milliseconds since 1970; at most a day old while the machine is in use. */
  usedAt: number;
  /** The removal of the machine has begun. */
  removing?: true;
}

/** Recording of machine uses, for an organization's work. */
export interface MachineUses {
  /** Records that a machine is used now. Within a day of a record it writes nothing, and mostly reads nothing. */
  record(machine: string): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Most machines in a process's cache; the oldest is dropped first. */
const MAX_CACHED_USES = 1000;

export const machineUseKey = (machine: string): RecordKey => ({ partition: MACHINE_USES_PARTITION, sort: machine });

/** Caches by store: a process has one store, a test several. */
const cachesByStore = new WeakMap<Records, Map<string, number>>();

export function machineUsesOf(records: Records, clock: Pick<Clock, "now">): MachineUses {
  const cache = cachesByStore.get(records) ?? new Map<string, number>();
  cachesByStore.set(records, cache);

  function cacheUse(machine: string, usedAt: number): void {
    cache.delete(machine);
    cache.set(machine, usedAt);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_USES && oldest !== undefined) cache.delete(oldest);
  }

  return {
    async record(machine) {
      const now = clock.now();
      const isFresh = (usedAt: number): boolean => now - usedAt < DAY_MS;
      if (isFresh(cache.get(machine) ?? Number.NEGATIVE_INFINITY)) return;
      const key = machineUseKey(machine);
      const stored = (await records.get<MachineUse>(key))?.value;
      if (stored !== undefined && stored.removing !== true && isFresh(stored.usedAt)) {
        cacheUse(machine, stored.usedAt);
        return;
      }
      const value: MachineUse = { v: 1, usedAt: now };
      await records.put(key, value);
      cacheUse(machine, now);
    },
  };
}
