/** Runs of batches: opened by a process call, planned by their machine's first step, processed document by document. */
import {
  type BatchRunInput,
  batchPartMachine,
  distributedBatchMachine,
  inlineBatchMachine,
  MAX_PART_DOCUMENTS,
} from "../../../statemachines/batch.ts";
import type { DocumentRunInput } from "../../../statemachines/document.ts";
import { ConditionFailed, Conflict } from "../../ports/errors.ts";
import { encodeJson, type Json } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { type OrgOperation, organizationKey } from "../organizations/organization-records.ts";
import { withProviders } from "../providers/run-providers.ts";
import {
  executionName,
  type JobRecord,
  type JobStatus,
  type OpenRun,
  type RunSummary,
  runId,
} from "../runs/job-records.ts";
import { loadJob, nowIso, refuseOpenRun, updateJob } from "../runs/job-store.ts";
import {
  findRun,
  loadCommand,
  type MachineCommand,
  newRun,
  storeCommand,
  withOpenRun,
  withRun,
} from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { makeMachine, makeRunMachine, startMachine } from "../runs/run-machines.ts";
import { sealPassword } from "../runs/run-password.ts";
import { billingMember, openPaid, openPayment } from "../runs/run-payment.ts";
import { listFile } from "./batch-records.ts";
import { applyDefaultType, findDocument, loadBatch } from "./batches.ts";
import { documentStartOperations } from "./document-counts.ts";

async function loadBatchCommand(org: Organization, guid: string, run: number): Promise<RunCommand> {
  const summary = findRun((await loadJob(org, guid)).value, run);
  if (summary === undefined) throw new Error("The run is missing");
  return loadCommand(org, summary);
}

/**
 * Starts the machine of a batch's run. A run that was started before is not started again.
 * @param command the run's, where the caller has it @returns true when this call started it
 */
export async function startBatchRun(
  org: Organization,
  guid: string,
  run: number,
  command?: MachineCommand,
): Promise<boolean> {
  const documentCommand = command ?? (await loadBatchCommand(org, guid, run));
  const prepare = async () => {
    const documentMachine = await makeRunMachine(org, documentCommand);
    const input: BatchRunInput = { organizationId: org.id, guid, run, mode: "BATCH", documentMachine };
    const machine = org.config.distributedMaps
      ? distributedBatchMachine()
      : inlineBatchMachine(await makeMachine(org, batchPartMachine()));
    return { machine: await makeMachine(org, machine), input };
  };
  return startMachine(org, executionName(guid, run), prepare);
}

export interface OpenedBatch {
  guid: string;
  run: number;
  status: JobStatus;
  maxConcurrency: number;
}

/**
 * Opens the next run over all documents and starts it. An idempotency key that already opened a run returns that run.
 * @param given its `mimeType` is the default of documents that declare none; empty: no default
 * @throws Conflict for a job that is not a batch, an empty batch, and while a run is open; PaymentRequired when no
 * tokens are available
 */
export async function openBatchRun(
  org: Organization,
  guid: string,
  given: RunCommand,
  { maxConcurrency, idempotencyKey }: { maxConcurrency?: number | undefined; idempotencyKey?: string | undefined },
): Promise<OpenedBatch> {
  const batch = await loadBatch(org, guid);
  const command = await withProviders(org, given);
  const key = await storeCommand(org, guid, command);
  const password = await sealPassword(org, guid, command);
  const payment = await openPayment(org, batch, command, { idempotencyKey });
  let run: RunSummary | undefined;
  let isNew = false;
  let concurrency = 0;
  const change = (job: JobRecord): { job: JobRecord; more: OrgOperation[] } | undefined => {
    isNew = false;
    run = idempotencyKey === undefined ? undefined : job.runs.find((one) => one.idempotencyKey === idempotencyKey);
    concurrency = run?.documents?.maxConcurrency ?? maxConcurrency ?? job.documents?.maxConcurrency ?? 1;
    if (run !== undefined) return undefined;
    refuseOpenRun(job);
    const total = job.documents?.total ?? 0;
    if (total === 0) throw new Conflict("The batch is empty; upload its documents first");
    run = {
      ...newRun(org, job.lastRun + 1, command, key),
      mode: "BATCH",
      documentMode: command.mode,
      documents: { total, completed: 0, failed: 0, maxConcurrency: concurrency },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...billingMember(payment.billing(job.lastRun + 1)),
    };
    isNew = true;
    const opened = withOpenRun(org, job, run, command);
    return { ...opened, more: [...opened.more, ...password(run.run), ...payment.operations(run.run)] };
  };
  await openPaid(payment, async () => {
    await updateJob(org, guid, change);
    return isNew;
  });
  if (isNew) await org.openRuns.opened();
  if (run === undefined) throw new Error("A run was opened or found");
  if (run.completedAt === null) await startBatchRun(org, guid, run.run, command);
  org.observer.log("info", "run opened", { organization: org.id, job: guid, run: run.run, mode: run.mode });
  return { guid, run: run.run, status: run.status, maxConcurrency: concurrency };
}

/**
 * Starts an open run whose start was lost.
 * @returns `scheduled`: true for such a run
 * @throws Conflict for a job that is not a batch
 */
export async function scheduleBatch(
  org: Organization,
  guid: string,
): Promise<{ scheduled: boolean; status: JobStatus }> {
  const { openRun: run, status } = await loadBatch(org, guid);
  return { scheduled: run !== null && (await startBatchRun(org, guid, run)), status };
}

const partName = (guid: string, run: number, number: number): string => `${executionName(guid, run)}-${number}`;

/** Names of all executions of a batch's run, without those of its documents: its own, then those of its parts. */
export function batchExecutions(org: Organization, guid: string, { run, documents }: RunSummary): string[] {
  const parts = org.config.distributedMaps ? 0 : Math.ceil((documents?.total ?? 0) / MAX_PART_DOCUMENTS);
  return [executionName(guid, run), ...Array.from({ length: parts }, (_, index) => partName(guid, run, index + 1))];
}

export type BatchPlan =
  | { maxConcurrency: number; list: string }
  | { maxConcurrency: number; parts: { name: string; input: Json }[] }
  | null;

/**
 * Begins a run: PROCESSING. Repeated, it changes nothing.
 * @param documentMachine processes each document; absent in executions of earlier releases
 * @returns the input of the machine's Map: a list in the file store, or parts; null for a run that has ended
 */
export async function planBatch(
  org: Organization,
  guid: string,
  run: number,
  documentMachine?: string,
): Promise<BatchPlan> {
  const job = await beginBatch(org, guid, run);
  const documents = job && findRun(job, run)?.documents;
  if (documents === undefined) return null;
  const { total } = documents;
  // As many at once as starts of single documents.
  const maxConcurrency = Math.min(documents.maxConcurrency, org.config.startRate?.burst ?? documents.maxConcurrency);
  const indexes = Array.from({ length: total }, (_, index) => index);
  if (org.config.distributedMaps) {
    const key = listFile(guid, run);
    const list = encodeJson(indexes.map((index) => ({ index })));
    await org.blobs.put(key, list, { contentType: "application/json" });
    return { maxConcurrency, list: organizationKey(org.id, key) };
  }
  const parts: { name: string; input: Json }[] = [];
  for (let first = 0; first < total; first += MAX_PART_DOCUMENTS) {
    const input = {
      organizationId: org.id,
      batch: guid,
      run,
      maxConcurrency,
      indexes: indexes.slice(first, first + MAX_PART_DOCUMENTS),
      ...(documentMachine === undefined ? {} : { documentMachine }),
    };
    parts.push({ name: partName(guid, run, parts.length + 1), input });
  }
  return { maxConcurrency, parts };
}

async function beginBatch(org: Organization, guid: string, run: number) {
  const id = runId(guid, run);
  const due = (await org.records.due(id))?.value as OpenRun | undefined;
  if (due === undefined) return undefined;
  try {
    return await updateJob(org, guid, (job) => {
      const one = findRun(job, run);
      if (one === undefined || one.startedAt !== null) return undefined;
      const at = nowIso(org);
      const begun = withRun(job, run, { status: "PROCESSING", startedAt: at });
      return {
        job: { ...begun, status: "PROCESSING", updatedAt: at, statusVersion: job.statusVersion + 1 },
        more: [{ kind: "due-check", id }],
      };
    });
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Name and input of the document's execution; or nothing to start. */
export type OpenedDocument = { open: false } | { open: true; name: string; input: DocumentRunInput; machine?: string };

/**
 * Opens a document's own run, with the number of the batch's run, unless it is already open or has ended.
 * @param documentMachine processes the document, started by the batch's machine; absent in executions of earlier
 * releases
 * @returns `open` false when the run has ended, or the batch's run has ended or is being cancelled; `machine`: the one
 * to start
 */
export async function openDocument(
  org: Organization,
  batch: string,
  run: number,
  index: number,
  documentMachine?: string,
): Promise<OpenedDocument> {
  const { guid } = await findDocument(org, batch, index);
  const parent = findRun((await loadJob(org, batch)).value, run);
  const due = await org.records.due(runId(batch, run));
  if (parent === undefined || due === undefined || (due.value as OpenRun).cancelling === true) return { open: false };
  const command = await loadCommand(org, parent);
  try {
    const job = await updateJob(org, guid, (current) => {
      if (current.lastRun >= run) return undefined;
      const { mimeType } = current.source;
      const readAs = current.batch?.declared === false ? applyDefaultType(mimeType, command.mimeType) : mimeType;
      const begun = withOpenRun(
        org,
        current,
        { ...newRun(org, run, { ...command, mimeType: readAs }, parent.commandKey), ...billingMember(parent.billing) },
        command,
      );
      const fence = { kind: "due-check", id: runId(batch, run), ifVersion: due.version } as const;
      return { job: begun.job, more: [...begun.more, fence, ...documentStartOperations(current, run)] };
    });
    if (job.openRun !== run) return { open: false };
  } catch (error) {
    // The batch's run has ended, or is being cancelled.
    if (error instanceof ConditionFailed) return { open: false };
    throw error;
  }
  if (command.mode === "OPERATION" || command.mode === "READ_OPERATION")
    throw new TypeError("An operation is no run of a batch");
  const input: DocumentRunInput = { organizationId: org.id, guid, run, mode: command.mode };
  const name = executionName(guid, run);
  if (documentMachine === undefined) return { open: true, name, input };
  // A different machine when the sweep has started the document, by a newer release.
  return { open: true, name, input, machine: await org.workflows.reserve(documentMachine, name) };
}
