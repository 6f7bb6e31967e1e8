import type { Json } from "../../ports/json.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type { Extraction, Granularity } from "../extraction/rules/findings.ts";
import type { Receipt } from "./completeness-report.ts";
import type { KnownPlaces } from "./item-places.ts";
import type { AddedRows, AddRowsTask } from "./merge-rows.ts";
import type { ListReceipt } from "./reconcile.ts";
import type { RequestRoom, RowRequest } from "./row-requests.ts";

export interface MissingRowsTask {
  /** As the reader wrote it. */
  layout: Uint8Array;
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** What the data was asked for with. */
  schema: Json;
  prompt?: string;
  /** The schema is the general result's. */
  general?: boolean;
  /** Rows (`order`) that a model said to be none of a list. */
  declined: number[];
  room: RequestRoom;
  /** Absent at the first look. */
  known?: KnownPlaces;
}

export interface MissingRows {
  lists: ListReceipt[];
  /** What to ask for, in the order of the document. */
  requests: RowRequest[];
  /** Pointers of items, with the rows that they stand on. */
  placed: [string, number][];
}

export interface ReceiptTask {
  layout: Uint8Array;
  /** UTF-8 JSON. */
  result: Uint8Array;
  /** As `extract` or `locate` wrote them. */
  sources: Uint8Array;
  request: {
    granularity: Granularity;
    schema?: Json;
    prompt?: string;
    declined?: number[];
    /** Rows that are missing are read from the page by the columns of the others. */
    fill?: boolean;
    /** Numbers of the pages whose rows count; absent: all. */
    pages?: readonly number[];
  };
}

export interface ReceiptAnswer {
  /** Absent for a result without lists of rows. */
  receipt?: Receipt;
  /** Rows are missing that nobody left out on purpose. */
  short: boolean;
  /** The result and its places with the rows that were read from the page, where some were. */
  filled?: { result: Uint8Array; sources: Uint8Array; facts: Extraction["facts"] };
}

/** The tasks (functions/engine/tasks/receipt.ts) behind their limits. */
export interface ReceiptWork {
  /** What of the page's rows some data lacks, and how to ask for it. */
  missingRows(task: MissingRowsTask, limits: WorkLimits): Promise<MissingRows>;
  /** Puts what a model answered into the data. */
  addRows(task: AddRowsTask, limits: WorkLimits): Promise<AddedRows>;
  /** The receipt of a finished result, and the result filled up where that was asked for and is possible. */
  receipt(task: ReceiptTask, limits: WorkLimits): Promise<ReceiptAnswer>;
}
