/** Pipeline definitions: checked on submission, parsed again by every step of a run. */
import { type CheckedPipeline, checkPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import type { Diagnostic } from "../../../statemachines/pipeline/diagnostics.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { PipelineRuns } from "../organizations/pipeline-runs.ts";
import { DEFINITION_CHECKS } from "./definition-checks.ts";
import { type PipelineRecord, pipelineKey } from "./node-records.ts";

/** Checks of a definition that was checked on submission. */
const ACCEPTED_CHECKS = {
  ...DEFINITION_CHECKS,
  schema: () => undefined,
  formulas: () => undefined,
  parameters: () => [],
};

/** Answer of POST /pipeline/validate; faults with their path in the definition. */
export interface PipelineValidation {
  valid: boolean;
  errors: Diagnostic[];
  warnings: string[];
  /** Set for a valid definition. */
  pipeline?: CheckedPipeline & { machine: StateMachineDefinition };
}

/** Runs all passes of the compiler over a user's definition; executes nothing. */
export function validatePipeline(given: unknown): PipelineValidation {
  const compiled = compilePipeline(given, DEFINITION_CHECKS);
  if (!compiled.ok) return { valid: false, errors: [...compiled.faults], warnings: [] };
  const { pipeline } = compiled;
  const machine = pipeline.machine as unknown as StateMachineDefinition;
  return { valid: true, errors: [], warnings: [...pipeline.warnings], pipeline: { ...pipeline, machine } };
}

/**
 * Checks a submitted definition.
 * @throws BadRequest naming every fault by its path below `/pipeline`
 */
export function acceptPipeline(given: unknown): CheckedPipeline {
  const { pipeline, errors } = validatePipeline(given);
  if (pipeline !== undefined) return pipeline;
  const members: MemberFault[] = errors.map(({ path, message }) => ({ path: `/pipeline${path}`, message }));
  throw new BadRequest(`The pipeline cannot run: ${members.map(({ message }) => message).join("; ")}`, {
    errors: members,
  });
}

/** Parsed definitions that a process keeps: the steps of a run share one. */
const MAX_CACHED_DEFINITIONS = 50;
const parsedDefinitions = new Map<string, CheckedPipeline>();

/** Parses an accepted definition. @param key identifies its content @throws TypeError for an invalid one */
export function parseAcceptedPipeline(key: string, definition: unknown): CheckedPipeline {
  const cached = parsedDefinitions.get(key);
  if (cached !== undefined) return cached;
  const checked = checkPipeline(definition, ACCEPTED_CHECKS);
  if (!checked.ok) throw new TypeError("A run's pipeline was checked when it was submitted");
  parsedDefinitions.set(key, checked.pipeline);
  const [oldest] = parsedDefinitions.keys();
  if (parsedDefinitions.size > MAX_CACHED_DEFINITIONS && oldest !== undefined) parsedDefinitions.delete(oldest);
  return checked.pipeline;
}

/** Compiles an accepted definition to its state machine; deterministic. */
export function compileMachine(definition: unknown): StateMachineDefinition {
  const compiled = compilePipeline(definition, ACCEPTED_CHECKS);
  if (!compiled.ok) throw new TypeError("A run's pipeline was checked when it was submitted");
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
