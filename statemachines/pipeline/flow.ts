/** The flow of a machine before it is written in Amazon States Language: frozen steps, tagged by kind. */
import type { Condition } from "./conditions.ts";
import type { PipelineNode } from "./definition.ts";
import type { Producer } from "./facts.ts";

/** The conditions under which a node is skipped. */
export interface Guard {
  /** The node is skipped when all of these were skipped; empty: they cannot all be. */
  readonly skippedWith: readonly number[];
  /** The node is skipped when one of these candidates for the public result has completed. */
  readonly earlierCandidates: readonly number[];
  /** Null: the node has no condition. */
  readonly condition: Condition | null;
}

export interface NodeStep {
  readonly kind: "node";
  readonly node: PipelineNode;
  /** Null: the node always runs. `never`: its condition is constantly false. */
  readonly guard: Guard | "never" | null;
  /** True when a later condition or guard reads the node's status or facts. */
  readonly storesFacts: boolean;
}

/** An output of a parallel step that later steps read, and its branch. */
export interface BranchOutput {
  readonly producer: Producer;
  readonly branch: number;
}

export interface ParallelStep {
  readonly kind: "parallel";
  readonly branches: readonly Flow[];
  /** Null: all branches at once. */
  readonly limit: number | null;
  /** Empty: no later step reads anything of this one. */
  readonly carried: readonly BranchOutput[];
}

export type FlowStep = NodeStep | ParallelStep;
/** Steps one after the other. */
export type Flow = readonly FlowStep[];

/** The outputs of one branch. */
export const outputsOfBranch = (carried: readonly BranchOutput[], branch: number): BranchOutput[] =>
  carried.filter((one) => one.branch === branch);
