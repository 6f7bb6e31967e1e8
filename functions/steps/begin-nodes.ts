import { lookUpFacts } from "../../statemachines/pipeline/lookup.ts";
import { isObject } from "../ports/json.ts";
import { compileMachine } from "../service/pipelines/definitions.ts";
import { openEvaluationContext } from "../service/pipelines/evaluation-context.ts";
import { readingKey } from "../service/pipelines/node-records.ts";
import { loadRunPipeline, storeDefinition } from "../service/pipelines/run-node.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";

/**
 * Begins a pipeline's nodes once the document is read: keeps the definition, looks up the facts that conditions use.
 */
export const beginNodes = defineStep(async (org, input) => {
  const { facts } = await runStep(org, input, "begin-nodes", async (context) => {
    const { pipeline, command } = await loadRunPipeline(org, context.run, context.readCommand);
    const definition = isObject(command.pipeline) ? command.pipeline : {};
    await storeDefinition(context, { "definition.json": definition, "machine.asl.json": compileMachine(definition) });
    const evaluation = await openEvaluationContext(context, pipeline.definition, command);
    const effectiveOcrMode = (await evaluation.quality())?.effectiveOcrMode ?? command.ocr;
    const partial = (await evaluation.reading())?.unread === undefined ? {} : { partial: true };
    const key = readingKey(input.guid, input.run);
    return {
      facts: { facts: await lookUpFacts(pipeline.facts.pathsByProducer.get("begin") ?? [], evaluation) },
      also: [{ kind: "put", key, value: { v: 1, effectiveOcrMode, ...partial } }],
    };
  });
  return { begin: { facts } };
});
