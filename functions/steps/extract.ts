import { artifactKey } from "../core/jobs/model.ts";
import { loadCommand } from "../core/jobs/runs.ts";
import { loadOutcomes } from "../core/jobs/settle.ts";
import { runStep } from "../core/jobs/steps.ts";
import { loadLayout } from "./layout.ts";
import { defineStep } from "./step.ts";

/** Layout and schema in, data and its source locations out. Without a model the offline extractor does it. */
export const extract = defineStep(async (org, input) =>
  runStep(org, input, "extract", async (context) => {
    const command = await loadCommand(org, context.run);
    const layout = await loadLayout(org, input);
    const { outputs } = await loadOutcomes(org, input.guid, input.run);
    const barcodes = outputs.enrich?.barcodesKey && (await org.blobs.get(outputs.enrich.barcodesKey));
    const { result, sources, facts } = await org.engines.documents.extract(
      layout,
      {
        granularity: command.granularity,
        ...(barcodes ? { barcodes } : {}),
        ...(command.schema === undefined ? {} : { schema: command.schema }),
        ...(command.prompt === undefined ? {} : { prompt: command.prompt }),
      },
      { deadline: context.deadline },
    );
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
    await org.blobs.put(resultKey, result, { contentType: "application/json" });
    await org.blobs.put(sourcesKey, sources, { contentType: "application/json" });
    return { facts: { resultKey, sourcesKey, engine: "offline", ...facts } };
  }),
);
