/** Checks input against schemas; a 400 names every offending member. */

import type { output, ZodError, ZodType } from "zod";
import { pointerOf } from "../../engine/schema/json-pointer.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { bodyBytes, type HttpEvent } from "../../ports/http.ts";
import { depthOfJson } from "../../ports/json-depth.ts";
import { FaultList } from "../../ports/member-faults.ts";
import { withoutNulls } from "../schemas/common.ts";

const pointer = (path: readonly PropertyKey[]): string => pointerOf(path.map(String));

const MESSAGES_BY_ISSUE: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function faultsOf(error: ZodError): MemberFault[] {
  const faults = new FaultList();
  for (const issue of error.issues) {
    if (faults.isFull) break;
    const named = issue.code === "invalid_type" && issue.message.startsWith("Invalid input");
    faults.add(
      pointer(issue.path),
      named ? `must be ${MESSAGES_BY_ISSUE[issue.expected] ?? issue.expected}` : issue.message,
    );
  }
  return faults.all;
}

/** @throws BadRequest naming every fault, or the first of very many */
export function check<S extends ZodType>(schema: S, value: unknown, what: string): output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = faultsOf(parsed.error);
  const named = errors.map(({ path, message }) => `${path === "" ? what : path.slice(1)} ${message}`);
  throw new BadRequest(`Invalid ${what}: ${named.join("; ")}`, { errors });
}

/** Parses a JSON request body; an absent optional body is `{}`. @throws BadRequest */
export function parseJsonBody<S extends ZodType>(event: HttpEvent, schema: S, required: boolean): output<S> {
  const bytes = bodyBytes(event);
  if (bytes.length === 0) {
    if (required) throw new BadRequest("Send a JSON body");
    return check(schema, {}, "body");
  }
  return check(schema, withoutNulls(parseJson(bytes.toString("utf8"), "The body")), "body");
}

/** Parses JSON in a text part of a form. @throws BadRequest naming the part */
export function parseMember<S extends ZodType>(schema: S, text: string, name: string): output<S> {
  return check(schema, withoutNulls(parseJson(text, `The part '${name}'`)), name);
}

/** Deepest nesting of a body, so that recursive functions do not overflow the stack. */
const MAX_BODY_DEPTH = 1000;

/** Digits or an exponent that may make a number too large for a double; also found in texts. */
const LONG_NUMBER = /(?<!\d)\d{309}|\d[eE]\+?\d{3}/;

/** True when a number was too large: `JSON.parse` makes it infinite, which no JSON can hold. */
function holdsInfinity(whole: unknown): boolean {
  const open = [whole];
  while (open.length > 0) {
    const value = open.pop();
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return true;
    if (typeof value === "object" && value !== null) for (const one of Object.values(value)) open.push(one);
  }
  return false;
}

function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest(`${what} is not valid JSON`);
  }
  if (LONG_NUMBER.test(text) && holdsInfinity(value)) {
    throw new BadRequest(`${what} holds a number that is too large: numbers may be up to 1.8e308`);
  }
  if (depthOfJson(text) > MAX_BODY_DEPTH) {
    throw new BadRequest(`${what} is nested more than ${MAX_BODY_DEPTH} levels deep`);
  }
  return value;
}
