/** The beginning of an operation: its preconditions, its job beside the parent, its run. */

import { BadRequest, ConditionFailed, Conflict } from "../../ports/errors.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { StoredRecord } from "../../ports/records.ts";
import { findDocument } from "../batches/batches.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  type JobRecord,
  type JobStatus,
  jobKey,
  operationKey,
  type RunSummary,
  TERMINAL_STATUSES,
} from "../runs/job-records.ts";
import { loadJob, newJob } from "../runs/job-store.ts";
import { openRun } from "../runs/open-run.ts";
import type { Material, Parameters, RunCommand } from "../runs/run-command.ts";
import { operationOf } from "./operation-registry.ts";

export interface OperationRequest {
  /** The job that it is asked of. */
  parent: string;
  type: string;
  /** Of a batch: which of its documents, from 0. Of another job it is not looked at. */
  batchIndex?: number;
  tier?: LlmTier;
  /** customParameters as they came. */
  parameters?: Readonly<Record<string, unknown>>;
  /** JSON Pointer of the parameters in the request, for the paths of faults. */
  parametersAt?: string;
  /** Of the operation's job: fixed over all tries of one request, so that they are one operation. */
  guid?: string;
  /** Of a node in a running pipeline: what the pipeline has so far. Absent: what the parent's newest run left. */
  material?: Material;
  /** The open run, by its id, whose step does its work (see functions/steps/operate.ts). */
  within?: string;
}

export interface StartedOperation {
  guid: string;
  type: string;
  status: JobStatus;
}

const PARAMETERS_AT = "/parameters/customParameters";

/** What the newest run of a finished job left. @throws Conflict while it is not COMPLETED or PARTIAL */
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
  // Figures are of the document, whichever run found them.
  const figures = job.runs.findLast((one) => one.figuresKey !== undefined && TERMINAL_STATUSES.has(one.status));
  return { guid: job.guid, ...materialOfRun(run), ...(figures === undefined ? {} : figuresOf(figures)) };
}

/** The job itself, or the document of a batch. @throws BadRequest without its index; NotFound where there is none */
async function documentOf(org: Organization, job: JobRecord, batchIndex: number | undefined): Promise<JobRecord> {
  if (job.documents === undefined) return job;
  if (batchIndex === undefined) {
    throw new BadRequest(`Job ${job.guid} is a batch; name one of its documents by batchIndex, from 0`, {
      errors: [{ path: "/batchIndex", message: "must be the index of a document, from 0" }],
    });
  }
  const { guid } = await findDocument(org, job.guid, batchIndex);
  return (await loadJob(org, guid)).value;
}

const figuresOf = ({ figuresKey, run }: RunSummary): Partial<Material> =>
  figuresKey === undefined ? {} : { figuresKey, figuresRun: run };

function materialOfRun(run: RunSummary): Omit<Material, "guid"> {
  const { layoutKey, qualityKey, resultKey, resultType, sourcesKey, validationErrors, engine, receipt } = run;
  const short = receipt?.lists.find(({ counted, returned, expected }) => counted && returned < expected);
  const list = short?.pointer.replace(/\/\*.*$/, "") ?? "";
  return {
    run: run.run,
    mimeType: run.readAs,
    commandKey: run.commandKey,
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

const TRIES = 5;

/** The operation's job, PENDING, noted beside its parent in one write with it; again with the same GUID is once. */
async function keepOperation(
  org: Organization,
  guid: string,
  type: string,
  parent: StoredRecord<JobRecord>,
): Promise<void> {
  const operation = { parent: parent.value.guid, type };
  let stored = parent;
  for (let attempt = 1; ; attempt += 1) {
    const job: JobRecord = { ...newJob(org, guid, stored.value.source), operation };
    try {
      await org.records.transact([
        { kind: "put", key: jobKey(guid), value: job, condition: { ifAbsent: true } },
        { kind: "put", key: operationKey(operation, guid), value: { v: 1 } },
        // A parent that is deleted meanwhile would leave it an orphan.
        { kind: "check", key: jobKey(operation.parent), condition: { ifVersion: stored.version } },
      ]);
      org.observer.count("operations_started_total", { type });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if ((await org.records.get(jobKey(guid))) !== undefined) return;
      if (attempt >= TRIES) throw new Conflict("The job was changed by others at the same time; try again");
      stored = await loadJob(org, operation.parent);
    }
  }
}

const commandOf = (type: string, material: Material, parameters: Parameters, tier: LlmTier): RunCommand => ({
  v: 1,
  mode: "OPERATION",
  ocr: "DEFAULT",
  mimeType: material.mimeType,
  sourceLocations: false,
  granularity: "auto",
  format: "plain",
  llm: tier,
  trace: true,
  operation: { type, parameters, material },
});

/**
 * Starts an operation as a job of its own.
 * @throws BadRequest for a type that there is none of, or parameters at fault; NotFound for no such job; Conflict where
 * the job is not finished, or lacks what the operation needs
 */
export async function startOperation(org: Organization, request: OperationRequest): Promise<StartedOperation> {
  const operation = operationOf(request.type);
  const parameters = operation.read(request.parameters ?? {}, request.parametersAt ?? PARAMETERS_AT);
  const guid = request.guid ?? org.engines.clock.guid();
  const known = await org.records.get<JobRecord>(jobKey(guid));
  // A second try of a request: what has become of the parent meanwhile is no matter.
  if (known !== undefined && known.value.lastRun > 0) {
    return { guid, type: operation.type, status: known.value.status };
  }
  const parent = await loadJob(org, request.parent);
  const material = request.material ?? materialOf(await documentOf(org, parent.value, request.batchIndex));
  operation.require(material);
  await keepOperation(org, guid, operation.type, parent);
  const command = commandOf(operation.type, material, parameters, request.tier ?? "DEFAULT");
  const { within } = request;
  const { status } = await openRun(org, guid, command, guid, undefined, within === undefined ? {} : { within });
  return { guid, type: operation.type, status };
}
