/** The functions of pipelines that runs call; passed in, as runs must not import pipelines. */
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { OrgOperation } from "./organization-records.ts";

export interface PipelineRuns {
  /**
   * Compiles an accepted definition to its state machine; deterministic.
   * @throws TypeError for an invalid definition
   */
  machineOf(definition: unknown): StateMachineDefinition;
  /**
   * The operation that records a run's nodes, for its status.
   * @param name identifies the definition's content
   * @throws TypeError for an invalid definition
   */
  recordOf(place: { guid: string; run: number }, name: string, definition: unknown): OrgOperation;
}
