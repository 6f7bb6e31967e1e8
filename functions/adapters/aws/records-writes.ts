/** The writes of Records as DynamoDB expressions. All of them treat expired items as absent. */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { RecordKey, WriteCondition } from "../../ports/records.ts";
import type { Write } from "../records-limits.ts";
import type { AddPlan, Increment } from "./records-add.ts";
import { ATTRIBUTE, type Item, itemKey } from "./records-items.ts";

export type PutWrite = Write & { kind: "put" };

/** Shared by all writes of one attempt. */
export interface Attempt {
  /** Unix seconds. */
  now: number;
  /** The mark of the written items. */
  mark: string;
}

interface Statement {
  Key: Item;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}
export type UpdateStatement = Statement & { UpdateExpression: string; ConditionExpression: string };
export type DeleteStatement = Statement & { ConditionExpression?: string };
export type CheckStatement = Statement & { ConditionExpression: string };

/** Collects the names and values of an expression; DynamoDB refuses unused ones. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: Record<string, AttributeValue> = {};
  #count = 0;

  name(attribute: string): string {
    const placeholder = this.#names.get(attribute) ?? `#${this.#names.size}`;
    this.#names.set(attribute, placeholder);
    return placeholder;
  }

  #value(value: AttributeValue): string {
    const placeholder = `:${this.#count++}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  text(text: string): string {
    return this.#value({ S: text });
  }

  number(number: number): string {
    return this.#value({ N: String(number) });
  }

  numbers(numbers: ReadonlyMap<string, number>): string {
    const entries = [...numbers].map(([name, number]) => [name, { N: String(number) }] as const);
    return this.#value({ M: Object.fromEntries(entries) });
  }

  /** The members of a request with the collected names and values. */
  members(): Pick<Statement, "ExpressionAttributeNames" | "ExpressionAttributeValues"> {
    const names = [...this.#names].map(([attribute, placeholder]) => [placeholder, attribute]);
    return {
      ...(names.length === 0 ? {} : { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(this.#count === 0 ? {} : { ExpressionAttributeValues: this.#values }),
    };
  }
}

/** True for an absent or unexpired item. */
export const notExpired = (to: Placeholders, now: number): string =>
  `(attribute_not_exists(${to.name(ATTRIBUTE.expiry)}) OR ${to.name(ATTRIBUTE.expiry)} > ${to.number(now)})`;

const present = (to: Placeholders, now: number): string =>
  `attribute_exists(${to.name(ATTRIBUTE.partition)}) AND ${notExpired(to, now)}`;

const absent = (to: Placeholders, now: number): string =>
  `(attribute_not_exists(${to.name(ATTRIBUTE.partition)}) OR ${to.name(ATTRIBUTE.expiry)} <= ${to.number(now)})`;

/** Maps anything but a positive integer to 0, which is no record's version. */
const versionIn = (version: number): number => (Number.isSafeInteger(version) ? version : 0);

/** @returns undefined when the write has no condition */
function conditionOf(to: Placeholders, condition: WriteCondition | undefined, now: number): string | undefined {
  if (condition?.ifAbsent) return absent(to, now);
  if (condition?.ifPresent) return present(to, now);
  if (condition?.ifVersion === undefined) return undefined;
  return `${to.name(ATTRIBUTE.version)} = ${to.number(versionIn(condition.ifVersion))} AND ${notExpired(to, now)}`;
}

/** @param numbers empty: the item loses its numbers @param expiry null: removed; undefined: unchanged */
function valueAssignments(
  to: Placeholders,
  what: { version: string; json: string; mark: string; numbers: ReadonlyMap<string, number>; expiry?: number | null },
): string {
  const { version, json, mark, numbers, expiry } = what;
  const set = [
    `${to.name(ATTRIBUTE.version)} = ${version}`,
    `${to.name(ATTRIBUTE.value)} = ${to.text(json)}`,
    `${to.name(ATTRIBUTE.mark)} = ${to.text(mark)}`,
  ];
  const remove: string[] = [];
  if (numbers.size > 0) set.push(`${to.name(ATTRIBUTE.numbers)} = ${to.numbers(numbers)}`);
  else remove.push(to.name(ATTRIBUTE.numbers));
  if (expiry === null) remove.push(to.name(ATTRIBUTE.expiry));
  else if (expiry !== undefined) set.push(`${to.name(ATTRIBUTE.expiry)} = ${to.number(expiry)}`);
  return `SET ${set.join(", ")}${remove.length > 0 ? ` REMOVE ${remove.join(", ")}` : ""}`;
}

const NO_NUMBERS: ReadonlyMap<string, number> = new Map();

export const isUnconditional = ({ condition }: PutWrite): boolean =>
  Object.values(condition ?? {}).every((member) => member === undefined);

/** The version after a successful put; undefined: DynamoDB increments it. */
export function versionAfter({ condition }: PutWrite, anew: boolean): number | undefined {
  if (anew || condition?.ifAbsent) return 1;
  return condition?.ifVersion === undefined ? undefined : versionIn(condition.ifVersion) + 1;
}

/**
 * An update rather than a put, because only an update can increment the version.
 * @param anew for an unconditional put: replaces nothing or an expired item, and starts at version 1; without it the
 *   put
 *   fails on an expired item, because no expression covers the next version in both cases
 */
export function putStatement(write: PutWrite, anew: boolean, { now, mark }: Attempt): UpdateStatement {
  const to = new Placeholders();
  const known = versionAfter(write, anew);
  const counted = () => `if_not_exists(${to.name(ATTRIBUTE.version)}, ${to.number(0)}) + ${to.number(1)}`;
  return {
    Key: itemKey(write.key),
    UpdateExpression: valueAssignments(to, {
      version: known === undefined ? counted() : to.number(known),
      json: write.json,
      mark,
      numbers: NO_NUMBERS,
      expiry: write.expiresAt,
    }),
    ConditionExpression: anew ? absent(to, now) : (conditionOf(to, write.condition, now) ?? notExpired(to, now)),
    ...to.members(),
  };
}

function incrementStatement(
  key: RecordKey,
  increments: ReadonlyMap<string, Increment>,
  { now, mark }: Attempt,
): UpdateStatement {
  const to = new Placeholders();
  const version = to.name(ATTRIBUTE.version);
  const set = [`${version} = ${version} + ${to.number(1)}`, `${to.name(ATTRIBUTE.mark)} = ${to.text(mark)}`];
  // A request repeated after a lost answer finds its own mark, and does not count twice.
  const conditions = [present(to, now), `${to.name(ATTRIBUTE.mark)} <> ${to.text(mark)}`];
  for (const [name, { amount, low, high }] of increments) {
    const path = `${to.name(ATTRIBUTE.numbers)}.${to.name(name)}`;
    if (amount !== 0) set.push(`${path} = ${path} + ${to.number(amount)}`);
    conditions.push(`${path} BETWEEN ${to.number(low)} AND ${to.number(high)}`);
  }
  return {
    Key: itemKey(key),
    UpdateExpression: `SET ${set.join(", ")}`,
    ConditionExpression: conditions.join(" AND "),
    ...to.members(),
  };
}

/** A planned add: an increment, or the whole value on the condition that the record is unchanged. */
export function addStatement(
  key: RecordKey,
  plan: AddPlan & { kind: "increment" | "replace" },
  attempt: Attempt,
): UpdateStatement {
  if (plan.kind === "increment") return incrementStatement(key, plan.increments, attempt);
  const { seen, json, numbers } = plan;
  const to = new Placeholders();
  const version = to.number((seen?.record.version ?? 0) + 1);
  const same = (mark: string) => `${to.name(ATTRIBUTE.mark)} = ${to.text(mark)} AND ${notExpired(to, attempt.now)}`;
  return {
    Key: itemKey(key),
    UpdateExpression: valueAssignments(to, {
      version,
      json,
      mark: attempt.mark,
      numbers,
      ...(seen === undefined ? { expiry: null } : {}),
    }),
    ConditionExpression: seen === undefined ? absent(to, attempt.now) : same(seen.mark),
    ...to.members(),
  };
}

export function deleteStatement(write: Write & { kind: "delete" }, now: number): DeleteStatement {
  const to = new Placeholders();
  const condition = conditionOf(to, write.condition, now);
  return {
    Key: itemKey(write.key),
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ...to.members(),
  };
}

export function checkStatement(write: Write & { kind: "check" }, now: number): CheckStatement {
  const to = new Placeholders();
  const ConditionExpression = conditionOf(to, write.condition, now);
  if (ConditionExpression === undefined) throw new TypeError("A check has a condition");
  return { Key: itemKey(write.key), ConditionExpression, ...to.members() };
}

/** A check that always fails: its transaction does nothing, and the reason returns the record. */
export function lookStatement(key: RecordKey): CheckStatement {
  const to = new Placeholders();
  const partition = to.name(ATTRIBUTE.partition);
  return {
    Key: itemKey(key),
    ConditionExpression: `attribute_exists(${partition}) AND attribute_not_exists(${partition})`,
    ...to.members(),
  };
}
