import type { DocumentEngine } from "../../ports/engine.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type { OperationWork } from "../analysis/operation-tasks.ts";
import type { ReceiptWork } from "../completeness/completeness-tasks.ts";
import type { MapReduceWork } from "../extraction/chunks/chunk-tasks.ts";
import type { ModelWork } from "../extraction/model-tasks.ts";
import type { NodeWork } from "../nodes/compute-node.ts";
import type { DocumentTasks } from "./engine.ts";

/** Runs a task of that name. */
export type RunTask = <Name extends keyof DocumentTasks>(
  name: Name,
  payload: Parameters<DocumentTasks[Name]>[0],
  limits: WorkLimits,
) => Promise<Awaited<ReturnType<DocumentTasks[Name]>>>;

export const modelWork = (run: RunTask): ModelWork => ({
  plan: (task, limits) => run("planModel", task, limits),
  halve: (batch, limits) => run("halveModelBatch", { batch }, limits),
  readAnswers: (task, limits) => run("readModelAnswers", task, limits),
  correct: (task, limits) => run("correctModelData", task, limits),
  conclude: (task, limits) => run("concludeModelData", task, limits),
  readPages: (task, limits) => run("readModelPages", task, limits),
  readSchema: (task, limits) => run("readModelSchema", task, limits),
});

export const mapReduceWork = (run: RunTask): MapReduceWork => ({
  plan: (task, limits) => run("planChunks", task, limits),
  read: (task, limits) => run("readChunkAnswer", task, limits),
  reduce: (task, limits) => run("reduceChunks", task, limits),
});

export const receiptWork = (run: RunTask): ReceiptWork => ({
  missingRows: (task, limits) => run("missingRows", task, limits),
  addRows: (task, limits) => run("addMissingRows", task, limits),
  receipt: (task, limits) => run("receipt", task, limits),
});

export const operationWork = (run: RunTask): OperationWork => ({
  readParts: (task, limits) => run("readParts", task, limits),
  rankFigures: (task, limits) => run("rankFigures", task, limits),
  pagesToCorrect: (task, limits) => run("pagesToCorrect", task, limits),
  correctPages: (task, limits) => run("correctPages", task, limits),
  correctLayout: (task, limits) => run("correctLayout", task, limits),
  analyze: (task, limits) => run("analyzeErrors", task, limits),
});

export const nodeWork = (run: RunTask): NodeWork => ({
  compute: (task, limits) => run("computeNode", task, limits),
});

/** What an engine does with its tasks; how it looks at uploads, and how it ends, is its own. */
export const engineMethods = (run: RunTask): Omit<DocumentEngine, "inspect" | "close"> => ({
  read: (bytes, options, limits) => run("read", { bytes, options }, limits),
  complete: (reading, recognised, limits) => run("complete", { reading, recognised }, limits),
  picture: (bytes, options, limits) => run("picture", { bytes, options }, limits),
  picturesPdf: (bytes, options, limits) => run("picturesPdf", { bytes, options }, limits),
  pageImage: (bytes, options, limits) => run("pageImage", { bytes, options }, limits),
  extras: (bytes, layout, options, limits) => run("extras", { bytes, layout, options }, limits),
  acroForm: (bytes, limits) => run("acroForm", { bytes }, limits),
  cells: (bytes, limits) => run("cells", { bytes }, limits),
  describe: (layout, request, limits) => run("describe", { layout, request }, limits),
  transcribe: (layout, format, limits) => run("transcribe", { layout, format }, limits),
  extract: (layout, request, limits) => run("extract", { layout, request }, limits),
  locate: (layout, result, request, limits) => run("locate", { layout, result, request }, limits),
  model: modelWork(run),
  mapReduce: mapReduceWork(run),
  rows: receiptWork(run),
  operations: operationWork(run),
  nodes: nodeWork(run),
});
