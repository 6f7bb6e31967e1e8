/** Extraction of a layout's data without a model, with source locations and the receipt of its lists. */

import { extractTask } from "../engine/tasks/extract.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { type ExtractedData, type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";
import { withReceipt } from "./with-receipt.ts";
import { withoutUnsure } from "./without-unsure.ts";

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
  };
  const extracted = await org.engines.documents.run(extractTask, { layout, request }, { deadline });
  const { facts: counts, ...data } = extracted;
  // The rows of pieces are joined first: an unsure value may tell two rows apart.
  if (isDocumentPiece(part)) return { ...data, engine: "offline", ...counts };
  // Rows are counted for lists of a schema only, and only over the whole document.
  const { report, ...whole } =
    schema === undefined
      ? { ...extracted, report: {} }
      : await withReceipt(context, command, layout, extracted, { fill: true });
  const given = part?.given === undefined ? {} : { given: part.given };
  const { facts, ...sure } = await withoutUnsure(context, command, whole, {
    ...(schema === undefined ? {} : { schema }),
    ...given,
  });
  return { ...sure, engine: "offline", ...facts, ...report };
}
