import type { RunCommand } from "../core/jobs/command.ts";
import { artifactKey } from "../core/jobs/model.ts";
import { loadCommand } from "../core/jobs/runs.ts";
import { loadOutcomes } from "../core/jobs/settle.ts";
import { runStep, type StepRun } from "../core/jobs/steps.ts";
import type { LanguageModel } from "../core/llm/ports.ts";
import { extractByModel } from "./extract-by-model.ts";
import { loadLayout } from "./layout.ts";
import { defineStep, type StepInput } from "./step.ts";

const JSON_TYPE = { contentType: "application/json" };

/** What a run has read so far. */
interface Known {
  layout: Uint8Array;
  barcodes: Uint8Array | undefined;
  acroForm: Uint8Array | undefined;
}

async function loadKnown(context: StepRun, input: StepInput): Promise<Known> {
  const { org } = context;
  const { outputs } = await loadOutcomes(org, input.guid, input.run);
  const load = (key: string | undefined) => (key === undefined ? undefined : org.blobs.get(key));
  return {
    layout: await loadLayout(org, input),
    barcodes: await load(outputs.enrich?.barcodesKey),
    acroForm: await load(outputs.enrich?.acroFormKey),
  };
}

/** The extractor that needs nobody. */
async function extractAlone({ org, deadline }: StepRun, command: RunCommand, { layout, barcodes }: Known) {
  const { granularity, schema, prompt } = command;
  const request = {
    granularity,
    ...(barcodes ? { barcodes } : {}),
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const { result, sources, facts } = await org.engines.documents.extract(layout, request, { deadline });
  return { result, sources, facts: { engine: "offline", ...facts } };
}

/** The model's data, and where they stand on the page. */
async function extractAsking(context: StepRun, model: LanguageModel, command: RunCommand, known: Known) {
  const { org, deadline } = context;
  const done = await extractByModel(context, model, command, known);
  const request = {
    granularity: command.granularity,
    ...(command.schema === undefined ? {} : { schema: command.schema }),
    ...(known.acroForm === undefined ? {} : { acroForm: known.acroForm }),
  };
  const { sources, facts } = await org.engines.documents.locate(known.layout, done.data, request, { deadline });
  const partial = done.status === "PARTIAL" ? { partial: true, validationErrors: done.validationErrors } : {};
  return { result: done.data, sources, facts: { engine: done.engine, ...facts, ...partial } };
}

/** Layout and schema in, data and its source locations out: by the model where there is one, else offline. */
export const extract = defineStep(async (org, input) =>
  runStep(org, input, "extract", async (context) => {
    const command = await loadCommand(org, context.run);
    const known = await loadKnown(context, input);
    const { model } = org.engines;
    const { result, sources, facts } =
      model === null
        ? await extractAlone(context, command, known)
        : await extractAsking(context, model, command, known);
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
    await org.blobs.put(resultKey, result, JSON_TYPE);
    await org.blobs.put(sourcesKey, sources, JSON_TYPE);
    return { facts: { resultKey, sourcesKey, ...facts } };
  }),
);
