/**
 * Last pass: flow → Amazon States Language (JSONPath). The machine's state holds the run's keys and, under `n`, what
 * became of the nodes that something behind them reads: `$.n.n3` is the node with the number 3. Names of states are the
 * users' ids; what is not a user's begins with `$` or has a blank in it, which no id has.
 * Source: https://states-language.net/spec.html
 */
import { createHash } from "node:crypto";
import {
  type ChoiceRule,
  type ChoiceState,
  STEP_RETRY,
  type State,
  type StateMachine,
  type TaskState,
} from "../asl.ts";
import { readingStates } from "../reading.ts";
import { keyOf, placeOf, testOf } from "./choices.ts";
import type { NodeType, PipelineDefinition } from "./definition.ts";
import type { Facts } from "./facts.ts";
import { type BesideStep, type Carried, carriedBy, type Flow, type FlowStep, type NodeStep } from "./flow.ts";

/** The steps that pipelines' machines call; each is a file in functions/steps. */
export const PIPELINE_STEPS = [
  "recognize",
  "collect",
  "enrich",
  "begin-nodes",
  "extract-node",
  "queued-node",
  "compute-node",
  "correct-node",
  "operate-node",
  "mark-node",
  "settle",
] as const;
export type PipelineStep = (typeof PIPELINE_STEPS)[number];

const STEP_OF: Record<NodeType, PipelineStep> = {
  extract: "extract-node",
  validate: "compute-node",
  transform: "compute-node",
  final: "compute-node",
  OCR_CORRECT: "correct-node",
  operation: "operate-node",
};

const SETTLE = "$settle";
const LONGEST_NAME = 60;
/** So many that nobody finds two names with one hash. */
const HASH_DIGITS = 24;
const RUN = { "organizationId.$": "$.organizationId", "guid.$": "$.guid", "run.$": "$.run" };

/** What an emitter carries along. */
interface Scope {
  facts: Facts;
  queued: boolean;
  /** What catches an error that ends the run; inside of branches the state around them does. */
  catches: TaskState["Catch"];
  /** What comes out at the end of a branch: a path, or null for nothing. */
  output: string | null;
}

const resource = (step: PipelineStep): string => `\${${step}}`;
const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);

/** Step Functions allows 80 characters, of which some are for what is added to a name. */
export const stateName = (text: string): string =>
  text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - HASH_DIGITS - 1)}~${shortHash(text)}`;

type States = [string, State][];

/**
 * Where a state goes on; undefined: its branch ends. Then only what is looked for behind it comes out: the outputs of all
 * branches are one payload.
 */
const onwards = (next: string | undefined, { output }: Scope) =>
  next === undefined ? { OutputPath: output, End: true as const } : { Next: next };

const names = {
  node: ({ node }: NodeStep) => stateName(node.id),
  guard: (step: NodeStep) => `${names.node(step)}?`,
  skipped: (step: NodeStep) => `${names.node(step)} skipped`,
  failed: (step: NodeStep) => `${names.node(step)} failed`,
};

/** The heads of its branches name it, so that the console tells what is beside what. */
function nameOf(step: BesideStep): string {
  const heads = step.branches.map((branch) => headsOf(branch).join(" + "));
  return `${stateName(`${step.limit === null ? "" : `${step.limit} of `}${heads.join(", ")}`)} together`;
}

function headsOf(flow: Flow): string[] {
  const [first] = flow;
  if (first === undefined) return [];
  return first.kind === "node" ? [first.node.id] : first.branches.flatMap(headsOf);
}

/** The state that a step begins with. */
function entryOf(step: FlowStep): string {
  if (step.kind === "beside") return step.limit === null ? nameOf(step) : `${nameOf(step)}: which`;
  if (step.guard === "never") return names.skipped(step);
  return step.guard === null ? names.node(step) : names.guard(step);
}

function emitNode(step: NodeStep, next: string | undefined, scope: Scope): States {
  const { facts, queued, catches } = scope;
  const { node, guard, kept } = step;
  const ResultPath = kept ? placeOf(node.index) : null;
  const mark = (status: "SKIPPED" | "FAILED" | "ENDED"): State => ({
    Type: "Task",
    Resource: resource("mark-node"),
    Parameters: { ...RUN, node: node.id, status, ...(status === "SKIPPED" ? {} : { "failure.$": "$.caught" }) },
    ResultPath,
    Retry: STEP_RETRY,
    ...(catches === undefined ? {} : { Catch: catches }),
    ...onwards(next, scope),
  });
  const states: States = [];
  if (guard === "never") return [[names.skipped(step), mark("SKIPPED")]];
  if (guard !== null) {
    states.push([names.guard(step), emitGuard(step, guard, facts)], [names.skipped(step), mark("SKIPPED")]);
  }
  // Who did the work may have died without a word, beside others: only here is it known whose it was.
  states.push([names.failed(step), mark(node.onError === "continue" ? "FAILED" : "ENDED")]);
  const work: State = {
    Type: "Task",
    Resource: resource(node.type === "extract" && queued ? "queued-node" : STEP_OF[node.type]),
    Parameters: { ...RUN, node: node.id, ...(node.type === "extract" && queued ? { tier: node.tier } : {}) },
    ResultPath,
    ...(node.timeoutSeconds === null ? {} : { TimeoutSeconds: node.timeoutSeconds }),
    Retry: STEP_RETRY,
    Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.caught", Next: names.failed(step) }],
    ...onwards(next, scope),
  };
  return [...states, [names.node(step), work]];
}

function emitGuard(step: NodeStep, guard: Exclude<NodeStep["guard"], "never" | null>, facts: Facts): ChoiceState {
  const [run, skip] = [names.node(step), names.skipped(step)];
  const became = (status: string) => (node: number) => ({ Variable: `${placeOf(node)}.status`, StringEquals: status });
  const skips: ChoiceRule[] = [];
  if (guard.skippedWith.length > 0) skips.push({ And: guard.skippedWith.map(became("SKIPPED")), Next: skip });
  if (guard.rivals.length > 0) skips.push({ Or: guard.rivals.map(became("COMPLETED")), Next: skip });
  if (guard.condition === null) return { Type: "Choice", Choices: skips, Default: run };
  return {
    Type: "Choice",
    Choices: [...skips, { ...testOf(guard.condition, facts), Next: run }],
    Default: skip,
  };
}

/** What comes out of branches, put where it was looked for before them. */
const carriedOut = ({ carried }: BesideStep) =>
  carried.length === 0
    ? { ResultPath: null }
    : {
        ResultSelector: Object.fromEntries(
          carried.map(({ producer, branch }) => {
            const alone = carriedBy(carried, branch).length === 1;
            return [`${keyOf(producer)}.$`, alone ? `$[${branch}]` : `$[${branch}].${keyOf(producer)}`];
          }),
        ),
        ResultPath: "$.n",
      };

function outputOf(carried: readonly Carried[], branch: number): string | null {
  const [first, second] = carriedBy(carried, branch);
  if (first === undefined) return null;
  return second === undefined ? placeOf(first.producer) : "$.n";
}

function emitBeside(step: BesideStep, next: string | undefined, scope: Scope): States {
  const branches = step.branches.map((branch, at) =>
    emitFlow(branch, undefined, { ...scope, catches: undefined, output: outputOf(step.carried, at) }),
  );
  const around = {
    ...carriedOut(step),
    ...(scope.catches === undefined ? {} : { Catch: scope.catches }),
    ...onwards(next, scope),
  };
  const name = nameOf(step);
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
  // fromEntries defines members, also one named __proto__.
  const states = Object.fromEntries([[pick, choice], ...branches.flatMap(({ States }) => Object.entries(States))]);
  return [
    [`${name}: which`, { Type: "Pass", Result: places, ResultPath: "$.branches", Next: name }],
    [
      name,
      {
        Type: "Map",
        ItemsPath: "$.branches",
        ItemSelector: { ...RUN, "n.$": "$.n", "branch.$": "$$.Map.Item.Value" },
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
  scope: Scope,
): { StartAt: string; States: Record<string, State> } {
  const states = flow.flatMap((step, at) => {
    const following = flow[at + 1];
    const then = following === undefined ? next : entryOf(following);
    return step.kind === "node" ? emitNode(step, then, scope) : emitBeside(step, then, scope);
  });
  const [first] = flow;
  if (first === undefined) throw new RangeError("A branch has at least one step");
  return { StartAt: entryOf(first), States: Object.fromEntries(states) };
}

export interface Emission {
  definition: PipelineDefinition;
  flow: Flow;
  facts: Facts;
  /** After which Step Functions ends a run that nothing else ended. */
  timeoutSeconds: number;
}

/** The same bytes for the same flow. */
export function emitMachine({ definition, flow, facts, timeoutSeconds }: Emission): StateMachine {
  const catches = [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: SETTLE }];
  const { StartAt, States } = emitFlow(flow, SETTLE, {
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
      ...readingStates({ prefix: "$", next: "$begin", catches }),
      $begin: {
        Type: "Task",
        Resource: resource("begin-nodes"),
        ResultPath: "$.n",
        Retry: STEP_RETRY,
        Catch: catches,
        Next: StartAt,
      },
      ...States,
      [SETTLE]: { Type: "Task", Resource: resource("settle"), Retry: STEP_RETRY, End: true },
    },
  };
}
