import { isObject, type Json, type JsonObject } from "../ports/json.ts";

/** The service's quota for an input, an output and a state's payload, in bytes of UTF-8. */
export const PAYLOAD_BYTES = 262_144;

/** The objects in a list; nothing for what is no list. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item)) : [];

/** Starts an execution of another machine and waits for its end. */
export const START_AND_WAIT = "arn:aws:states:::states:startExecution.sync:2";
/** The member of its Parameters that leads to the machine's name, where that is known at run time only. */
export const MACHINE_PATH = "StateMachineArn.$";
const MACHINE = /^\$\{machine:([A-Za-z0-9_-]{1,80})\}$/;

/** The machine that a `${machine:NAME}` placeholder names; undefined for any other text. */
export const machineOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? MACHINE.exec(value)?.[1] : undefined;

/** Size of a value's JSON text in UTF-8, in bytes. */
export const jsonBytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** JSON text whose members are in the order of their names: the same value gives the same bytes. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** The same object with other members; a member that `change` answers with undefined is left out. */
export function mapMembers(object: JsonObject, change: (name: string, value: Json) => Json | undefined): JsonObject {
  const members: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    const changed = change(name, value);
    if (changed !== undefined) members.push([name, changed]);
  }
  return Object.fromEntries(members);
}
