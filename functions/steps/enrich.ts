import type { ReadingFacts } from "../engine/readers/reading.ts";
import { extrasTask } from "../engine/tasks/extras.ts";
import type { TaskOutput } from "../ports/engine.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../ports/json.ts";
import type { LanguageModel, ModelImage } from "../ports/llm.ts";
import { describeFigure } from "../service/extraction/describe-figure.ts";
import { modelOf } from "../service/organizations/engines.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import { askModel } from "./ask-model.ts";
import { defineStep } from "./define-step.ts";
import { loadFacts, loadLayout } from "./load-layout.ts";
import { loadSource } from "./store-reading.ts";

const JSON_TYPE = { contentType: "application/json" };

/** A document without words has content only when barcodes were requested and found. */
const hasContent = (facts: ReadingFacts | undefined, { barcodes }: TaskOutput<typeof extrasTask>): boolean =>
  (facts?.wordCount ?? 0) > 0 || (barcodes !== undefined && parseJsonBytes<unknown[]>(barcodes).length > 0);

/** Figures described by the model, one call each; further ones keep their captions. */
const MAX_DESCRIBED_FIGURES = 50;

interface ListedFigure {
  id: string;
  mimeType: ModelImage["mimeType"];
  caption: string | null;
  description: string;
}

/** Adds the model's descriptions to the list; a figure without one keeps its caption. */
async function describeFigures(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  { list, images }: NonNullable<TaskOutput<typeof extrasTask>["figures"]>,
): Promise<Uint8Array> {
  const { images: figures } = parseJsonBytes<{ images: ListedFigure[] }>(list);
  const bytesOf = new Map(images.map(({ id, bytes }) => [id, bytes]));
  await askModel(context, model, command, async (calls) => {
    for (const figure of figures.slice(0, MAX_DESCRIBED_FIGURES)) {
      const { id, mimeType, caption, description: text } = figure;
      const image = { mimeType, bytes: bytesOf.get(id) ?? new Uint8Array() };
      const description = await describeFigure(calls, { image, caption: caption ?? "", text });
      if (description !== null) figure.description = description;
    }
  });
  return encodeJson({ images: figures });
}

/** Finds barcodes, figures and form fields, as the run's command requests. */
export const enrich = defineStep(async (org, input) =>
  runStep(org, input, "enrich", async (context) => {
    const source = await loadSource(context);
    const { pageRange, barcodes = false, figures = false, acroForm = false } = source.command;
    const { mimeType } = source;
    const options = { mimeType, barcodes, figures, acroForm, ...(pageRange ? { pageRange } : {}) };
    const layout = await loadLayout(context);
    const found = await org.engines.documents.run(
      extrasTask,
      { bytes: source.bytes, layout, options },
      { deadline: context.deadline },
    );
    if (!hasContent(await loadFacts(context), found)) throw new JobFailure(JOB_SENTENCES.noText);
    const keep = async (name: string, body: Uint8Array, type = JSON_TYPE): Promise<string> => {
      const key = artifactKey(input.guid, input.run, name);
      await org.blobs.put(key, body, type);
      return key;
    };
    const facts: Record<string, string> = {};
    if (found.barcodes) facts.barcodesKey = await keep("barcodes.json", found.barcodes);
    if (found.acroForm) facts.acroFormKey = await keep("acroform.json", found.acroForm);
    if (found.figures) {
      const model = modelOf(context.org.engines, source.command.llm);
      const list =
        source.command.describeFigures === true && model !== null
          ? await describeFigures(context, model, source.command, found.figures)
          : found.figures.list;
      for (const { id, mimeType: type, bytes } of found.figures.images) {
        await keep(`figures/${id}`, bytes, { contentType: type });
      }
      // The list is stored last, so that its images are there.
      facts.figuresKey = await keep("figures.json", list);
    }
    return { facts };
  }),
);
