import { isObject, type Json, type JsonObject } from "../ports/json.ts";

/** Step Functions' quota for an input, an output and a state's payload, in bytes of UTF-8. */
export const MAX_PAYLOAD_BYTES = 262_144;

/** The objects of a list; empty for any other value. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item)) : [];

/** Resource that starts an execution of another machine and waits for its end. */
export const START_AND_WAIT = "arn:aws:states:::states:startExecution.sync:2";
/** Member of its Parameters with the path to the machine's name, where the name is known only at run time. */
export const MACHINE_PATH = "StateMachineArn.$";
const MACHINE_PLACEHOLDER = /^\$\{machine:([A-Za-z0-9_-]{1,80})\}$/;

/** The machine name in a `${machine:NAME}` placeholder; undefined for any other value. */
export const machineOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? MACHINE_PLACEHOLDER.exec(value)?.[1] : undefined;

/** Size of a value's JSON text in UTF-8, in bytes. */
export const jsonBytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** JSON text with members sorted by name: equal values give equal bytes. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Maps the members of an object; drops those for which `change` returns undefined. */
export function mapMembers(object: JsonObject, change: (name: string, value: Json) => Json | undefined): JsonObject {
  const members: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    const changed = change(name, value);
    if (changed !== undefined) members.push([name, changed]);
  }
  return Object.fromEntries(members);
}
