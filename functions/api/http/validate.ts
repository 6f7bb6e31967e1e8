/** Checks input against schemas; a 400 names every offending member. */

import type { output, ZodError, ZodType } from "zod";
import { pointerOf } from "../../engine/schema/json-pointer.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { bodyBytes, type HttpEvent } from "../../ports/http.ts";
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

function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest(`${what} is not valid JSON`);
  }
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_BODY_DEPTH) throw new BadRequest(`${what} is nested more than ${MAX_BODY_DEPTH} levels deep`);
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return value;
}
