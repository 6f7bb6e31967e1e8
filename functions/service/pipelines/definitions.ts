/** Accepted pipeline definitions: parsed again by every step of a run, and compiled for its machine. */
import { type CheckedPipeline, checkPipeline, compileChecked } from "../../../statemachines/pipeline/compile.ts";
import type { DefinitionChecks } from "../../../statemachines/pipeline/nodes/node.ts";
import { OPERATION_TYPES } from "../../engine/nodes/operation-types.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { PipelineRuns } from "../organizations/pipeline-runs.ts";
import { type PipelineRecord, pipelineKey } from "./node-records.ts";

/** Checks of a definition that was checked on submission. */
const ACCEPTED_CHECKS: DefinitionChecks = {
  maxConditions: Number.POSITIVE_INFINITY,
  operationTypes: OPERATION_TYPES,
  schema: () => undefined,
  formulas: () => undefined,
  parameters: () => [],
};

const notAccepted = (): TypeError => new TypeError("A run's pipeline was checked when it was submitted");

/** Parsed definitions by their JSON: opening a run records the nodes of one and compiles it. */
const parsedObjects = new WeakMap<object, CheckedPipeline>();

function parse(definition: unknown): CheckedPipeline {
  const isObject = typeof definition === "object" && definition !== null;
  const known = isObject ? parsedObjects.get(definition) : undefined;
  if (known !== undefined) return known;
  const checked = checkPipeline(definition, ACCEPTED_CHECKS);
  if (!checked.ok) throw notAccepted();
  if (isObject) parsedObjects.set(definition, checked.pipeline);
  return checked.pipeline;
}

/** Parsed definitions that a process keeps: the steps of a run share one. */
const MAX_CACHED_DEFINITIONS = 50;
const parsedDefinitions = new Map<string, CheckedPipeline>();

/** Parses an accepted definition. @param key identifies its content @throws TypeError for an invalid one */
export function parseAcceptedPipeline(key: string, definition: unknown): CheckedPipeline {
  const cached = parsedDefinitions.get(key);
  if (cached !== undefined) return cached;
  const checked = parse(definition);
  parsedDefinitions.set(key, checked);
  const [oldest] = parsedDefinitions.keys();
  if (parsedDefinitions.size > MAX_CACHED_DEFINITIONS && oldest !== undefined) parsedDefinitions.delete(oldest);
  return checked;
}

/** Compiles an accepted definition to its state machine; deterministic. */
export function compileMachine(definition: unknown): StateMachineDefinition {
  const compiled = compileChecked(parse(definition));
  if (!compiled.ok) throw notAccepted();
  return compiled.pipeline.machine as unknown as StateMachineDefinition;
}

/** The record of a definition's nodes, for the status. */
export function pipelineRecordOf({ definition, graph, warnings }: CheckedPipeline): PipelineRecord {
  return {
    v: 1,
    version: definition.version,
    warnings: [...warnings],
    nodes: definition.nodes.map(({ id, type, onError, timeoutSeconds }) => ({ id, type, onError, timeoutSeconds })),
    finals: graph.finals.flatMap((index) => definition.nodes[index]?.id ?? []),
  };
}

/** Records the nodes of an accepted definition; apart from the compiler, for steps that compile nothing. */
export const recordOf: PipelineRuns["recordOf"] = ({ guid, run }, name, definition) => ({
  kind: "put",
  key: pipelineKey(guid, run),
  value: pipelineRecordOf(parseAcceptedPipeline(name, definition)),
});

/** The functions of pipelines that runs call. */
export const pipelineRuns: PipelineRuns = { machineOf: compileMachine, recordOf };
