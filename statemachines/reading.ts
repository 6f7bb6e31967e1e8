/**
 * The first states of every run: read the document's text, synchronously or asynchronously, and enrich it where the run
 * needs that. One Choice decides each time what comes next, because Step Functions charges each state that is entered.
 */
import {
  type Catcher,
  type ChoiceRule,
  type ChoiceTest,
  STEP_RETRY,
  type State,
  stepResource,
  type TaskState,
} from "./asl.ts";

/** Interval between two polls of an asynchronous recognition: most take some seconds, and a poll costs nothing. */
const POLL_SECONDS = 3;

export interface ReadingOptions {
  /** Prefix of the states' names. */
  prefix: string;
  /** The ways on once the document is read and enriched, and the one when none of them holds. */
  ways: { choices: ChoiceRule[]; otherwise: string };
  catches: Catcher[];
}

/** True for a step's answer that is true; a missing answer counts as false. */
const isTrue = (Variable: string): ChoiceTest => ({
  And: [
    { Variable, IsPresent: true },
    { Variable, BooleanEquals: true },
  ],
});

/** Not `IsPresent: false`, which the interpreter of one machine takes for false whatever the variable. */
const isAbsent = (Variable: string): ChoiceTest => ({ Not: { Variable, IsPresent: true } });

/** The recognition is asynchronous, and no poll has ended it. */
const IS_WAITING: ChoiceTest = {
  Or: [isTrue("$.collect.waiting"), { And: [isTrue("$.recognize.waiting"), isAbsent("$.collect")] }],
};
const LACKS_EXTRAS: ChoiceTest = { And: [isTrue("$.recognize.extras"), isAbsent("$.enrich")] };

/** The states from `{prefix}recognize` to those that `ways` names. */
export function readingStates({ prefix, ways, catches }: ReadingOptions): Record<string, State> {
  const name = (state: string): string => `${prefix}${state}`;
  const step = (task: string): TaskState => ({
    Type: "Task",
    Resource: stepResource(task),
    ResultPath: `$.${task}`,
    Retry: STEP_RETRY,
    Catch: catches,
    Next: name("choose"),
  });
  return {
    [name("recognize")]: step("recognize"),
    [name("choose")]: {
      Type: "Choice",
      Choices: [{ ...IS_WAITING, Next: name("wait") }, { ...LACKS_EXTRAS, Next: name("enrich") }, ...ways.choices],
      Default: ways.otherwise,
    },
    [name("wait")]: { Type: "Wait", Seconds: POLL_SECONDS, Next: name("collect") },
    [name("collect")]: step("collect"),
    [name("enrich")]: step("enrich"),
  };
}
