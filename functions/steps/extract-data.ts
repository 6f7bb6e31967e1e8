/** Extraction of a layout's data with source locations: by the model where there is one, else offline. */

import type { Receipt } from "../engine/completeness/completeness-report.ts";
import type { DataFault } from "../engine/schema/data-faults.ts";
import { extractTask } from "../engine/tasks/extract.ts";
import { locateTask } from "../engine/tasks/locate.ts";
import type { LanguageModel } from "../ports/llm.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { extractByModel } from "./extract-by-model.ts";
import { type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";
import { withReceipt } from "./with-receipt.ts";

export interface ExtractedData {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
  engine: string;
  confidence: number | null;
  /** Numbers of leaves with and without a source location. */
  found: number;
  unresolved: number;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  /** Leaves filled from the given values: their pointers, each with the pointer of its given value. */
  filled?: [string, string][];
}

/** Loads the barcodes and form fields that the run found. */
export async function loadFindings({
  org,
  readOutcomes,
}: Pick<StepRun, "org" | "readOutcomes">): Promise<Omit<ExtractionInput, "layout">> {
  const { outputs } = await readOutcomes();
  const load = (key: string | undefined) => (key === undefined ? undefined : org.blobs.get(key));
  return { barcodes: await load(outputs.enrich?.barcodesKey), acroForm: await load(outputs.enrich?.acroFormKey) };
}

/** Extracts by rules, without a model. */
async function extractOffline(
  context: StepRun,
  command: RunCommand,
  { layout, barcodes }: ExtractionInput,
  part: ExtractionPart | undefined,
): Promise<ExtractedData> {
  const { org, deadline } = context;
  const { granularity, schema, prompt } = command;
  const request = {
    granularity,
    ...(barcodes ? { barcodes } : {}),
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(part?.given === undefined ? {} : { given: part.given }),
  };
  const extracted = await org.engines.documents.run(extractTask, { layout, request }, { deadline });
  const { facts: counts, ...data } = extracted;
  // Rows are counted for lists of a schema only, and only over the whole document.
  if (schema === undefined || isDocumentPiece(part)) return { ...data, engine: "offline", ...counts };
  // Filling in rows would move items that hold given values.
  const fill = data.filled === undefined || data.filled.length === 0;
  const { result, sources, facts, report } = await withReceipt(context, command, layout, extracted, { fill });
  return { ...data, result, sources, engine: "offline", ...facts, ...report };
}

/** Extracts by the model, and locates its values on the pages. */
async function extractByModelAndLocate(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  input: ExtractionInput,
  part: ExtractionPart | undefined,
): Promise<ExtractedData> {
  const { org, deadline } = context;
  const done = await extractByModel(context, model, command, input, part);
  const request = {
    granularity: command.granularity,
    ...(command.schema === undefined ? {} : { schema: command.schema }),
    ...(input.acroForm === undefined ? {} : { acroForm: input.acroForm }),
  };
  const located = await org.engines.documents.run(
    locateTask,
    { layout: input.layout, result: done.data, request },
    { deadline },
  );
  const partial = done.status === "PARTIAL" ? { partial: true, validationErrors: done.validationErrors } : {};
  const extracted = { result: done.data, ...located };
  if (isDocumentPiece(part)) {
    return { result: done.data, sources: located.sources, engine: done.engine, ...located.facts, ...partial };
  }
  const { declined } = done;
  const { result, sources, facts, report } = await withReceipt(context, command, input.layout, extracted, { declined });
  return { result, sources, engine: done.engine, ...facts, ...report, ...partial };
}

/** Extracts the data of a document, or of a part of it. @throws JobFailure, AppError (retryable) */
export function extractData(
  context: StepRun,
  command: RunCommand,
  input: ExtractionInput,
  part?: ExtractionPart,
): Promise<ExtractedData> {
  const { model } = context.org.engines;
  return model === null
    ? extractOffline(context, command, input, part)
    : extractByModelAndLocate(context, model, command, input, part);
}
