import type { Json } from "../../functions/ports/json.ts";
import type { StateMachineDefinition, Step } from "../../functions/ports/workflows.ts";

type Members = { [member: string]: Json };

/** A machine with one state. */
export const single = (state: Members): StateMachineDefinition => ({
  StartAt: "Only",
  States: { Only: { ...state, End: true } },
});

/** A Task that calls a step. */
export const task = (step: string, members: Members = {}): Members => ({
  Type: "Task",
  Resource: `\${${step}}`,
  ...members,
});

/** A machine with states in a row; the last one ends it. */
export function row(states: Record<string, Members>, members: Members = {}): StateMachineDefinition {
  const names = Object.keys(states);
  const linked = names.map((name, index) => {
    const next = names[index + 1];
    return [name, { ...states[name], ...(next === undefined ? { End: true } : { Next: next }) }];
  });
  return { ...members, StartAt: names[0] ?? "", States: Object.fromEntries(linked) };
}

/** A Map over `$.items` whose iterations succeed whatever happens in them. */
export const caughtMap = (step: string, concurrency: number): StateMachineDefinition =>
  single({
    Type: "Map",
    ItemsPath: "$.items",
    MaxConcurrency: concurrency,
    ItemSelector: {
      "item.$": "$$.Map.Item.Value",
      "index.$": "$$.Map.Item.Index",
      "all.$": "$.note",
      "log.$": "$.log",
    },
    ItemProcessor: {
      ProcessorConfig: { Mode: "INLINE" },
      StartAt: "Work",
      States: {
        Work: task(step, {
          End: true,
          Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "Caught" }],
        }),
        Caught: { Type: "Pass", End: true },
      },
    },
  });

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function namedError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

const membersOf = (input: Json): Members =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};

/** The calls of the suite's steps, by the `log` of their input: a function in the cloud does not know its execution. */
export interface StepLog {
  calls: Map<string, number>;
  /** The time of each call, in milliseconds. */
  times: Map<string, number[]>;
  most: Map<string, number>;
}

/** The steps of the suite's machines; their behaviour is part of their input. */
export function suiteSteps(): { steps: Record<string, Step>; log: StepLog } {
  const log: StepLog = { calls: new Map(), times: new Map(), most: new Map() };
  const now = new Map<string, number>();
  const count = (input: Json) => {
    const name = String(membersOf(input).log);
    const calls = (log.calls.get(name) ?? 0) + 1;
    log.calls.set(name, calls);
    log.times.set(name, [...(log.times.get(name) ?? []), Date.now()]);
    return calls;
  };
  const steps: Record<string, Step> = {
    /** Answers with its input. */
    echo: async (input) => {
      count(input);
      return { given: input };
    },
    /** Throws the error named in `error`, for the first `times` calls or always. */
    fail: async (input) => {
      const { error, message, times } = membersOf(input);
      const calls = count(input);
      if (typeof times === "number" && calls > times) return { calls };
      throw namedError(String(error ?? "Broken"), String(message ?? "it broke"));
    },
    /** Takes `milliseconds`. */
    slow: async (input) => {
      count(input);
      await sleep(Number(membersOf(input).milliseconds));
      return "slept";
    },
    /** Answers with a text of `size` characters. */
    large: async (input) => "x".repeat(Number(membersOf(input).size)),
    /** Records how many of its calls run at once, each for `milliseconds`; fails for odd items. */
    crowd: async (input) => {
      const { item, index, milliseconds, log: name = "" } = membersOf(input);
      const key = String(name);
      const present = (now.get(key) ?? 0) + 1;
      now.set(key, present);
      log.most.set(key, Math.max(present, log.most.get(key) ?? 0));
      await sleep(Number(milliseconds ?? 20));
      now.set(key, (now.get(key) ?? 1) - 1);
      if (Number(item) % 2 === 1) throw namedError("Odd", `item ${item} is odd`);
      return { index: index ?? null, doubled: Number(item) * 2 };
    },
  };
  return { steps, log };
}
