/** The states with which every run begins: the text is read, here or elsewhere, and what else of the document is asked for. */
import { type Catcher, type ChoiceState, STEP_RETRY, type State, type TaskState } from "./asl.ts";

/** Between two looks at a recognition that goes on elsewhere: most take some seconds, and a look costs nothing. */
const POLL_SECONDS = 3;

export interface ReadingOptions {
  /** What the states' names begin with. */
  prefix: string;
  next: string;
  catches: Catcher[];
}

/** The driver puts the function's name or ARN there. */
const resource = (name: string): string => `\${${name}}`;

/** What a step said, where it said it. */
const choiceIfTrue = (Variable: string, then: string, otherwise: string): ChoiceState => {
  const said = [
    { Variable, IsPresent: true },
    { Variable, BooleanEquals: true },
  ];
  return { Type: "Choice", Choices: [{ And: said, Next: then }], Default: otherwise };
};

/** From `{prefix}recognize` to `next`. */
export function readingStates({ prefix, next, catches }: ReadingOptions): Record<string, State> {
  const name = (state: string): string => `${prefix}${state}`;
  const step = (task: string, then: string): TaskState => ({
    Type: "Task",
    Resource: resource(task),
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
