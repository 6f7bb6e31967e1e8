import { artifactKey } from "../service/runs/job-records.ts";
import { runStep } from "../service/runs/run-step.ts";
import { extractData, loadFindings } from "./extract-data.ts";
import { loadLayout } from "./layout.ts";
import { defineStep } from "./step.ts";

const JSON_TYPE = { contentType: "application/json" };

/** Layout and schema in, data and its source locations out: by the model where there is one, else offline. */
export const extract = defineStep(async (org, input) =>
  runStep(org, input, "extract", async (context) => {
    const command = await context.readCommand();
    const known = { layout: await loadLayout(context), ...(await loadFindings(context)) };
    const { result, sources, ...facts } = await extractData(context, command, known);
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
    await org.blobs.put(resultKey, result, JSON_TYPE);
    await org.blobs.put(sourcesKey, sources, JSON_TYPE);
    return { facts: { resultKey, sourcesKey, ...facts } };
  }),
);
