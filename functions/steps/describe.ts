import { artifactKey } from "../core/jobs/model.ts";
import { loadCommand } from "../core/jobs/runs.ts";
import { runStep } from "../core/jobs/steps.ts";
import { loadLayout } from "./layout.ts";
import { defineStep } from "./step.ts";

/** What a document is and what could be asked of it, or a JSON Schema of what it states. */
export const describe = defineStep(async (org, input) =>
  runStep(org, input, "describe", async (context) => {
    const { mode, prompt } = await loadCommand(org, context.run);
    const what = mode === "ANALYZE" ? "analysis" : "schema";
    const request = { what, ...(prompt === undefined ? {} : { instructions: prompt }) } as const;
    const layout = await loadLayout(org, input);
    const result = await org.engines.documents.describe(layout, request, { deadline: context.deadline });
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    await org.blobs.put(resultKey, result, { contentType: "application/json" });
    return { facts: { resultKey, resultType: "application/json", engine: "offline" } };
  }),
);
