import { describeTask } from "../engine/tasks/describe.ts";
import { encodeJson } from "../ports/json.ts";
import type { LanguageModel } from "../ports/llm.ts";
import {
  analyzeWithModel,
  generateSchemaWithModel,
  summarizeWithModel,
} from "../service/extraction/describe-with-model.ts";
import { modelOf } from "../service/organizations/engines.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import { askModel } from "./ask-model.ts";
import { defineStep } from "./define-step.ts";
import { loadLayout } from "./load-layout.ts";

async function describeOffline({ org, deadline }: StepRun, { mode, prompt }: RunCommand, layout: Uint8Array) {
  const kind = mode === "ANALYZE" ? "analysis" : mode === "SUMMARY" ? "summary" : "schema";
  const request = { kind, ...(prompt === undefined ? {} : { instructions: prompt }) } as const;
  return {
    result: await org.engines.documents.run(describeTask, { layout, request }, { deadline }),
    engine: "offline",
  };
}

async function describeByModel(context: StepRun, model: LanguageModel, command: RunCommand, layout: Uint8Array) {
  const engine = context.org.engines.documents;
  const answer = await askModel<unknown>(context, model, command, (calls, limits) => {
    if (command.mode === "ANALYZE") return analyzeWithModel(layout, { calls, engine }, limits);
    if (command.mode === "SUMMARY") return summarizeWithModel(layout, { calls, engine }, limits);
    return generateSchemaWithModel(layout, command.prompt ?? "", { calls, engine }, limits);
  });
  return { result: encodeJson(answer), engine: model.facts(command.llm ?? "DEFAULT").model };
}

/** Describes or summarises a document, or writes a JSON Schema of its data: by a model where there is one. */
export const describe = defineStep(async (org, input) =>
  runStep(org, input, "describe", async (context) => {
    const command = await context.readCommand();
    const layout = await loadLayout(context);
    const model = modelOf(context.org.engines, command.llm);
    const { result, engine } =
      model === null
        ? await describeOffline(context, command, layout)
        : await describeByModel(context, model, command, layout);
    const resultKey = artifactKey(input.guid, input.run, "result.json");
    await org.blobs.put(resultKey, result, { contentType: "application/json" });
    return { facts: { resultKey, resultType: "application/json", engine } };
  }),
);
