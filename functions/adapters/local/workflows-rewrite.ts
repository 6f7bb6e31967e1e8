import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import { mapMembers, objectsIn } from "../workflows-json.ts";
import { MAX_TIMER_SECONDS } from "./workflows-check.ts";

/** Any Lambda ARN: the interpreter never calls it, because every Task has a local handler. */
export const FUNCTION_ARN = "arn:aws:lambda:us-east-1:000000000000:function:step";
/** Member of the context object with the value of `$$.Execution`. */
export const EXECUTION_MEMBER = "Root";
const CONTEXT_PATH = `$$.${EXECUTION_MEMBER}`;

/**
 * The interpreter overwrites `$$.Execution.Input` and `.StartTime` with its own, in branches with the branch's; so
 * paths
 * are rewritten to a member that it does not touch. Quoted parts are names and stay.
 */
const contextPath = (path: string): string =>
  path.replaceAll(/'(?:\\.|[^'\\])*'|\$\$\.Execution\b/g, (found) => (found.startsWith("'") ? found : CONTEXT_PATH));

/** A payload template with rewritten paths. */
export function rewriteTemplate(template: Json): Json {
  if (Array.isArray(template)) return template.map(rewriteTemplate);
  if (!isObject(template)) return template;
  return mapMembers(template, (name, value) =>
    name.endsWith(".$") && typeof value === "string" ? contextPath(value) : rewriteTemplate(value),
  );
}

/** As a ResultPath, `$` would create a member named `$`, and `$['a']` one inside it. */
function rewriteResultPath(path: Json): Json | undefined {
  if (path === "$") return undefined;
  return typeof path === "string" && path.startsWith("$[") ? `$.${path.slice(1)}` : path;
}

const TYPE_TEST = /^Is(?:Null|Present|Numeric|String|Boolean|Timestamp)$/;
const TYPED_COMPARISON =
  /^(String|Numeric|Timestamp)(?:(?:Less|Greater)Than(?:Equals)?(?:Path)?|Matches)$|^(Timestamp)Equals/;

/** Rewrites a comparison; `Next` stays with the caller. */
function rewriteComparison(rule: JsonObject): JsonObject {
  const operator = Object.keys(rule).find((name) => name !== "Variable");
  const variable = rule.Variable ?? null;
  // The interpreter never matches a type test for false.
  if (operator !== undefined && TYPE_TEST.test(operator) && rule[operator] === false) {
    return { Not: { Variable: variable, [operator]: true } };
  }
  // The interpreter compares values of different types as JavaScript does: null is less than 5.
  const found = TYPED_COMPARISON.exec(operator ?? "");
  const type = found?.[1] ?? found?.[2];
  return type === undefined ? rule : { And: [{ Variable: variable, [`Is${type}`]: true }, rule] };
}

function rewriteRule(rule: JsonObject): JsonObject {
  const { Next: next, ...test } = rule;
  const paths = mapMembers(test, (name, value) => {
    if (name === "And" || name === "Or") return objectsIn(value).map(rewriteRule);
    if (name === "Not" && isObject(value)) return rewriteRule(value);
    return typeof value === "string" && (name === "Variable" || name.endsWith("Path")) ? contextPath(value) : value;
  });
  const rewritten = "Variable" in paths ? rewriteComparison(paths) : paths;
  return next === undefined ? rewritten : { ...rewritten, Next: next };
}

function rewriteMember(name: string, value: Json): Json | undefined {
  switch (name) {
    case "Parameters":
    case "ItemSelector":
    case "ResultSelector":
      return rewriteTemplate(value);
    // The interpreter does not find `$` of a falsy value (null, 0, ""); without the member it uses the input unchanged.
    case "InputPath":
    case "OutputPath":
      return value === "$" ? undefined : typeof value === "string" ? contextPath(value) : value;
    case "ResultPath":
      return rewriteResultPath(value);
    case "Catch":
      return objectsIn(value).map((catcher) =>
        mapMembers(catcher, (member, path) => (member === "ResultPath" ? rewriteResultPath(path) : path)),
      );
    case "Choices":
      return objectsIn(value).map(rewriteRule);
    case "Resource":
      return FUNCTION_ARN;
    default:
      return name.endsWith("Path") && typeof value === "string" ? contextPath(value) : value;
  }
}

/** Without a timeout the interpreter gives a Task 60 seconds. */
function withTimeout(state: JsonObject): JsonObject {
  if ("TimeoutSecondsPath" in state) return state;
  const seconds = typeof state.TimeoutSeconds === "number" ? state.TimeoutSeconds : MAX_TIMER_SECONDS;
  return { ...state, TimeoutSeconds: Math.min(seconds, MAX_TIMER_SECONDS) };
}

/** Rewrites a state other than Map and Parallel. */
export function rewriteState(state: JsonObject): JsonObject {
  const rewritten = mapMembers(state, rewriteMember);
  switch (state.Type) {
    case "Task":
      return withTimeout(rewritten);
    case "Pass": {
      // The interpreter ignores a falsy result, but not one in a template.
      if (!("Result" in rewritten) || rewritten.Result) return rewritten;
      const { Result: result, ...rest } = rewritten;
      return { ...rest, Parameters: result ?? null };
    }
    case "Fail":
      // The interpreter replaces missing members by its own names.
      return {
        ...("ErrorPath" in rewritten ? {} : { Error: "" }),
        ...("CausePath" in rewritten ? {} : { Cause: "" }),
        ...rewritten,
      };
    default:
      return rewritten;
  }
}

/**
 * Rewrites a Map or Parallel as a Task whose handler runs the inner machines; its input and output processing stays.
 */
export function rewriteContainer(state: JsonObject, parameters?: JsonObject): JsonObject {
  const inner = new Set([
    "Branches",
    "ItemProcessor",
    "Iterator",
    "ItemsPath",
    "ItemSelector",
    "MaxConcurrency",
    "MaxConcurrencyPath",
    ...(parameters === undefined ? [] : ["Parameters"]),
  ]);
  const around = mapMembers(mapMembers(state, rewriteMember), (name, value) => (inner.has(name) ? undefined : value));
  return {
    ...around,
    ...(parameters === undefined ? {} : { Parameters: rewriteTemplate(parameters) }),
    Type: "Task",
    Resource: FUNCTION_ARN,
    TimeoutSeconds: MAX_TIMER_SECONDS,
  };
}
