/** What a machine does, before it is written in Amazon States Language: frozen, tagged steps. */
import type { Condition } from "./conditions.ts";
import type { PipelineNode } from "./definition.ts";
import type { Producer } from "./facts.ts";

/** When a node does not run. */
export interface Guard {
  /** It is skipped when all of these were; empty: they cannot all be. */
  readonly skippedWith: readonly number[];
  /** It is skipped when one of these has completed: candidates for the public result before it. */
  readonly earlierCandidates: readonly number[];
  /** Null: nothing is asked. */
  readonly condition: Condition | null;
}

export interface NodeStep {
  readonly kind: "node";
  readonly node: PipelineNode;
  /** Null: it always runs. `never`: its condition cannot hold. */
  readonly guard: Guard | "never" | null;
  /** Whether a condition or a guard behind it reads what became of it. */
  readonly storesFacts: boolean;
}

/** What comes out of a step with branches, so that later steps find it: from which branch. */
export interface BranchOutput {
  readonly producer: Producer;
  readonly branch: number;
}

export interface ParallelStep {
  readonly kind: "parallel";
  readonly branches: readonly Flow[];
  /** Null: all at once. */
  readonly limit: number | null;
  /** Empty: nothing behind it reads what became of what is in it. */
  readonly carried: readonly BranchOutput[];
}

export type FlowStep = NodeStep | ParallelStep;
/** One after the other. */
export type Flow = readonly FlowStep[];

/** What comes out of one of the branches. */
export const outputsOfBranch = (carried: readonly BranchOutput[], branch: number): BranchOutput[] =>
  carried.filter((one) => one.branch === branch);
