/**
 * Machines of pipelines that nobody has used for a month go. Whoever uses one later makes it again (machines.ts), also
 * at the very moment of its removal: a use that is noted meanwhile stays on record. The built-in machines are never
 * noted as used, so they are never looked at here.
 */
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import type { RecordValue, StoredRecord } from "../../ports/records.ts";
import { MACHINE_USES, type MachineUse, machineUseKey } from "../organizations/machine-uses.ts";
import type { Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { executionName } from "../runs/job-records.ts";
import { dueWork } from "./sweep.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
/** Uses are noted to the day. */
const PAUSE_MS = DAY_MS;
/** Machines of one sweep's part; each is a call of the workflow service. */
const MOST_MACHINES = 200;

const PASS = { partition: "sys/machine-uses-pass", sort: "pass" };

interface PassRecord extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  nextAt: number;
}

/**
 * Removes machines that have not been used for 30 days and that no open run is on, once a day.
 * @returns how many went
 */
export async function sweepMachines(platform: Platform, system: SystemRecords, most = MOST_MACHINES): Promise<number> {
  const now = platform.engines.clock.now();
  const pass = (await system.get<PassRecord>(PASS))?.value;
  if (pass !== undefined && now < pass.nextAt) return 0;
  const unused = await usedBefore(system, now - KEPT_MS);
  const busy = unused.length === 0 ? new Set() : await machinesAtWork(platform, system, now - KEPT_MS);
  const idle = unused.filter(({ key }) => !busy.has(key.sort));
  let removed = 0;
  for (const use of idle.slice(0, most)) {
    try {
      if (await remove(platform, system, use)) removed += 1;
    } catch (error) {
      platform.observer.log("error", "machine not removed", { machine: use.key.sort, ...describeError(error) });
      // The store or the workflow service is not there: the next sweep goes on.
      if (error instanceof AppError && error.retryable) return removed;
    }
  }
  if (idle.length <= most) await system.put(PASS, { v: 1, nextAt: now + PAUSE_MS });
  return removed;
}

async function usedBefore(system: SystemRecords, limit: number): Promise<StoredRecord<MachineUse>[]> {
  const found: StoredRecord<MachineUse>[] = [];
  let cursor: string | undefined;
  do {
    const query = { partition: MACHINE_USES, limit: 1000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await system.query<MachineUse>(query);
    found.push(...page.items.filter(({ value }) => value.usedAt < limit));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/**
 * Of runs that were opened before then, and are open: the machines that they are on, and that their documents will be
 * on.
 */
async function machinesAtWork(platform: Platform, system: SystemRecords, limit: number): Promise<Set<unknown>> {
  const machines = new Set<unknown>();
  for await (const { value } of dueWork(system)) {
    if (value.kind !== "run" || (value.mode !== "PIPELINE" && value.mode !== "BATCH")) continue;
    // Its use was noted when it was started: at most a day before, and never before it was opened.
    if (Date.parse(value.createdAt) >= limit + DAY_MS) continue;
    const execution = await platform.workflows.describe(executionName(value.guid, value.run));
    if (execution === undefined) continue;
    const { documentMachine } = (execution.input ?? {}) as { documentMachine?: unknown };
    machines.add(execution.machine).add(documentMachine);
  }
  return machines;
}

/** @returns false when somebody used it, or removed it, since it was looked at */
async function remove(
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
