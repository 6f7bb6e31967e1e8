/**
 * Rules of Step Functions that neither linter of Amazon States Language checks.
 * Source: https://states-language.net/spec.html and the AWS Step Functions Developer Guide.
 */

type JsonObject = { [member: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Optimized integrations that the machines may use; any other is a mistake, or needs new rights. */
const INTEGRATIONS = [
  /^arn:[^:]*:lambda:[^:]*:[^:]*:function:[^:]+(:[^:]+)?$/,
  /^arn:[^:]*:states:::lambda:invoke(\.waitForTaskToken)?$/,
  /^arn:[^:]*:states:::sqs:sendMessage(\.waitForTaskToken)?$/,
  /^arn:[^:]*:states:::states:startExecution(\.sync(:2)?|\.waitForTaskToken)?$/,
];

/** Transient errors of services that a Task must retry: they are no failure of its work. */
const RETRIED_ERRORS: { of: RegExp; errors: string[] }[] = [
  {
    of: /^arn:[^:]*:lambda:|:states:::lambda:invoke/,
    errors: [
      "Lambda.ClientExecutionTimeoutException",
      "Lambda.ServiceException",
      "Lambda.AWSLambdaException",
      "Lambda.SdkClientException",
      "Lambda.TooManyRequestsException",
    ],
  },
  { of: /:states:::sqs:/, errors: ["SQS.SdkClientException", "SQS.AmazonSQSException"] },
  {
    of: /:states:::states:startExecution/,
    errors: ["StepFunctions.ThrottlingException", "StepFunctions.ExecutionLimitExceededException"],
  },
];

/** The partition of an ARN anywhere in a text. */
const ARN_PARTITION_PATTERN = /\barn:([^:'"\s]*):/g;

/** Members of one query language that are meaningless or an error in the other. */
const JSONPATH_ONLY = ["InputPath", "OutputPath", "ResultPath", "Parameters", "ResultSelector", "ItemsPath"];
const JSONATA_ONLY = ["Arguments", "Output", "Items", "Condition"];

/** The first part of a path into the workflow's variables: `$name`, in contrast to `$.member` and `$$.Context`. */
const VARIABLE_PATTERN = /^\$([A-Za-z_]\w*)/;

/** Inner machines, which are checked separately, and names of states, which may begin with a dollar sign. */
const MEMBERS_CHECKED_SEPARATELY = new Set(["Branches", "ItemProcessor", "Iterator", "Next", "Default"]);

interface Machine {
  language: string;
  /** Variables that are assigned here or in an outer machine. */
  assigned: ReadonlySet<string>;
}

/**
 * @param definition a machine with its resources substituted @param partition the partition that it is for
 * @returns faults with their places
 */
export function aslFaults(definition: JsonObject, partition = "aws"): string[] {
  const faults: string[] = [];
  for (const [arn, named] of JSON.stringify(definition).matchAll(ARN_PARTITION_PATTERN)) {
    if (named !== partition) faults.push(`/: ${arn} is not of the partition ${partition}`);
  }
  walkMachine(definition, "", { language: languageOf(definition) ?? "JSONPath", assigned: new Set() }, faults);
  return faults;
}

const languageOf = ({ QueryLanguage }: JsonObject): string | undefined =>
  typeof QueryLanguage === "string" ? QueryLanguage : undefined;

function walkMachine(machine: JsonObject, place: string, around: Machine, faults: string[]): void {
  const own = languageOf(machine);
  if (own !== undefined && own !== around.language) faults.push(`${place || "/"}: a second query language`);
  const states = Object.entries(isObject(machine.States) ? machine.States : {});
  const assigned = new Set(around.assigned);
  for (const [, state] of states) {
    for (const assigning of [state, ...branchesOf(state)]) {
      if (isObject(assigning) && isObject(assigning.Assign)) {
        for (const name of Object.keys(assigning.Assign)) assigned.add(name.replace(/\.\$$/, ""));
      }
    }
  }
  for (const [name, state] of states) {
    if (isObject(state)) checkState(state, `${place}/${name}`, { ...around, assigned }, faults);
  }
}

/** A Catch and a Choice rule assign, too. */
const branchesOf = (state: unknown): unknown[] =>
  isObject(state) ? [state.Catch, state.Choices].filter(Array.isArray).flat() : [];

function checkState(state: JsonObject, place: string, machine: Machine, faults: string[]): void {
  const say = (fault: string) => faults.push(`${place}: ${fault}`);
  const language = languageOf(state) ?? machine.language;
  if (language !== machine.language) say("a second query language");
  const foreign = language === "JSONata" ? JSONPATH_ONLY : JSONATA_ONLY;
  for (const member of foreign) if (member in state) say(`${member} is not of ${language}`);
  for (const kind of ["Retry", "Catch"]) checkErrors(state[kind], kind, say);
  checkTimes(state, say);
  checkVariables(state, machine.assigned, say);
  if (state.Type === "Task" && !INTEGRATIONS.some((known) => known.test(String(state.Resource)))) {
    say(`${state.Resource} is no integration that the service uses`);
  }
  if (state.Type === "Task") checkRetries(state, say);
  const inner = [state.Branches, state.ItemProcessor, state.Iterator].flat().filter(isObject);
  for (const [index, one] of inner.entries()) walkMachine(one, `${place}/${index}`, machine, faults);
  if (state.Type === "Map") checkMap(state, say);
}

/** The errors that a Task's clauses of Retry name. */
const retriedErrors = ({ Retry }: JsonObject): unknown[] =>
  Array.isArray(Retry)
    ? Retry.flatMap((clause) => (isObject(clause) && Array.isArray(clause.ErrorEquals) ? clause.ErrorEquals : []))
    : [];

function checkRetries(state: JsonObject, say: (fault: string) => void): void {
  const retried = retriedErrors(state);
  if (retried.includes("States.ALL")) return;
  for (const { of, errors } of RETRIED_ERRORS) {
    if (!of.test(String(state.Resource))) continue;
    for (const error of errors) if (!retried.includes(error)) say(`does not retry ${error}`);
  }
}

/** Only the last one may take every error, alone: anything after or beside it never matches. */
function checkErrors(clauses: unknown, kind: string, say: (fault: string) => void): void {
  if (!Array.isArray(clauses)) return;
  for (const [index, clause] of clauses.entries()) {
    const errors = isObject(clause) && Array.isArray(clause.ErrorEquals) ? clause.ErrorEquals : [];
    if (errors.length === 0) say(`${kind} ${index} names no error`);
    if (!errors.includes("States.ALL")) continue;
    if (errors.length > 1) say(`${kind} ${index}: States.ALL stands alone`);
    if (index < clauses.length - 1) say(`${kind} ${index}: States.ALL stands last`);
  }
}

function checkTimes({ HeartbeatSeconds, TimeoutSeconds }: JsonObject, say: (fault: string) => void): void {
  if (typeof HeartbeatSeconds !== "number") return;
  // The default timeout of a Task is 99,999,999 seconds.
  if (HeartbeatSeconds >= (typeof TimeoutSeconds === "number" ? TimeoutSeconds : 99_999_999)) {
    say("HeartbeatSeconds is not below TimeoutSeconds");
  }
}

/** Reads of variables in payload templates and paths; in machines of JSONPath `$name` means nothing else. */
function checkVariables(state: JsonObject, assigned: ReadonlySet<string>, say: (fault: string) => void): void {
  const look = (value: unknown): void => {
    if (typeof value === "string") {
      const name = VARIABLE_PATTERN.exec(value)?.[1];
      if (name !== undefined && !assigned.has(name)) say(`$${name} is never assigned`);
    } else if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value)) {
      for (const [member, one] of Object.entries(value)) {
        if (!MEMBERS_CHECKED_SEPARATELY.has(member)) look(one);
      }
    }
  };
  look(state);
}

function checkMap(state: JsonObject, say: (fault: string) => void): void {
  const processor = isObject(state.ItemProcessor) ? state.ItemProcessor : {};
  const { Mode = "INLINE" } = isObject(processor.ProcessorConfig) ? processor.ProcessorConfig : {};
  if (Mode !== "INLINE") return;
  for (const member of [
    "ItemReader",
    "ItemBatcher",
    "ResultWriter",
    "ToleratedFailurePercentage",
    "ToleratedFailureCount",
  ]) {
    if (member in state) say(`${member} is for distributed Maps`);
  }
}
