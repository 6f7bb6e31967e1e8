/** Opening and beginning of runs: a process call opens a run, its first step begins it. */
import { createHash } from "node:crypto";
import type { DocumentRunInput } from "../../../statemachines/document.ts";
import { ConditionFailed, Conflict } from "../../ports/errors.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { admitPages } from "../organizations/page-quota.ts";
import { withProviders } from "../providers/run-providers.ts";
import { stateOperations } from "./case-place.ts";
import {
  commandKey,
  type Dependency,
  dependentKey,
  executionName,
  type JobRecord,
  type JobStatus,
  MAX_KEPT_RUNS,
  type OpenRun,
  type RunSummary,
  runId,
} from "./job-records.ts";
import { loadJob, nowIso, refuseOpenRun, updateJob } from "./job-store.ts";
import type { RunCommand } from "./run-command.ts";
import { makeRunMachine, startMachine } from "./run-machines.ts";
import { sealPassword } from "./run-password.ts";
import { billingMember, openPaid, openPayment } from "./run-payment.ts";
import { isPostponed, postponeStart } from "./start-pace.ts";

/** Loads the command that a run was opened with. */
export async function loadCommand(org: Organization, run: RunSummary): Promise<RunCommand> {
  const bytes = await org.blobs.get(run.commandKey);
  if (bytes === undefined) throw new Error("The run's command is missing");
  // All documents of a batch share one command; their types differ.
  return { ...parseJsonBytes<RunCommand>(bytes), mimeType: run.readAs };
}

/** The run with a number, while the job keeps it. */
export const findRun = (job: JobRecord, run: number): RunSummary | undefined => job.runs.find((one) => one.run === run);

/** A copy of the job with one run changed. */
export const withRun = (job: JobRecord, run: number, change: Partial<RunSummary>): JobRecord => ({
  ...job,
  runs: job.runs.map((one) => (one.run === run ? { ...one, ...change } : one)),
});

/** Input of the machine of a run other than a batch's. */
type AnyRunInput = Omit<DocumentRunInput, "mode"> & Pick<RunCommand, "mode">;

/** The members of a command that determine its machine: a pipeline's is compiled from its definition. */
export type MachineCommand = Pick<RunCommand, "mode" | "pipeline">;

/**
 * Loads those members for a run that was opened before.
 * @param summary the run, where the caller has it @throws Error for a missing run
 */
export async function loadMachineCommand(
  org: Organization,
  { guid, run, mode }: AnyRunInput,
  summary?: RunSummary,
): Promise<MachineCommand> {
  if (mode !== "PIPELINE") return { mode };
  const found = summary ?? findRun((await loadJob(org, guid)).value, run);
  if (found === undefined) throw new Error("The run is missing");
  return loadCommand(org, found);
}

/** Starts the machine of a run. A run that was started before is not started again. */
export async function startRun(org: Organization, input: AnyRunInput, command: MachineCommand): Promise<void> {
  const prepare = async () => ({ machine: await makeRunMachine(org, command), input });
  await startMachine(org, executionName(input.guid, input.run), prepare);
}

/**
 * Opens run n+1 of a job and starts it, at the organization's pace. An idempotency key that already opened a run returns that run.
 * @param dependsOn while WAITING, the run is not started; the caller starts it later
 * @param options `within`: id of the open run whose step does the work; a sweep starts the machine if that run ends;
 *   `payer`: how that run is paid for
 * @throws NotFound for an unknown job; Conflict while a run is open, or for an operation that has had its run;
 *   Forbidden for a spent page quota; PaymentRequired when no tokens are available
 */
export async function openRun(
  org: Organization,
  guid: string,
  given: RunCommand,
  idempotencyKey?: string,
  dependsOn?: Dependency,
  { within, payer }: { within?: string; payer?: RunBilling } = {},
): Promise<{ guid: string; run: number; status: JobStatus }> {
  const before = (await loadJob(org, guid)).value;
  const command = await withProviders(org, given);
  const { lastRun } = before;
  // A later run, and one after another job's, may take over what was read before.
  if (lastRun === 0 && dependsOn === undefined && command.mode !== "OPERATION") await admitPages(org, command);
  const key = await storeCommand(org, guid, command);
  const password = await sealPassword(org, guid, command);
  const payment = await openPayment(org, before, command, { idempotencyKey, within, payer });
  let run: RunSummary | undefined;
  let isNew = false;
  const change = (job: JobRecord): { job: JobRecord; more: OrgOperation[] } | undefined => {
    isNew = false;
    run = idempotencyKey === undefined ? undefined : job.runs.find((one) => one.idempotencyKey === idempotencyKey);
    if (run !== undefined) return undefined;
    refuseOpenRun(job);
    if (job.operation !== undefined && (command.operation === undefined || job.lastRun > 0)) {
      throw new Conflict(`This job is an operation; process its parent ${job.operation.parent}`);
    }
    run = {
      ...newRun(org, job.lastRun + 1, command, key),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(dependsOn === undefined ? {} : { dependsOn }),
      ...billingMember(payment.billing(job.lastRun + 1)),
    };
    isNew = true;
    const opened = withOpenRun(org, job, run, command, within);
    return { ...opened, more: [...opened.more, ...password(run.run), ...payment.operations(run.run)] };
  };
  await openPaid(payment, async () => {
    await updateJob(org, guid, change);
    return isNew;
  });
  if (isNew) await org.openRuns.opened();
  if (run === undefined) throw new Error("A run was opened or found");
  const waits = run.dependsOn?.status === "WAITING";
  const starts = within === undefined && run.completedAt === null && !waits;
  // Operations take turns with the models that they ask.
  const paced = starts && command.operation === undefined;
  const postponed = paced && (await (isNew ? postponeStart : isPostponed)(org, guid, run.run));
  if (starts && !postponed) {
    await startRun(org, { organizationId: org.id, guid, run: run.run, mode: command.mode }, command);
  }
  org.observer.log("info", "run opened", { organization: org.id, job: guid, run: run.run, mode: run.mode });
  return { guid, run: run.run, status: run.status };
}

/**
 * Stores a run's command among the job's files. Call before the run is opened: after a crash, an open run needs it.
 * @returns the command's key
 */
export async function storeCommand(org: Organization, guid: string, command: RunCommand): Promise<string> {
  const text = JSON.stringify(command);
  const key = commandKey(guid, createHash("sha256").update(text).digest("hex"));
  await org.blobs.put(key, Buffer.from(text), { contentType: "application/json" });
  return key;
}

/** A new run, PENDING. */
export const newRun = (org: Organization, run: number, command: RunCommand, key: string): RunSummary => ({
  run,
  status: "PENDING",
  error: null,
  mode: command.mode,
  commandKey: key,
  createdAt: nowIso(org),
  startedAt: null,
  completedAt: null,
  engine: null,
  ocr: command.ocr,
  wholeDocument: command.pageRange === undefined,
  readAs: command.mimeType,
  sourceLocations: command.sourceLocations,
  ...(command.hasPassword === true ? { hasPassword: true } : {}),
  ...(command.configuration === undefined ? {} : { configuration: command.configuration }),
  ...(command.providers === undefined ? {} : { providers: command.providers }),
});

/** Operations that record a pipeline run's nodes, for its status. */
function pipelineOperations(org: Organization, job: JobRecord, run: RunSummary, command: RunCommand): OrgOperation[] {
  if (command.mode !== "PIPELINE") return [];
  const place = { guid: job.guid, run: run.run };
  return [org.pipelines.recordOf(place, `${org.id}/${run.commandKey}`, command.pipeline)];
}

/** The job with the run open, and the operations to write with it: its due record above all. */
export function withOpenRun(
  org: Organization,
  job: JobRecord,
  run: RunSummary,
  command: RunCommand,
  within?: string,
): { job: JobRecord; more: OrgOperation[] } {
  const awaited = run.dependsOn?.status === "WAITING" ? run.dependsOn : undefined;
  const due: OpenRun = {
    v: 1,
    kind: "run",
    organizationId: org.id,
    guid: job.guid,
    run: run.run,
    mode: run.mode,
    createdAt: run.createdAt,
    deadline: null,
    ...(awaited === undefined ? {} : { waiting: true }),
    ...(job.batch === undefined ? {} : { ofBatch: true }),
    ...(within === undefined ? {} : { within }),
  };
  const dependent: OrgOperation[] =
    awaited === undefined
      ? []
      : [
          {
            kind: "put",
            key: dependentKey(awaited.guid, job.guid, run.run),
            value: { v: 1, guid: job.guid, run: run.run },
          },
        ];
  return {
    job: {
      ...job,
      status: "PENDING",
      error: null,
      updatedAt: run.createdAt,
      runs: [...job.runs, run].slice(-MAX_KEPT_RUNS),
      lastRun: run.run,
      openRun: run.run,
      statusVersion: job.statusVersion + 1,
    },
    more: [
      { kind: "due-put", id: runId(job.guid, run.run), value: due, condition: { ifAbsent: true } },
      ...dependent,
      ...pipelineOperations(org, job, run, command),
    ],
  };
}

/**
 * Begins a run with its first step: PROCESSING, with a deadline. Repeated (retry, restart), it changes nothing.
 * @returns the run's deadline in milliseconds since 1970; undefined for a run that is no longer open
 */
export async function beginRun(org: Organization, guid: string, run: number): Promise<number | undefined> {
  const id = runId(guid, run);
  const due = (await org.records.due(id))?.value as OpenRun | undefined;
  if (due === undefined) return undefined;
  if (due.deadline !== null) return due.deadline;
  const deadline = org.engines.clock.now() + org.config.jobTimeoutSeconds * 1000;
  try {
    await updateJob(org, guid, (job) => {
      const startedAt = findRun(job, run)?.startedAt ?? nowIso(org);
      const begun = withRun(job, run, { status: "PROCESSING", startedAt });
      return {
        job: { ...begun, status: "PROCESSING", updatedAt: nowIso(org), statusVersion: job.statusVersion + 1 },
        more: [
          { kind: "due-put", id, value: { ...due, deadline }, condition: { ifPresent: true } },
          ...stateOperations(job, { status: "PROCESSING", updatedAt: nowIso(org) }),
        ],
      };
    });
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
  return deadline;
}
