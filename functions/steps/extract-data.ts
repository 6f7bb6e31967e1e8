/** Extraction of a layout's data with source locations: by the model where there is one, else offline. */

import { locateTask } from "../engine/tasks/locate.ts";
import type { LanguageModel } from "../ports/llm.ts";
import { modelOf } from "../service/organizations/engines.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { extractByModel } from "./extract-by-model.ts";
import { extractOffline } from "./extract-offline.ts";
import { type ExtractedData, type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";
import { locatedInKnowledge } from "./knowledge-evidence.ts";
import { withReceipt } from "./with-receipt.ts";
import { withoutUnsure } from "./without-unsure.ts";

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
  const { declined, stated, mode: extraction } = done;
  if (isDocumentPiece(part)) {
    const piece = { result: done.data, sources: located.sources, engine: done.engine, ...located.facts, ...partial };
    return { ...piece, statements: { declined, stated } };
  }
  const { report, ...counted } = await withReceipt(context, command, input.layout, extracted, { declined, stated });
  const { schema } = command;
  const placed = await locatedInKnowledge(context, command, counted, done.findings);
  const sure = await withoutUnsure(context, command, placed, schema === undefined ? {} : { schema });
  const { result, sources, facts } = sure;
  return { result, sources, engine: done.engine, extraction, ...facts, ...report, ...partial };
}

/** Extracts the data of a document, or of a part of it. @throws JobFailure, AppError (retryable) */
export function extractData(
  context: StepRun,
  command: RunCommand,
  input: ExtractionInput,
  part?: ExtractionPart,
): Promise<ExtractedData> {
  const model = modelOf(context.org.engines, command.llm);
  return model === null
    ? extractOffline(context, command, input, part)
    : extractByModelAndLocate(context, model, command, input, part);
}
