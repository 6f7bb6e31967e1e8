/** The functions of pipelines that runs call. They are passed in, for pipelines stand above runs. */
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { OrgOperation } from "./organization-records.ts";

export interface PipelineRuns {
  /** The state machine of an accepted definition; the same bytes for the same one. @throws TypeError for another */
  machineOf(definition: unknown): StateMachineDefinition;
  /**
   * The record of a run's nodes, for whoever asks how far it is.
   * @param name names the definition's content
   * @throws TypeError for a definition that was never accepted
   */
  recordOf(place: { guid: string; run: number }, name: string, definition: unknown): OrgOperation;
}
