/**
 * Removal of pipelines' machines that were not used for a month. A later use makes the machine again
 * (runs/run-machines.ts), also at the moment of its removal: a use recorded meanwhile stays on record. Uses of built-in
 * machines are never recorded, so those are never removed.
 */
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { queryAll, type RecordValue, type StoredRecord } from "../../ports/records.ts";
import { MACHINE_USES_PARTITION, type MachineUse, machineUseKey } from "../organizations/machine-uses.ts";
import type { Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { executionName } from "../runs/job-records.ts";
import { dueWork } from "./sweep.ts";

const DAY_MS = 86_400_000;
const MAX_IDLE_MS = 30 * DAY_MS;
/** Uses are recorded to the day. */
const PASS_PAUSE_MS = DAY_MS;
/** Machines removed by one sweep; each takes a call of the workflow service. */
const MAX_REMOVED_MACHINES = 200;

const PASS_KEY = { partition: "sys/machine-uses-pass", sort: "pass" };

interface MachinePass extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  nextAt: number;
}

/**
 * Removes machines without open runs that have not been used for 30 days, once a day.
 * @returns the number of removed machines
 */
export async function sweepMachines(
  platform: Platform,
  system: SystemRecords,
  limit = MAX_REMOVED_MACHINES,
): Promise<number> {
  const now = platform.engines.clock.now();
  const pass = (await system.get<MachinePass>(PASS_KEY))?.value;
  if (pass !== undefined && now < pass.nextAt) return 0;
  const unused = await machinesUsedBefore(system, now - MAX_IDLE_MS);
  const busy = unused.length === 0 ? new Set() : await machinesOfOpenRuns(platform, system, now - MAX_IDLE_MS);
  const idle = unused.filter(({ key }) => !busy.has(key.sort));
  let removed = 0;
  for (const use of idle.slice(0, limit)) {
    try {
      if (await removeMachine(platform, system, use)) removed += 1;
    } catch (error) {
      platform.observer.log("error", "machine not removed", { machine: use.key.sort, ...describeError(error) });
      // The store or the workflow service is unavailable: the next sweep continues.
      if (error instanceof AppError && error.retryable) return removed;
    }
  }
  if (idle.length <= limit) await system.put(PASS_KEY, { v: 1, nextAt: now + PASS_PAUSE_MS });
  return removed;
}

async function machinesUsedBefore(system: SystemRecords, limit: number): Promise<StoredRecord<MachineUse>[]> {
  const found: StoredRecord<MachineUse>[] = [];
  for await (const use of queryAll<MachineUse>(system, { partition: MACHINE_USES_PARTITION, limit: 1000 })) {
    if (use.value.usedAt < limit) found.push(use);
  }
  return found;
}

/** Machines of open runs that were opened before the limit, and those of their documents. */
async function machinesOfOpenRuns(platform: Platform, system: SystemRecords, limit: number): Promise<Set<unknown>> {
  const machines = new Set<unknown>();
  for await (const { value } of dueWork(system)) {
    if (value.kind !== "run" || (value.mode !== "PIPELINE" && value.mode !== "BATCH")) continue;
    // A recorded use is at most a day older than the run's start, which is never before its opening.
    if (Date.parse(value.createdAt) >= limit + DAY_MS) continue;
    const execution = await platform.workflows.describe(executionName(value.guid, value.run));
    if (execution === undefined) continue;
    const { documentMachine } = (execution.input ?? {}) as { documentMachine?: unknown };
    machines.add(execution.machine).add(documentMachine);
  }
  return machines;
}

/** Removes a machine. @returns false when it was used or removed meanwhile */
async function removeMachine(
  { workflows, observer }: Platform,
  system: SystemRecords,
  { key, value, version }: StoredRecord<MachineUse>,
): Promise<boolean> {
  try {
    const begun = await system.put(key, { ...value, removing: true }, { condition: { ifVersion: version } });
    await workflows.removeMachine(key.sort);
    observer.log("info", "machine removed", { machine: key.sort });
    observer.count("machines_removed_total");
    await system.delete(machineUseKey(key.sort), { ifVersion: begun.version });
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}
