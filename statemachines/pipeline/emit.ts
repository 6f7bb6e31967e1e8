/**
 * Last pass: flow → Amazon States Language (JSONPath). The machine's state holds the run's keys and, under `n`, the
 * status and facts of the nodes that later states read: `$.n.n3` is the node with the number 3. State names are the
 * users' ids; names of our own begin with `$` or contain a space, which ids cannot.
 * Source: https://states-language.net/spec.html
 */
import { createHash } from "node:crypto";
import {
  type ChoiceRule,
  type ChoiceState,
  SEND_RETRY,
  STEP_RETRY,
  type State,
  type StateMachine,
  stepResource,
  type TaskState,
} from "../asl.ts";
import { readingStates } from "../reading.ts";
import { choiceTestOf, stateKeyOf, statePathOf } from "./choices.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Facts } from "./facts.ts";
import {
  type BranchOutput,
  type Flow,
  type FlowStep,
  type NodeStep,
  outputsOfBranch,
  type ParallelStep,
} from "./flow.ts";
import { kindOf } from "./nodes/kinds.ts";
import type { PipelineStep } from "./pipeline-steps.ts";

const SETTLE_STATE = "$settle";
const MAX_STATE_NAME_CHARACTERS = 60;
/** Enough to rule out collisions. */
const NAME_HASH_DIGITS = 24;
/** The fairness key of a queued node's organization: the organizations' messages on a queue take turns. */
const QUEUE_GROUP = { "group.$": "States.Format('organization-{}', $.organizationId)" };
const RUN_KEYS = { "organizationId.$": "$.organizationId", "guid.$": "$.guid", "run.$": "$.run" };

/** The context of the states that are emitted. */
interface EmitScope {
  facts: Facts;
  queued: boolean;
  /** The catchers of errors that end the run; undefined in branches, where the surrounding state has them. */
  catches: TaskState["Catch"];
  /** The output of the end of a branch: a path, or null for none. */
  output: string | null;
}

const resource: (step: PipelineStep) => string = stepResource;
const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, NAME_HASH_DIGITS);

/** Shortens a name to leave room for suffixes: Step Functions allows 80 characters. */
export const stateName = (text: string): string =>
  text.length <= MAX_STATE_NAME_CHARACTERS
    ? text
    : `${text.slice(0, MAX_STATE_NAME_CHARACTERS - NAME_HASH_DIGITS - 1)}~${shortHash(text)}`;

type States = [string, State][];

/**
 * The transition to `next`; without one the branch ends. The output of a branch is only what later states read, because
 * the outputs of all branches form one payload.
 */
const transitionTo = (next: string | undefined, { output }: EmitScope) =>
  next === undefined ? { OutputPath: output, End: true as const } : { Next: next };

const names = {
  node: ({ node }: NodeStep) => stateName(node.id),
  guard: (step: NodeStep) => `${names.node(step)}?`,
  skipped: (step: NodeStep) => `${names.node(step)} skipped`,
  failed: (step: NodeStep) => `${names.node(step)} failed`,
};

/** Named after the first nodes of its branches, so that the Step Functions console shows them. */
function parallelStateName(step: ParallelStep): string {
  const heads = step.branches.map((branch) => firstNodeIds(branch).join(" + "));
  return `${stateName(`${step.limit === null ? "" : `${step.limit} of `}${heads.join(", ")}`)} together`;
}

function firstNodeIds(flow: Flow): string[] {
  const [first] = flow;
  if (first === undefined) return [];
  return first.kind === "node" ? [first.node.id] : first.branches.flatMap(firstNodeIds);
}

/** The first state of a step. */
function entryStateOf(step: FlowStep): string {
  if (step.kind === "parallel")
    return step.limit === null ? parallelStateName(step) : `${parallelStateName(step)}: which`;
  if (step.guard === "never") return names.skipped(step);
  return step.guard === null ? names.node(step) : names.guard(step);
}

function emitNode(step: NodeStep, next: string | undefined, scope: EmitScope): States {
  const { facts, queued, catches } = scope;
  const { node, guard, storesFacts } = step;
  const ResultPath = storesFacts ? statePathOf(node.index) : null;
  const mark = (status: "SKIPPED" | "FAILED" | "ENDED"): State => ({
    Type: "Task",
    Resource: resource("mark-node"),
    Parameters: { ...RUN_KEYS, node: node.id, status, ...(status === "SKIPPED" ? {} : { "failure.$": "$.caught" }) },
    ResultPath,
    Retry: STEP_RETRY,
    ...(catches === undefined ? {} : { Catch: catches }),
    ...transitionTo(next, scope),
  });
  const states: States = [];
  if (guard === "never") return [[names.skipped(step), mark("SKIPPED")]];
  if (guard !== null) {
    states.push([names.guard(step), emitGuard(step, guard, facts)], [names.skipped(step), mark("SKIPPED")]);
  }
  // The worker may have died silently, beside others: only this state knows whose failure it was.
  states.push([names.failed(step), mark(node.onError === "continue" ? "FAILED" : "ENDED")]);
  const tier = node.type === "extract" && queued ? node.tier : undefined;
  const work: State = {
    Type: "Task",
    Resource: resource(tier === undefined ? kindOf(node.type).step : "queued-node"),
    Parameters: { ...RUN_KEYS, node: node.id, ...(tier === undefined ? {} : { tier, ...QUEUE_GROUP }) },
    ResultPath,
    ...(node.timeoutSeconds === null ? {} : { TimeoutSeconds: node.timeoutSeconds }),
    Retry: tier === undefined ? STEP_RETRY : [SEND_RETRY, ...STEP_RETRY],
    Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.caught", Next: names.failed(step) }],
    ...transitionTo(next, scope),
  };
  return [...states, [names.node(step), work]];
}

function emitGuard(step: NodeStep, guard: Exclude<NodeStep["guard"], "never" | null>, facts: Facts): ChoiceState {
  const [run, skip] = [names.node(step), names.skipped(step)];
  const became = (status: string) => (node: number) => ({
    Variable: `${statePathOf(node)}.status`,
    StringEquals: status,
  });
  const skips: ChoiceRule[] = [];
  if (guard.skippedWith.length > 0) skips.push({ And: guard.skippedWith.map(became("SKIPPED")), Next: skip });
  if (guard.earlierCandidates.length > 0)
    skips.push({ Or: guard.earlierCandidates.map(became("COMPLETED")), Next: skip });
  if (guard.condition === null) return { Type: "Choice", Choices: skips, Default: run };
  return {
    Type: "Choice",
    Choices: [...skips, { ...choiceTestOf(guard.condition, facts), Next: run }],
    Default: skip,
  };
}

/** Puts the outputs of the branches back to their places under `$.n`. */
const selectBranchOutputs = ({ carried }: ParallelStep) =>
  carried.length === 0
    ? { ResultPath: null }
    : {
        ResultSelector: Object.fromEntries(
          carried.map(({ producer, branch }) => {
            const alone = outputsOfBranch(carried, branch).length === 1;
            return [`${stateKeyOf(producer)}.$`, alone ? `$[${branch}]` : `$[${branch}].${stateKeyOf(producer)}`];
          }),
        ),
        ResultPath: "$.n",
      };

function outputPathOf(carried: readonly BranchOutput[], branch: number): string | null {
  const [first, second] = outputsOfBranch(carried, branch);
  if (first === undefined) return null;
  return second === undefined ? statePathOf(first.producer) : "$.n";
}

function emitParallel(step: ParallelStep, next: string | undefined, scope: EmitScope): States {
  const branches = step.branches.map((branch, at) =>
    emitFlow(branch, undefined, { ...scope, catches: undefined, output: outputPathOf(step.carried, at) }),
  );
  const around = {
    ...selectBranchOutputs(step),
    ...(scope.catches === undefined ? {} : { Catch: scope.catches }),
    ...transitionTo(next, scope),
  };
  const name = parallelStateName(step);
  if (step.limit === null) {
    return [[name, { Type: "Parallel", Branches: branches, ...around }]];
  }
  const places = branches.map((_, at) => String(at));
  const [last, ...others] = branches.map(({ StartAt }, at) => ({ place: String(at), StartAt })).reverse();
  const choice: ChoiceState = {
    Type: "Choice",
    Choices: others
      .reverse()
      .map(({ place, StartAt }) => ({ Variable: "$.branch", StringEquals: place, Next: StartAt })),
    Default: last?.StartAt ?? "",
  };
  const pick = `${name}: this`;
  // fromEntries also defines a member named __proto__.
  const states = Object.fromEntries([[pick, choice], ...branches.flatMap(({ States }) => Object.entries(States))]);
  return [
    [`${name}: which`, { Type: "Pass", Result: places, ResultPath: "$.branches", Next: name }],
    [
      name,
      {
        Type: "Map",
        ItemsPath: "$.branches",
        ItemSelector: { ...RUN_KEYS, "n.$": "$.n", "branch.$": "$$.Map.Item.Value" },
        MaxConcurrency: step.limit,
        ItemProcessor: { ProcessorConfig: { Mode: "INLINE" }, StartAt: pick, States: states },
        ...around,
      },
    ],
  ];
}

function emitFlow(
  flow: Flow,
  next: string | undefined,
  scope: EmitScope,
): { StartAt: string; States: Record<string, State> } {
  const states = flow.flatMap((step, at) => {
    const following = flow[at + 1];
    const then = following === undefined ? next : entryStateOf(following);
    return step.kind === "node" ? emitNode(step, then, scope) : emitParallel(step, then, scope);
  });
  const [first] = flow;
  if (first === undefined) throw new RangeError("A branch has at least one step");
  return { StartAt: entryStateOf(first), States: Object.fromEntries(states) };
}

export interface Emission {
  definition: PipelineDefinition;
  flow: Flow;
  facts: Facts;
  /** Step Functions ends the run after this time if nothing else did. */
  timeoutSeconds: number;
}

/** Emits the same bytes for the same flow. */
export function emitMachine({ definition, flow, facts, timeoutSeconds }: Emission): StateMachine {
  const catches = [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: SETTLE_STATE }];
  const { StartAt, States } = emitFlow(flow, SETTLE_STATE, {
    facts,
    queued: definition.execution === "queue",
    catches,
    output: "$",
  });
  return {
    Comment: "One run of a pipeline: the document is read, its nodes run, the run is settled",
    StartAt: "$recognize",
    TimeoutSeconds: timeoutSeconds,
    States: {
      ...readingStates({ prefix: "$", ways: { choices: [], otherwise: "$begin" }, catches }),
      $begin: {
        Type: "Task",
        Resource: resource("begin-nodes"),
        ResultPath: "$.n",
        Retry: STEP_RETRY,
        Catch: catches,
        Next: StartAt,
      },
      ...States,
      [SETTLE_STATE]: { Type: "Task", Resource: resource("settle"), Retry: STEP_RETRY, End: true },
    },
  };
}
