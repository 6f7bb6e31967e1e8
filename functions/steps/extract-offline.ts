/** Extraction of a layout's data without a model, with source locations and the receipt of its lists. */

import { extractTask } from "../engine/tasks/extract.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { type ExtractedData, type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";
import { withReceipt } from "./with-receipt.ts";

/** Extracts by rules, without a model. @throws JobFailure; retryable errors */
export async function extractOffline(
  context: StepRun,
  command: RunCommand,
  { layout, barcodes }: ExtractionInput,
  part?: ExtractionPart,
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
