/**
 * Refuses, when a machine is created, features that the local interpreter ignores or runs differently from Step
 * Functions.
 * The interpreter's own validation checks everything else.
 */
import { BadRequest } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { MACHINE_PATH, machineOf, objectsIn, START_AND_WAIT } from "../workflows-json.ts";
import { checkDefinitionSize } from "../workflows-limits.ts";

/** Seconds, below the timer limit of 2^31 milliseconds. */
export const MAX_TIMER_SECONDS = 2_000_000;

const REFUSED_MEMBERS: Record<string, string> = {
  ItemReader: "reads its items from a store (ItemReader)",
  ItemBatcher: "batches its items (ItemBatcher)",
  ResultWriter: "writes its results to a store (ResultWriter)",
  ToleratedFailureCount: "tolerates failures (ToleratedFailureCount)",
  ToleratedFailureCountPath: "tolerates failures (ToleratedFailureCountPath)",
  ToleratedFailurePercentage: "tolerates failures (ToleratedFailurePercentage)",
  ToleratedFailurePercentagePath: "tolerates failures (ToleratedFailurePercentagePath)",
  Assign: "assigns variables (Assign)",
  HeartbeatSeconds: "expects heartbeats (HeartbeatSeconds)",
  HeartbeatSecondsPath: "expects heartbeats (HeartbeatSecondsPath)",
  Credentials: "takes another role (Credentials)",
  Arguments: "is written in JSONata (Arguments)",
  Output: "is written in JSONata (Output)",
  Items: "is written in JSONata (Items)",
};

const TEMPLATE_MEMBERS = new Set(["Parameters", "ItemSelector", "ResultSelector"]);
const PLACEHOLDER = /^\$\{([A-Za-z0-9_-]{1,64})\}$/;
/** Code units below U+0020, which the service forbids in names; the compiler's own states use them. */
const FIRST_NAME_CODE_UNIT = 0x20;

const refuse = (state: string, does: string): never => {
  throw new BadRequest(`The state "${state}" ${does}, which the workflows of this machine do not run.`);
};

/** The step of a Task's resource; undefined unless it is a `${name}` placeholder. */
export const stepOf = (state: JsonObject): string | undefined =>
  typeof state.Resource === "string" ? PLACEHOLDER.exec(state.Resource)?.[1] : undefined;

/** A Map's inner machine, by the member's present or former name. */
export const itemProcessorOf = (state: JsonObject): Json | undefined => state.ItemProcessor ?? state.Iterator;

function innerMachines(state: JsonObject): JsonObject[] {
  const item = itemProcessorOf(state);
  return [...objectsIn(state.Branches), ...(isObject(item) ? [item] : [])];
}

/** Every state of a machine with its name, including those of branches and iterations. */
export function* statesOf(machine: JsonObject): Generator<{ name: string; state: JsonObject }> {
  if (!isObject(machine.States)) return;
  for (const [name, state] of Object.entries(machine.States)) {
    if (!isObject(state)) continue;
    yield { name, state };
    for (const inner of innerMachines(state)) yield* statesOf(inner);
  }
}

/** Paths and intrinsics of a payload template: values of the members that end in `.$`. */
function* templatePaths(template: Json): Generator<string> {
  if (Array.isArray(template)) {
    for (const item of template) yield* templatePaths(item);
  } else if (isObject(template)) {
    for (const [name, value] of Object.entries(template)) {
      if (!name.endsWith(".$")) yield* templatePaths(value);
      else if (typeof value === "string") yield value;
    }
  }
}

function* rulePaths(rule: JsonObject): Generator<string> {
  for (const [name, value] of Object.entries(rule)) {
    if (typeof value === "string" && (name === "Variable" || name.endsWith("Path"))) yield value;
    else if (name === "Not" && isObject(value)) yield* rulePaths(value);
    else if (name === "And" || name === "Or") for (const inner of objectsIn(value)) yield* rulePaths(inner);
  }
}

/** Every path of a state, with its member. */
function* statePaths(state: JsonObject): Generator<{ member: string; path: string }> {
  for (const [member, value] of Object.entries(state)) {
    if (TEMPLATE_MEMBERS.has(member)) for (const path of templatePaths(value)) yield { member, path };
    else if (typeof value === "string" && member.endsWith("Path")) yield { member, path: value };
  }
  for (const rule of objectsIn(state.Choices)) {
    for (const path of rulePaths(rule)) yield { member: "Choices", path };
  }
}

function checkPaths(name: string, state: JsonObject): void {
  const isSelector = (member: string) => member === "ItemSelector" || (member === "Parameters" && state.Type === "Map");
  for (const { member, path } of statePaths(state)) {
    const bare = path.replaceAll(/'(?:\\.|[^'\\])*'/g, "''");
    for (const [, part] of bare.matchAll(/\$\$(\.?\w*)/g)) {
      const known = part === ".Execution" || part === ".StateMachine" || (part === ".Map" && isSelector(member));
      if (!known) refuse(name, `reads $$${part} of the context in ${member}`);
    }
    if (member !== "Choices" && !TEMPLATE_MEMBERS.has(member) && bare.startsWith("States.")) {
      refuse(name, `computes ${member} with a function`);
    }
    // The interpreter drops the backslashes of every text that a function returns.
    if (bare.includes("States.JsonToString")) refuse(name, "writes JSON as text (States.JsonToString)");
  }
}

/** Supported parameters for starting an execution; any other would be ignored. */
const START_PARAMETERS = new Set(["StateMachineArn", MACHINE_PATH, "Name", "Name.$", "Input", "Input.$"]);

/**
 * The machine that a Task starts an execution of and waits for; null when only the input names it; undefined for any
 * other Task.
 */
export function startedBy(state: JsonObject): string | null | undefined {
  if (state.Resource !== START_AND_WAIT || !isObject(state.Parameters)) return undefined;
  return MACHINE_PATH in state.Parameters ? null : machineOf(state.Parameters.StateMachineArn);
}

function checkTask(name: string, state: JsonObject, steps: ReadonlySet<string>): void {
  if (startedBy(state) !== undefined && isObject(state.Parameters)) {
    const foreign = Object.keys(state.Parameters).find((member) => !START_PARAMETERS.has(member));
    if (foreign !== undefined) refuse(name, `starts an execution with ${foreign}`);
    if (!("Name" in state.Parameters || "Name.$" in state.Parameters)) refuse(name, "starts a nameless execution");
    return;
  }
  const step = stepOf(state);
  if (step === undefined)
    refuse(name, `calls ${JSON.stringify(state.Resource ?? null)} instead of a step's placeholder`);
  else if (!steps.has(step)) refuse(name, `calls the step "${step}"`);
}

function checkMap(name: string, state: JsonObject): void {
  const item = itemProcessorOf(state);
  const config = isObject(item) ? item.ProcessorConfig : undefined;
  const mode = isObject(config) ? config.Mode : undefined;
  if (mode !== undefined && mode !== "INLINE") refuse(name, `is a distributed Map (Mode ${JSON.stringify(mode)})`);
}

function checkMembers(name: string, state: JsonObject): void {
  for (const part of [state, ...objectsIn(state.Choices), ...objectsIn(state.Catch)]) {
    for (const member of Object.keys(part)) {
      const does = Object.hasOwn(REFUSED_MEMBERS, member) ? REFUSED_MEMBERS[member] : undefined;
      if (does !== undefined) refuse(name, does);
    }
  }
  if (state.QueryLanguage !== undefined && state.QueryLanguage !== "JSONPath") {
    refuse(name, "is written in JSONata (QueryLanguage)");
  }
  if (typeof state.Seconds === "number" && state.Seconds > MAX_TIMER_SECONDS) {
    refuse(name, `waits more than ${MAX_TIMER_SECONDS} seconds`);
  }
}

function checkName(name: string, seen: Set<string>): void {
  if (name === "" || name.length > 80 || [...name].some((sign) => (sign.codePointAt(0) ?? 0) < FIRST_NAME_CODE_UNIT)) {
    throw new BadRequest("A state's name must have 1 to 80 characters, none of them a control character.");
  }
  if (seen.has(name)) throw new BadRequest(`The machine has two states named "${name}"; names must be unique.`);
  seen.add(name);
}

/**
 * Refuses unsupported features, with one sentence that names the state and the feature.
 * @throws BadRequest
 */
export function checkDefinition(definition: StateMachineDefinition, text: string, steps: ReadonlySet<string>): void {
  checkDefinitionSize(text);
  if (definition.QueryLanguage !== undefined && definition.QueryLanguage !== "JSONPath") {
    throw new BadRequest("The machine is written in JSONata (QueryLanguage), which the workflows here do not run.");
  }
  const seen = new Set<string>();
  for (const { name, state } of statesOf(definition)) {
    checkName(name, seen);
    checkMembers(name, state);
    checkPaths(name, state);
    if (state.Type === "Task") checkTask(name, state, steps);
    if (state.Type === "Map") checkMap(name, state);
    for (const inner of innerMachines(state)) {
      if (inner.QueryLanguage !== undefined && inner.QueryLanguage !== "JSONPath") {
        refuse(name, "is written in JSONata (QueryLanguage)");
      }
      if (inner.TimeoutSeconds !== undefined) refuse(name, "gives its inner machine a timeout (TimeoutSeconds)");
    }
  }
}
