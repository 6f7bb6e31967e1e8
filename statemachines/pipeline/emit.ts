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
  type ChoiceTest,
  STEP_RETRY,
  type State,
  type StateMachine,
  type TaskState,
} from "../asl.ts";
import { readingStates } from "../reading.ts";
import type { Condition, Operand } from "./conditions.ts";
import type { NodeType, PipelineDefinition } from "./definition.ts";
import type { Facts, Producer } from "./facts.ts";
import type { BesideStep, Flow, FlowStep, NodeStep } from "./flow.ts";

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
const RUN = { "organizationId.$": "$.organizationId", "guid.$": "$.guid", "run.$": "$.run" };

/** What an emitter carries along. */
interface Scope {
  facts: Facts;
  queued: boolean;
  /** What catches an error that ends the run; inside of branches the state around them does. */
  catches: TaskState["Catch"];
}

const resource = (step: PipelineStep): string => `\${${step}}`;
const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Step Functions allows 80 characters, of which some are for what is added to a name. */
export const stateName = (text: string): string =>
  text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 9)}~${shortHash(text)}`;

const keyOf = (producer: Producer): string => (producer === "begin" ? "begin" : `n${producer}`);
const placeOf = (producer: Producer): string => `$.n.${keyOf(producer)}`;

function variableOf(operand: Operand, facts: Facts): string | undefined {
  if (operand.kind !== "path") return undefined;
  const { producer, name } = facts.find(operand);
  return `${placeOf(producer)}.facts.${name}`;
}

const isText = (Variable: string): ChoiceTest => ({ Variable, IsString: true });

/** Both must be there; what finds nothing is neither equal nor unequal. */
function testComparison(kind: "eq" | "ne", left: Operand, right: Operand, facts: Facts): ChoiceTest {
  const [one, other] = [left, right].map((operand) => variableOf(operand, facts));
  const variable = one ?? other;
  if (variable === undefined) throw new RangeError("A comparison of two values is no question");
  const literal = left.kind === "fact" ? left.text : right.kind === "fact" ? right.text : undefined;
  const equal: ChoiceTest =
    literal === undefined
      ? { Variable: variable, StringEqualsPath: other ?? "" }
      : { Variable: variable, StringEquals: literal };
  const there = [isText(variable), ...(literal === undefined && other !== undefined ? [isText(other)] : [])];
  return { And: [...there, kind === "eq" ? equal : { Not: equal }] };
}

/** A comparison of two values, whose answer is known, as a test that gives it. */
const always = (holds: boolean): ChoiceTest => ({ Variable: "$.guid", IsPresent: holds });

function testOf(condition: Condition, facts: Facts): ChoiceTest {
  switch (condition.kind) {
    case "exists":
      return isText(variableOf(condition.path, facts) ?? "");
    case "not":
      return { Not: testOf(condition.condition, facts) };
    case "and":
    case "or": {
      const tests = condition.conditions.map((part) => testOf(part, facts));
      return condition.kind === "and" ? { And: tests } : { Or: tests };
    }
    default: {
      const { kind, left, right } = condition;
      if (left.kind === "fact" && right.kind === "fact") return always((left.text === right.text) === (kind === "eq"));
      return testComparison(kind, left, right, facts);
    }
  }
}

type States = [string, State][];

/** Where a state goes on; undefined: its branch ends. */
const onwards = (next: string | undefined) => (next === undefined ? { End: true as const } : { Next: next });

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

function emitNode(step: NodeStep, next: string | undefined, { facts, queued, catches }: Scope): States {
  const { node, guard, kept } = step;
  const ResultPath = kept ? placeOf(node.index) : null;
  const mark = (status: "SKIPPED" | "FAILED"): State => ({
    Type: "Task",
    Resource: resource("mark-node"),
    Parameters: { ...RUN, node: node.id, status, ...(status === "FAILED" ? { "failure.$": "$.caught" } : {}) },
    ResultPath,
    Retry: STEP_RETRY,
    ...(catches === undefined ? {} : { Catch: catches }),
    ...onwards(next),
  });
  const states: States = [];
  if (guard === "never") return [[names.skipped(step), mark("SKIPPED")]];
  if (guard !== null) {
    states.push([names.guard(step), emitGuard(step, guard, facts)], [names.skipped(step), mark("SKIPPED")]);
  }
  const goesOn = node.onError === "continue";
  if (goesOn) states.push([names.failed(step), mark("FAILED")]);
  const ownCatch = goesOn
    ? [{ ErrorEquals: ["States.ALL"], ResultPath: "$.caught", Next: names.failed(step) }]
    : catches;
  const work: State = {
    Type: "Task",
    Resource: resource(node.type === "extract" && queued ? "queued-node" : STEP_OF[node.type]),
    Parameters: { ...RUN, node: node.id },
    ResultPath,
    ...(node.timeoutSeconds === null ? {} : { TimeoutSeconds: node.timeoutSeconds }),
    Retry: STEP_RETRY,
    ...(ownCatch === undefined ? {} : { Catch: ownCatch }),
    ...onwards(next),
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
          carried.map(({ producer, branch }) => [`${keyOf(producer)}.$`, `$[${branch}].n.${keyOf(producer)}`]),
        ),
        ResultPath: "$.n",
      };

function emitBeside(step: BesideStep, next: string | undefined, scope: Scope): States {
  const inside = { ...scope, catches: undefined };
  const branches = step.branches.map((branch) => emitFlow(branch, undefined, inside));
  const around = {
    ...carriedOut(step),
    ...(scope.catches === undefined ? {} : { Catch: scope.catches }),
    ...onwards(next),
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
  const states = Object.assign({ [pick]: choice }, ...branches.map(({ States }) => States));
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
  const { StartAt, States } = emitFlow(flow, SETTLE, { facts, queued: definition.execution === "queue", catches });
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
