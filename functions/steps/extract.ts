import { artifactKey } from "../service/runs/job-records.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { extractData } from "./extract-data.ts";
import { loadFindings } from "./load-findings.ts";
import { loadLayout } from "./load-layout.ts";

const JSON_TYPE = { contentType: "application/json" };

/** Extracts the document's data and its source locations, and stores both. */
export const extract = defineStep(async (org, input) =>
  runStep(org, input, "extract", async (context) => {
    const command = await context.readCommand();
    const extractionInput = { layout: await loadLayout(context), ...(await loadFindings(context)) };
    const { result, sources, ...facts } = await extractData(context, command, extractionInput);
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
    await org.blobs.put(resultKey, result, JSON_TYPE);
    await org.blobs.put(sourcesKey, sources, JSON_TYPE);
    return { facts: { resultKey, sourcesKey, ...facts } };
  }),
);
