/**
 * The first states of every run: read the document's text, synchronously or asynchronously, and enrich it where the run
 * needs that.
 */
import { type Catcher, type ChoiceState, STEP_RETRY, type State, stepResource, type TaskState } from "./asl.ts";

/** Interval between two polls of an asynchronous recognition: most take some seconds, and a poll costs nothing. */
const POLL_SECONDS = 3;

export interface ReadingOptions {
  /** Prefix of the states' names. */
  prefix: string;
  next: string;
  catches: Catcher[];
}

/** Branches on a step's answer; a missing answer counts as false. */
const choiceIfTrue = (Variable: string, then: string, otherwise: string): ChoiceState => {
  const said = [
    { Variable, IsPresent: true },
    { Variable, BooleanEquals: true },
  ];
  return { Type: "Choice", Choices: [{ And: said, Next: then }], Default: otherwise };
};

/** The states from `{prefix}recognize` to `next`. */
export function readingStates({ prefix, next, catches }: ReadingOptions): Record<string, State> {
  const name = (state: string): string => `${prefix}${state}`;
  const step = (task: string, then: string): TaskState => ({
    Type: "Task",
    Resource: stepResource(task),
    ResultPath: `$.${task}`,
    Retry: STEP_RETRY,
    Catch: catches,
    Next: then,
  });
  return {
    [name("recognize")]: step("recognize", name("recognized")),
    [name("recognized")]: choiceIfTrue("$.recognize.waiting", name("wait"), name("read")),
    [name("wait")]: { Type: "Wait", Seconds: POLL_SECONDS, Next: name("collect") },
    [name("collect")]: step("collect", name("collected")),
    [name("collected")]: choiceIfTrue("$.collect.waiting", name("wait"), name("read")),
    [name("read")]: choiceIfTrue("$.recognize.extras", name("enrich"), next),
    [name("enrich")]: step("enrich", next),
  };
}
