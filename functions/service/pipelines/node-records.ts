/**
 * Records of a run's nodes, beside its steps: `nodes/of`, the list of nodes; `nodes/read`, how the document was read;
 * `nodes/begun/{id}`, the start of a node; `nodes/done/{id}`, its outcome.
 */
import type { NodeStatus } from "../../../statemachines/pipeline/lookup.ts";
import type { NodeType } from "../../../statemachines/pipeline/nodes/kinds.ts";
import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { DataFault } from "../../engine/schema/data-faults.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import { artifactKey, stepKey } from "../runs/job-records.ts";

/** A node in the status. */
export interface ListedNode {
  id: string;
  type: NodeType;
  onError: "fail" | "continue";
  timeoutSeconds: number | null;
}

/** The nodes of a run; written when it is opened. */
export interface PipelineRecord extends RecordValue {
  v: 1;
  version: string;
  warnings: string[];
  nodes: ListedNode[];
  /** Ids of the candidates for the public result, in order. */
  finals: string[];
}

export interface PipelineReading extends RecordValue {
  v: 1;
  effectiveOcrMode: OcrMode;
  /** Pages were not recognised. */
  partial?: boolean;
}

export interface BegunNode extends RecordValue {
  v: 1;
  /** ISO 8601. */
  startedAt: string;
  queuedTaskId?: string;
  childOperationGuid?: string;
}

/** Output of a node's step; partial for a failed node. */
export interface NodeOutput {
  status: Extract<NodeStatus, "COMPLETED" | "SKIPPED">;
  startedAt: string | null;
  completedAt: string | null;
  facts: Record<string, string | null>;
  warnings?: string[];
  resultKey?: string;
  resultBytes?: number;
  sourcesKey?: string;
  /** Null where nothing was extracted for it. */
  engine?: string | null;
  confidence?: number | null;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  uses?: LlmUse[];
  traceKey?: string;
}

/** Recorded outcome of a node, as that of a step. */
export interface NodeOutcome extends RecordValue {
  v: 1;
  step: string;
  outcome: "done" | "failed";
  output?: Partial<NodeOutput>;
  sentence?: string;
}

/** Partition and sort prefix of the records of a run's nodes. */
export const nodesPrefix = (guid: string, run: number): RecordKey => {
  const { partition, sort } = stepKey(guid, run, "");
  return { partition, sort: sort.replace(/step\/$/, "nodes/") };
};

const nodeRecordKey = (guid: string, run: number, name: string): RecordKey => {
  const { partition, sort } = nodesPrefix(guid, run);
  return { partition, sort: `${sort}${name}` };
};

export const pipelineKey = (guid: string, run: number): RecordKey => nodeRecordKey(guid, run, "of");
export const readingKey = (guid: string, run: number): RecordKey => nodeRecordKey(guid, run, "read");
export const begunKey = (guid: string, run: number, id: string): RecordKey => nodeRecordKey(guid, run, `begun/${id}`);
export const doneKey = (guid: string, run: number, id: string): RecordKey => nodeRecordKey(guid, run, `done/${id}`);

/** The name of a node's file among the run's. */
export const nodeFileName = (id: string, file: string): string => `pipeline/nodes/${id}/${file}`;
export const nodeFile = (guid: string, run: number, id: string, file: string): string =>
  artifactKey(guid, run, nodeFileName(id, file));
