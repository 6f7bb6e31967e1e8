/** Data of a layout, with where its values stand: by the model where there is one, else offline. */

import type { Receipt } from "../engine/completeness/completeness-report.ts";
import type { DataFault } from "../engine/schema/data-faults.ts";
import { extractTask } from "../engine/tasks/extract.ts";
import { locateTask } from "../engine/tasks/locate.ts";
import type { LanguageModel } from "../ports/llm.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { extractByModel } from "./extract-by-model.ts";
import { isPiece, type Known, type PartWish } from "./part-wish.ts";
import { withReceipt } from "./receipt.ts";

export interface ExtractedData {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
  engine: string;
  confidence: number | null;
  /** Leaves that stand on the page, and that stand nowhere. */
  found: number;
  unresolved: number;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  /** Pointers of leaves that were filled with what is given, and where it stands there. */
  filled?: [string, string][];
}

/** What else was found in the document before its data. */
export async function loadFindings({
  org,
  readOutcomes,
}: Pick<StepRun, "org" | "readOutcomes">): Promise<Omit<Known, "layout">> {
  const { outputs } = await readOutcomes();
  const load = (key: string | undefined) => (key === undefined ? undefined : org.blobs.get(key));
  return { barcodes: await load(outputs.enrich?.barcodesKey), acroForm: await load(outputs.enrich?.acroFormKey) };
}

/** The extractor that needs nobody. */
async function extractAlone(
  context: StepRun,
  command: RunCommand,
  { layout, barcodes }: Known,
  part: PartWish | undefined,
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
  const made = await org.engines.documents.run(extractTask, { layout, request }, { deadline });
  const { facts: found, ...data } = made;
  // A list's rows are the schema's wish, and all of them stand in the whole only.
  if (schema === undefined || isPiece(part)) return { ...data, engine: "offline", ...found };
  // Rows that come in move what was filled with what is given.
  const fill = data.filled === undefined || data.filled.length === 0;
  const { result, sources, facts, told } = await withReceipt(context, command, layout, made, { fill });
  return { ...data, result, sources, engine: "offline", ...facts, ...told };
}

/** The model's data, and where they stand on the page. */
async function extractAsking(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  known: Known,
  part: PartWish | undefined,
): Promise<ExtractedData> {
  const { org, deadline } = context;
  const done = await extractByModel(context, model, command, known, part);
  const request = {
    granularity: command.granularity,
    ...(command.schema === undefined ? {} : { schema: command.schema }),
    ...(known.acroForm === undefined ? {} : { acroForm: known.acroForm }),
  };
  const located = await org.engines.documents.run(
    locateTask,
    { layout: known.layout, result: done.data, request },
    { deadline },
  );
  const partial = done.status === "PARTIAL" ? { partial: true, validationErrors: done.validationErrors } : {};
  const made = { result: done.data, ...located };
  if (isPiece(part)) {
    return { result: done.data, sources: located.sources, engine: done.engine, ...located.facts, ...partial };
  }
  const { declined } = done;
  const { result, sources, facts, told } = await withReceipt(context, command, known.layout, made, { declined });
  return { result, sources, engine: done.engine, ...facts, ...told, ...partial };
}

/** @throws JobFailure, AppError (retryable) */
export function extractData(
  context: StepRun,
  command: RunCommand,
  known: Known,
  part?: PartWish,
): Promise<ExtractedData> {
  const { model } = context.org.engines;
  return model === null
    ? extractAlone(context, command, known, part)
    : extractAsking(context, model, command, known, part);
}
