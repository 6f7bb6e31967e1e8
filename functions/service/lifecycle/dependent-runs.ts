/**
 * Runs that begin after another job's run. A waiting run is recorded beside that job and as due work. The end of that
 * run enqueues a check of them; the sweep checks all waiting runs, so that none is forgotten. Checks are safe to
 * repeat.
 */
import { ConditionFailed, Conflict } from "../../ports/errors.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  DEPENDENT_PREFIX,
  type Dependency,
  type DependencyStatus,
  type Dependent,
  dependentKey,
  type JobRecord,
  type JobStatus,
  jobKey,
  type OpenRun,
  runId,
  TERMINAL_STATUSES,
} from "../runs/job-records.ts";
import { loadJob, nowIso, updateJob } from "../runs/job-store.ts";
import { findRun, loadMachineCommand, type MachineCommand, openRun, startRun, withRun } from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { settleRun } from "./settle-run.ts";

/** Most jobs in a chain of dependencies. */
const MAX_CHAIN_LENGTH = 100;
const CIRCLE_SENTENCE = "Processing failed: The job waits for itself, through the jobs that it depends on";

/**
 * Opens a run that begins when another job's run has ended: its open run, else its newest; of a job that was never
 * processed, its first. A dependency on the job itself is satisfied at once.
 * @throws NotFound for an unknown job; Conflict when the jobs would wait for each other, or a run is open
 */
export async function openDependentRun(
  org: Organization,
  guid: string,
  command: RunCommand,
  dependsOn: string,
  idempotencyKey?: string,
): Promise<{ guid: string; run: number; status: JobStatus }> {
  const other = (await loadJob(org, dependsOn)).value;
  const dependency: Dependency = {
    guid: other.guid,
    run: other.openRun ?? Math.max(1, other.lastRun),
    status: other.guid === guid ? "SATISFIED" : "WAITING",
  };
  if (other.guid !== guid && (await dependsOnJob(org, other, guid))) {
    throw new Conflict(`Job ${dependsOn} waits for this job already; neither would ever begin`);
  }
  const opened = await openRun(org, guid, command, idempotencyKey, dependency);
  await advanceDependent(org, guid, opened.run, command);
  const job = (await loadJob(org, guid)).value;
  return { ...opened, status: findRun(job, opened.run)?.status ?? opened.status };
}

/** Finds the dependency of a job's newest run, with the other job while it exists. @throws NotFound */
export async function findDependency(
  org: Organization,
  guid: string,
): Promise<{
  guid: string;
  dependsOnGuid: string | null;
  dependencyStatus: DependencyStatus | "NONE";
  parentJob?: JobRecord;
}> {
  const job = (await loadJob(org, guid)).value;
  const dependency = findRun(job, job.lastRun)?.dependsOn;
  if (dependency === undefined) return { guid: job.guid, dependsOnGuid: null, dependencyStatus: "NONE" };
  const parent = (await org.records.get<JobRecord>(jobKey(dependency.guid)))?.value;
  return {
    guid: job.guid,
    dependsOnGuid: dependency.guid,
    dependencyStatus: dependency.status,
    ...(parent === undefined || parent.deleted ? {} : { parentJob: parent }),
  };
}

/** Checks every run that waits for a job. */
export async function advanceDependents(org: Organization, guid: string): Promise<void> {
  const waiting = queryAll<Dependent>(org.records, { partition: `job/${guid}`, prefix: DEPENDENT_PREFIX });
  for await (const { key, value } of waiting) {
    const due = await org.records.due(runId(value.guid, value.run));
    // The run was deleted with its job.
    if (due === undefined) await org.records.delete(key);
    else await advanceDependent(org, value.guid, value.run);
  }
}

/**
 * Starts or fails a waiting run, once its dependency has ended.
 * @param command the run's, where the caller has it @returns true when the run no longer waits
 */
export async function advanceDependent(
  org: Organization,
  guid: string,
  run: number,
  command?: RunCommand,
): Promise<boolean> {
  const due = (await org.records.due(runId(guid, run)))?.value as OpenRun | undefined;
  if (due?.waiting !== true) return false;
  const summary = findRun((await loadJob(org, guid)).value, run);
  const dependency = summary?.dependsOn;
  if (dependency === undefined) return false;
  const verdict = await decideStart(org, guid, dependency);
  if (verdict === "wait") return false;
  if (verdict !== "start") {
    await settleRun(org, guid, run, verdict.sentence);
    return true;
  }
  await startReleased(org, due, dependency, (input) => command ?? loadMachineCommand(org, input, summary));
  return true;
}

/**
 * Starts a run whose dependency is satisfied. From here on it is due as any other, and the sweep repeats a lost start.
 */
async function startReleased(
  org: Organization,
  due: OpenRun,
  dependency: Dependency,
  readCommand: (input: Parameters<typeof loadMachineCommand>[1]) => MachineCommand | Promise<MachineCommand>,
): Promise<void> {
  const { organizationId, guid, run, mode } = due;
  const { waiting: _over, ...rest } = due;
  try {
    await updateJob(org, guid, (job) => {
      if (job.openRun !== run || findRun(job, run)?.dependsOn?.status !== "WAITING") return undefined;
      const satisfied = withRun(job, run, { dependsOn: { ...dependency, status: "SATISFIED" } });
      return {
        job: { ...satisfied, updatedAt: nowIso(org) },
        more: [
          { kind: "due-put", id: runId(guid, run), value: rest as OpenRun, condition: { ifPresent: true } },
          { kind: "delete", key: dependentKey(dependency.guid, guid, run) },
        ],
      };
    });
  } catch (error) {
    // The run has ended meanwhile.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  if (mode === "BATCH") throw new Error("A batch's run waits for no job");
  const input = { organizationId, guid, run, mode };
  await startRun(org, input, await readCommand(input));
}

async function decideStart(
  org: Organization,
  guid: string,
  { guid: parent, run }: Dependency,
): Promise<"wait" | "start" | { sentence: string }> {
  const job = (await org.records.get<JobRecord>(jobKey(parent)))?.value;
  if (job === undefined || job.deleted) return failedWith(`Job ${parent}, which it depends on, was deleted`);
  const awaited = findRun(job, run) ?? (job.openRun === null ? job : undefined);
  if (awaited === undefined || !TERMINAL_STATUSES.has(awaited.status)) {
    // Two concurrent calls may each have seen no circle yet.
    return (await dependsOnJob(org, job, guid)) ? { sentence: CIRCLE_SENTENCE } : "wait";
  }
  if (awaited.status === "CANCELLED") return failedWith(`Job ${parent}, which it depends on, was cancelled`);
  if (awaited.status !== "FAILED") return "start";
  const why = (awaited.error ?? "Processing failed").replace(/^Processing failed: /, "");
  return failedWith(`Job ${parent}, which it depends on, failed: ${why}`);
}

const failedWith = (sentence: string): { sentence: string } => ({ sentence: `Processing failed: ${sentence}` });

/** The dependency that a job's open run waits for. */
function awaitedDependency(job: JobRecord): Dependency | undefined {
  const dependency = job.openRun === null ? undefined : findRun(job, job.openRun)?.dependsOn;
  return dependency?.status === "WAITING" ? dependency : undefined;
}

/** True when a job waits, directly or through others, for the named one. @throws Conflict for too long a chain */
async function dependsOnJob(org: Organization, from: JobRecord, guid: string): Promise<boolean> {
  let job: JobRecord | undefined = from;
  for (let length = 0; job !== undefined; length++) {
    if (job.guid === guid) return true;
    if (length === MAX_CHAIN_LENGTH)
      throw new Conflict(`At most ${MAX_CHAIN_LENGTH} jobs can wait one behind the other`);
    const next = awaitedDependency(job);
    job = next === undefined ? undefined : (await org.records.get<JobRecord>(jobKey(next.guid)))?.value;
  }
  return false;
}
