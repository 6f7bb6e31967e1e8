/** Extraction of a layout's data without a model, with source locations and the receipt of its lists. */

import { extractTask } from "../engine/tasks/extract.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { type ExtractedData, type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";
import { filledFromKnowledge } from "./knowledge-evidence.ts";
import { type RulesTrace, traceRules } from "./trace-rules.ts";
import { withReceipt } from "./with-receipt.ts";
import { withoutUnsure } from "./without-unsure.ts";

/** Extracts by rules, without a model. @throws JobFailure; retryable errors */
export const extractOffline = (
  context: StepRun,
  command: RunCommand,
  input: ExtractionInput,
  part?: ExtractionPart,
): Promise<ExtractedData> =>
  traceRules(context, command, part, (trace) => extractTraced(context, command, input, { part, trace }));

async function extractTraced(
  context: StepRun,
  command: RunCommand,
  { layout, barcodes }: ExtractionInput,
  { part, trace }: { part: ExtractionPart | undefined; trace: RulesTrace },
): Promise<ExtractedData> {
  const { org, deadline } = context;
  const { granularity, schema, prompt } = command;
  const request = {
    granularity,
    ...(barcodes ? { barcodes } : {}),
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(command.trace === true ? { explain: true } : {}),
  };
  const { explanations, ...extracted } = await trace.timed("rules", () =>
    org.engines.documents.run(extractTask, { layout, request }, { deadline }),
  );
  trace.explain(explanations ?? []);
  const { facts: counts, ...data } = extracted;
  // The rows of pieces are joined first: an unsure value may tell two rows apart.
  if (isDocumentPiece(part)) return { ...data, engine: "offline", ...counts };
  // Rows are counted for lists of a schema only, and only over the whole document.
  const { report, ...whole } =
    schema === undefined
      ? { ...extracted, report: {} }
      : await trace.timed("receipt", () => withReceipt(context, command, layout, extracted, { fill: true }));
  const given = part?.given === undefined ? {} : { given: part.given };
  const sure = await trace.timed("threshold", () =>
    withoutUnsure(context, command, whole, { ...(schema === undefined ? {} : { schema }), ...given }),
  );
  const { facts, ...filled } = await filledFromKnowledge(context, command, sure, trace);
  return { ...filled, engine: "offline", ...facts, ...report };
}
