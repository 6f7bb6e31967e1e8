/** Starting of an operation: its preconditions, its job beside the parent, its run. */

import { BadRequest, ConcurrentModification, ConditionFailed, Conflict } from "../../ports/errors.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { StoredRecord } from "../../ports/records.ts";
import { findDocument } from "../batches/batches.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  type JobRecord,
  type JobStatus,
  jobKey,
  operationKey,
  type RunSummary,
  type SourceFile,
  TERMINAL_STATUSES,
} from "../runs/job-records.ts";
import { loadJob, newJob } from "../runs/job-store.ts";
import { openRun } from "../runs/open-run.ts";
import type { Material, Parameters, RunCommand } from "../runs/run-command.ts";
import type { Operation } from "./operation.ts";
import { operationFiles } from "./operation-files.ts";
import { findOperationType } from "./operation-registry.ts";

export interface OperationRequest {
  /** GUID of the parent job. */
  parent: string;
  type: string;
  /** Batches: index of the document, from 0. Ignored for other jobs. */
  batchIndex?: number;
  tier?: LlmTier;
  /** customParameters as sent. */
  parameters?: Readonly<Record<string, unknown>>;
  /** JSON Pointer of the parameters in the request, for the paths of faults. */
  parametersPointer?: string;
  /** The request's body, for operations that read it themselves. */
  body?: Uint8Array;
  /** GUID of the operation's job: the same in all attempts of a request, so that they are one operation. */
  guid?: string;
  /** Pipeline nodes: the material of the run so far. Absent: that of the parent's newest run. */
  material?: Material;
  /** Id of the open run whose step does the work (functions/steps/operate.ts). */
  within?: string;
  /** How that run is paid for. */
  payer?: RunBilling | undefined;
}

export interface StartedOperation {
  guid: string;
  type: string;
  status: JobStatus;
}

const DEFAULT_PARAMETERS_POINTER = "/parameters/customParameters";

/** The material of a finished job's newest run. @throws Conflict for a job that is not COMPLETED or PARTIAL */
export function materialOf(job: JobRecord): Material {
  if (job.operation !== undefined) {
    throw new Conflict(`Job ${job.guid} is an operation; ask for operations on its parent ${job.operation.parent}`);
  }
  if (job.status !== "COMPLETED" && job.status !== "PARTIAL") {
    throw new Conflict(
      `Operations need a completed job; job ${job.guid} is ${job.status}` +
        (TERMINAL_STATUSES.has(job.status) ? ": process it again first" : ": wait until it has ended"),
    );
  }
  const run = job.runs.at(-1);
  if (run === undefined) throw new Conflict(`Job ${job.guid} has not been processed; process it first`);
  // Figures belong to the document, whichever run found them.
  const figures = job.runs.findLast((one) => one.figuresKey !== undefined && TERMINAL_STATUSES.has(one.status));
  return { guid: job.guid, ...materialOfRun(run), ...(figures === undefined ? {} : figureMaterial(figures)) };
}

/** The job itself, or a document of a batch. @throws BadRequest without an index; NotFound for an unknown index */
async function loadTargetJob(org: Organization, job: JobRecord, batchIndex: number | undefined): Promise<JobRecord> {
  if (job.documents === undefined) return job;
  if (batchIndex === undefined) {
    throw new BadRequest(`Job ${job.guid} is a batch; name one of its documents by batchIndex, from 0`, {
      errors: [{ path: "/batchIndex", message: "must be the index of a document, from 0" }],
    });
  }
  const { guid } = await findDocument(org, job.guid, batchIndex);
  return (await loadJob(org, guid)).value;
}

const figureMaterial = ({ figuresKey, run }: RunSummary): Partial<Material> =>
  figuresKey === undefined ? {} : { figuresKey, figuresRun: run };

function materialOfRun(run: RunSummary): Omit<Material, "guid"> {
  const { layoutKey, qualityKey, resultKey, resultType, sourcesKey, validationErrors, engine, receipt } = run;
  const { ocr, unreadPages, hasPassword } = run;
  const short = receipt?.lists.find(({ counted, returned, expected }) => counted && returned < expected);
  const list = short?.pointer.replace(/\/\*.*$/, "") ?? "";
  return {
    run: run.run,
    mimeType: run.readAs,
    commandKey: run.commandKey,
    ocr,
    ...(unreadPages === undefined ? {} : { unreadPages }),
    ...(hasPassword === undefined ? {} : { hasPassword }),
    ...(layoutKey === undefined ? {} : { layoutKey }),
    ...(qualityKey === undefined ? {} : { qualityKey }),
    ...(resultKey === undefined ? {} : { resultKey }),
    ...(resultType === undefined ? {} : { resultType }),
    ...(sourcesKey === undefined ? {} : { sourcesKey }),
    ...(engine === null ? {} : { engine }),
    ...(validationErrors === undefined ? {} : { validationErrors }),
    ...(receipt === undefined || receipt.missing.length === 0
      ? {}
      : { missing: receipt.missing.map(({ pageNumber, text }) => ({ list, pageNumber, text })) }),
  };
}

const MAX_WRITE_ATTEMPTS = 5;

/** Makes the operation's job, PENDING, with its note beside the parent, in one transaction. An existing job stays. */
async function insertOperation(
  org: Organization,
  guid: string,
  type: string,
  parent: StoredRecord<JobRecord>,
  source: SourceFile,
): Promise<void> {
  const operation = { parent: parent.value.guid, type };
  let stored = parent;
  for (let attempt = 1; ; attempt += 1) {
    const job: JobRecord = { ...newJob(org, guid, source), operation };
    try {
      await org.records.transact([
        { kind: "put", key: jobKey(guid), value: job, condition: { ifAbsent: true } },
        { kind: "put", key: operationKey(operation, guid), value: { v: 1 } },
        // Without this check, deletion of the parent meanwhile would orphan the operation.
        { kind: "check", key: jobKey(operation.parent), condition: { ifVersion: stored.version } },
      ]);
      org.observer.count("operations_started_total", { type });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if ((await org.records.get(jobKey(guid))) !== undefined) return;
      if (attempt >= MAX_WRITE_ATTEMPTS) throw new ConcurrentModification("the job");
      stored = await loadJob(org, operation.parent);
    }
  }
}

const operationCommandOf = (
  { type, withoutModel }: Pick<Operation, "type" | "withoutModel">,
  material: Material,
  parameters: Parameters,
  { tier, readsWith }: { tier: LlmTier; readsWith: OcrMode | undefined },
): RunCommand => ({
  v: 1,
  mode: readsWith === undefined ? "OPERATION" : "READ_OPERATION",
  ocr: readsWith ?? "DEFAULT",
  mimeType: material.mimeType,
  sourceLocations: false,
  granularity: "auto",
  format: "plain",
  llm: tier,
  trace: true,
  operation: { type, parameters, material, ...(withoutModel === true ? { withoutModel } : {}) },
});

/**
 * Starts an operation as a job of its own.
 * @throws BadRequest for an unknown type or invalid parameters; NotFound for an unknown job; Conflict for a job that is
 * not finished, or lacks what the operation needs
 */
export async function startOperation(org: Organization, request: OperationRequest): Promise<StartedOperation> {
  const operation = findOperationType(request.type);
  const parameters = operation.read(request.parameters ?? {}, request.parametersPointer ?? DEFAULT_PARAMETERS_POINTER);
  const guid = request.guid ?? org.engines.clock.guid();
  const existing = await org.records.get<JobRecord>(jobKey(guid));
  // A repeated request: changes of the parent meanwhile do not matter.
  if (existing !== undefined && existing.value.lastRun > 0) {
    return { guid, type: operation.type, status: existing.value.status };
  }
  const parent = await loadJob(org, request.parent);
  const target =
    request.material === undefined ? await loadTargetJob(org, parent.value, request.batchIndex) : parent.value;
  const material = request.material ?? materialOf(target);
  operation.require(material, parameters);
  const files = operationFiles(org, request.parent, guid);
  const prepared = await operation.prepare?.({
    org,
    material,
    parameters,
    parent: request.parent,
    files,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  await insertOperation(org, guid, operation.type, parent, target.source);
  const { within, payer } = request;
  // Within a pipeline the document is read by the pipeline's run.
  const readsWith = within === undefined ? operation.readsWith?.(parameters) : undefined;
  const how = { tier: request.tier ?? "DEFAULT", readsWith };
  const command = operationCommandOf(operation, material, prepared ?? parameters, how);
  const nested = within === undefined ? {} : { within, ...(payer === undefined ? {} : { payer }) };
  const { status } = await openRun(org, guid, command, guid, undefined, nested);
  return { guid, type: operation.type, status };
}
