import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import { artifactKey } from "../core/jobs/model.ts";
import { runStep } from "../core/jobs/steps.ts";
import type { Extras, ReadingFacts } from "../core/ports.ts";
import { loadFacts, loadLayout } from "./layout.ts";
import { loadSource } from "./reading.ts";
import { defineStep } from "./step.ts";

const JSON_TYPE = { contentType: "application/json" };

/** A document without a word is one that the run asked barcodes of: then it must have some. */
const hasContent = (facts: ReadingFacts | undefined, { barcodes }: Extras): boolean =>
  (facts?.wordCount ?? 0) > 0 ||
  (barcodes !== undefined && JSON.parse(Buffer.from(barcodes).toString("utf8")).length > 0);

/** Barcodes, figures and form fields, where the run asked for them. */
export const enrich = defineStep(async (org, input) =>
  runStep(org, input, "enrich", async (context) => {
    const source = await loadSource(context);
    const { pageRange, barcodes = false, figures = false, acroForm = false } = source.command;
    const { mimeType } = source;
    const options = { mimeType, barcodes, figures, acroForm, ...(pageRange ? { pageRange } : {}) };
    const layout = await loadLayout(org, input);
    const found = await org.engines.documents.extras(source.bytes, layout, options, { deadline: context.deadline });
    if (!hasContent(await loadFacts(org, input), found)) throw new JobFailure(JOB_SENTENCES.noText);
    const keep = async (name: string, body: Uint8Array, type = JSON_TYPE): Promise<string> => {
      const key = artifactKey(input.guid, input.run, name);
      await org.blobs.put(key, body, type);
      return key;
    };
    const facts: Record<string, string> = {};
    if (found.barcodes) facts.barcodesKey = await keep("barcodes.json", found.barcodes);
    if (found.acroForm) facts.acroFormKey = await keep("acroform.json", found.acroForm);
    if (found.figures) {
      for (const { id, mimeType: type, bytes } of found.figures.images) {
        await keep(`figures/${id}`, bytes, { contentType: type });
      }
      // Last: whoever finds the list finds the images.
      facts.figuresKey = await keep("figures.json", found.figures.list);
    }
    return { facts };
  }),
);
