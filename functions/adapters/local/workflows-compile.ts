/**
 * Compiles a definition to machines for the interpreter. Map and Parallel become Tasks whose handlers run their inner
 * machines (workflows-run.ts), because the interpreter's own Map and Parallel lose the last events of their inner
 * states,
 * start further items after a failure, and give branches the wrong `$$.Execution`.
 */
import type { StateMachineDefinition as InterpretedDefinition, StateMachine } from "aws-local-stepfunctions";
import { BadRequest } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { mapMembers, objectsIn } from "../workflows-json.ts";
import { itemProcessorOf, MAX_TIMER_SECONDS, startedBy, stepOf } from "./workflows-check.ts";
import { FUNCTION_ARN, rewriteContainer, rewriteState, rewriteTemplate } from "./workflows-rewrite.ts";

/** Step Functions' default for an inline Map. */
const DEFAULT_MAP_CONCURRENCY = 40;
/** State that applies a Map's ItemSelector. No user state can have this name: it holds a control character. */
const SELECTOR_STATE = "\u0000item";

export type CompiledTask =
  | { kind: "step"; step: string }
  /** Starts an execution of that machine, or of the one that the input names, and waits for it. */
  | { kind: "execution"; machine: string | null }
  | { kind: "parallel"; branches: CompiledMachine[] }
  | { kind: "map"; item: CompiledMachine; selects: boolean; concurrency: number };

/** One machine for the interpreter: the whole definition, a branch or an iteration. */
export interface CompiledMachine {
  interpreter: StateMachine;
  /** Tasks of this machine alone, by state name. */
  tasks: Map<string, CompiledTask>;
  /** State types from the definition; states that the compiler added are not included. */
  types: Map<string, string>;
  /** Timeout in milliseconds; on the outermost machine only. */
  timeout?: number;
}

/**
 * Loads the interpreter once: it is large (it imports an AWS client, which is never called). A service loads it at its
 * start, while it certainly has file handles.
 */
export const loadInterpreter = () => import("aws-local-stepfunctions");

/** The definition with resources that pass the interpreter's validation. */
function withResources(machine: JsonObject): JsonObject {
  return mapMembers(machine, (name, states) => {
    if (name !== "States" || !isObject(states)) return states;
    return mapMembers(states, (_, state) =>
      isObject(state)
        ? mapMembers(state, (member, value) => {
            if (member === "Resource") return FUNCTION_ARN;
            if (member === "Branches") return objectsIn(value).map(withResources);
            const isItem = (member === "ItemProcessor" || member === "Iterator") && isObject(value);
            return isItem ? withResources(value) : value;
          })
        : state,
    );
  });
}

const asDefinition = (machine: JsonObject) => machine as unknown as InterpretedDefinition;

/** Validates a definition with the interpreter's validator. @throws BadRequest */
export async function validateDefinition(definition: StateMachineDefinition): Promise<void> {
  const { StateMachine } = await loadInterpreter();
  try {
    new StateMachine(asDefinition(withResources(definition)));
  } catch (error) {
    const reasons = error instanceof Error ? error.message.split("\n").slice(1, 6).join("; ").trim() : String(error);
    throw new BadRequest(`The state machine is not valid: ${reasons}`, { cause: error });
  }
}

/** Compiles a checked definition. */
export async function compileDefinition(definition: StateMachineDefinition): Promise<CompiledMachine> {
  const { StateMachine } = await loadInterpreter();
  const make = (machine: JsonObject) =>
    new StateMachine(asDefinition(machine), { validationOptions: { noValidate: true } });
  const compiled = compileMachine(definition, make);
  const seconds = definition.TimeoutSeconds;
  if (typeof seconds === "number") compiled.timeout = Math.min(seconds, MAX_TIMER_SECONDS) * 1000;
  return compiled;
}

type MakeMachine = (machine: JsonObject) => StateMachine;

function compileMachine(machine: JsonObject, make: MakeMachine, selector?: Json): CompiledMachine {
  const tasks = new Map<string, CompiledTask>();
  const types = new Map<string, string>();
  const states: [string, Json][] = [];
  const start = machine.StartAt ?? null;
  if (selector !== undefined) {
    states.push([SELECTOR_STATE, { Type: "Pass", Parameters: rewriteTemplate(selector), Next: start }]);
  }
  for (const [name, state] of Object.entries(isObject(machine.States) ? machine.States : {})) {
    if (!isObject(state)) continue;
    types.set(name, String(state.Type));
    states.push([name, compileState(name, state, tasks, make)]);
  }
  const definition = { StartAt: selector === undefined ? start : SELECTOR_STATE, States: Object.fromEntries(states) };
  return { interpreter: make(definition), tasks, types };
}

function compileState(
  name: string,
  state: JsonObject,
  tasks: Map<string, CompiledTask>,
  make: MakeMachine,
): JsonObject {
  if (state.Type === "Parallel") {
    const branches = objectsIn(state.Branches).map((branch) => compileMachine(branch, make));
    tasks.set(name, { kind: "parallel", branches });
    return rewriteContainer(state);
  }
  if (state.Type === "Map") {
    const processor = itemProcessorOf(state);
    const selector = state.ItemSelector ?? state.Parameters;
    const item = compileMachine(isObject(processor) ? processor : {}, make, selector);
    const concurrency = Number(state.MaxConcurrency ?? 0) || DEFAULT_MAP_CONCURRENCY;
    tasks.set(name, { kind: "map", item, selects: selector !== undefined, concurrency });
    const path = state.MaxConcurrencyPath;
    return rewriteContainer(state, {
      "input.$": "$",
      "items.$": state.ItemsPath ?? "$",
      ...(path === undefined ? {} : { "concurrency.$": path }),
    });
  }
  if (state.Type === "Task") {
    const machine = startedBy(state);
    tasks.set(
      name,
      machine === undefined ? { kind: "step", step: stepOf(state) ?? "" } : { kind: "execution", machine },
    );
  }
  return rewriteState(state);
}
