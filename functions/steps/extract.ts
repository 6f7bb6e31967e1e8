import { artifactKey } from "../service/runs/job-records.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { extractData } from "./extract-data.ts";
import { loadFindings } from "./load-findings.ts";
import { loadLayout } from "./load-layout.ts";

/** A result that a power failure takes is made again, with the recorded answers of the model. */
const REPEATABLE = { contentType: "application/json", later: true };

/** Extracts the document's data and its source locations, and stores both. */
export const extract = defineStep(async (org, input) =>
  runStep(org, input, "extract", async (context) => {
    const command = await context.readCommand();
    const extractionInput = { layout: await loadLayout(context), ...(await loadFindings(context)) };
    const { result, sources, ...facts } = await extractData(context, command, extractionInput);
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
    await Promise.all([org.blobs.put(resultKey, result, REPEATABLE), org.blobs.put(sourcesKey, sources, REPEATABLE)]);
    return { facts: { resultKey, sourcesKey, ...facts } };
  }),
);
