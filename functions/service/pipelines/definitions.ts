/** Definitions of pipelines: checked when they are submitted, and read again by every step of a run. */
import { type CheckedPipeline, checkPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import type { Diagnostic } from "../../../statemachines/pipeline/diagnostics.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { PipelineRuns } from "../organizations/pipeline-runs.ts";
import { DEFINITION_CHECKS } from "./definition-checks.ts";
import { type PipelineRecord, pipelineKey } from "./node-records.ts";

/** Of a definition that was checked when it was submitted. */
const TRUSTING = { ...DEFINITION_CHECKS, schema: () => undefined, formulas: () => undefined, parameters: () => [] };

/** What POST /pipeline/validate answers; faults by their path in the definition. */
export interface DefinitionVerdict {
  valid: boolean;
  errors: Diagnostic[];
  warnings: string[];
  /** Of a valid one. */
  pipeline?: CheckedPipeline & { machine: StateMachineDefinition };
}

/** All passes of the compiler over what a user sent; runs nothing. */
export function judgePipeline(given: unknown): DefinitionVerdict {
  const compiled = compilePipeline(given, DEFINITION_CHECKS);
  if (!compiled.ok) return { valid: false, errors: [...compiled.faults], warnings: [] };
  const { pipeline } = compiled;
  const machine = pipeline.machine as unknown as StateMachineDefinition;
  return { valid: true, errors: [], warnings: [...pipeline.warnings], pipeline: { ...pipeline, machine } };
}

/**
 * A submitted definition that can run.
 * @throws BadRequest naming every fault by its path below `/pipeline`
 */
export function acceptPipeline(given: unknown): CheckedPipeline {
  const { pipeline, errors } = judgePipeline(given);
  if (pipeline !== undefined) return pipeline;
  const members: MemberFault[] = errors.map(({ path, message }) => ({ path: `/pipeline${path}`, message }));
  throw new BadRequest(`The pipeline cannot run: ${members.map(({ message }) => message).join("; ")}`, {
    errors: members,
  });
}

/** Steps of one run follow each other: their definition is parsed once. */
const KEPT = 50;
const known = new Map<string, CheckedPipeline>();

/** @param key names the definition's content @throws TypeError for one that was never accepted */
export function readPipeline(key: string, definition: unknown): CheckedPipeline {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const checked = checkPipeline(definition, TRUSTING);
  if (!checked.ok) throw new TypeError("A run's pipeline was checked when it was submitted");
  known.set(key, checked.pipeline);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return checked.pipeline;
}

/** The state machine of an accepted definition; the same bytes for the same one. */
export function machineOf(definition: unknown): StateMachineDefinition {
  const compiled = compilePipeline(definition, TRUSTING);
  if (!compiled.ok) throw new TypeError("A run's pipeline was checked when it was submitted");
  return compiled.pipeline.machine as unknown as StateMachineDefinition;
}

/** What the status needs to know of a definition. */
export function listPipeline({ definition, graph, warnings }: CheckedPipeline): PipelineRecord {
  return {
    v: 1,
    version: definition.version,
    warnings: [...warnings],
    nodes: definition.nodes.map(({ id, type, onError, timeoutSeconds }) => ({ id, type, onError, timeoutSeconds })),
    finals: graph.finals.flatMap((index) => definition.nodes[index]?.id ?? []),
  };
}

/** What runs of pipelines need of their definitions. */
export const pipelineRuns: PipelineRuns = {
  machineOf,
  recordOf: ({ guid, run }, name, definition) => ({
    kind: "put",
    key: pipelineKey(guid, run),
    value: listPipeline(readPipeline(name, definition)),
  }),
};
