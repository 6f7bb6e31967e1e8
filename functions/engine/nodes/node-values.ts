/** Results of validate and transform nodes, with the origin of each part in the input. Pure. */

import { canonicalJson } from "../../../statemachines/pipeline/conditions.ts";
import { stepInto } from "../../../statemachines/pipeline/lookup.ts";
import type { TransformNode } from "../../../statemachines/pipeline/nodes/transform.ts";
import type { ValidateNode } from "../../../statemachines/pipeline/nodes/validate.ts";
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import { SLOT_PATTERN, slotsOf } from "../../../statemachines/pipeline/reads.ts";
import { JobFailure } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { fillCalculated, readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { formulaSchema } from "../schema/formulas/formula-schema.ts";
import { pointTo } from "../schema/json-pointer.ts";
import type { Moves } from "./provenance.ts";
import { isLarger, MAX_RESULT_BYTES, refuseSize } from "./result-size.ts";

export interface Computed {
  result: Json;
  moves: Moves;
}

const unmoved: Moves = new Map([["", ""]]);
const nowhere: Moves = new Map();

/** The first bucket whose inclusive bounds hold the number. */
export function computeBucket({ buckets, otherwise }: ValidateNode, value: Json): Computed {
  const fits = (least: number | null, most: number | null): boolean =>
    typeof value === "number" && (least === null || least <= value) && (most === null || value <= most);
  const bucket = buckets.find(({ min, max }) => fits(min, max))?.name ?? otherwise;
  return { result: { bucket, value }, moves: new Map([["/value", ""]]) };
}

/** Steps of a dotted name: `address.city`, `lines.0.text`, `lines[0].text`. */
const stepsTo = (name: string): string[] =>
  name
    .replaceAll(/\[(\d{1,9})\]/g, ".$1")
    .replace(/^\./, "")
    .split(".");

/** A member by its name or its dotted path. */
function memberOf(value: Json, name: string): Json | undefined {
  const whole = isObject(value) ? own(value, name) : undefined;
  return whole === undefined ? stepsTo(name).reduce<Json | undefined>(stepInto, value) : whole;
}

const refuse = (node: string, what: string): never => {
  throw new JobFailure(`Processing failed: The node "${node}" needs ${what}`);
};

/** The rows of a list; none of null. @throws JobFailure for any other value */
function listOf(value: Json, node: string): Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : refuse(node, "a list as its input");
}

const stringsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

function pick(value: Json, fields: readonly string[], node: string): Computed {
  if (value === null) return { result: null, moves: nowhere };
  if (Array.isArray(value)) {
    const rows = value.map((row) => pick(row, fields, node));
    const moves = rows.flatMap((row, at) =>
      [...row.moves].map(([to, from]): [string, string | null] => [
        `/${at}${to}`,
        from === null ? null : `/${at}${from}`,
      ]),
    );
    return { result: rows.map(({ result }) => result), moves: new Map(moves) };
  }
  if (!isObject(value)) return refuse(node, "an object or a list of objects as its input");
  const found = fields.flatMap((field): [string, Json][] => {
    const member = memberOf(value, field);
    return member === undefined ? [] : [[field, member]];
  });
  const from = (field: string): string =>
    Object.hasOwn(value, field) ? pointTo("", field) : stepsTo(field).reduce(pointTo, "");
  return {
    result: Object.fromEntries(found),
    moves: new Map(found.map(([field]) => [pointTo("", field), from(field)])),
  };
}

/** A member of a merged object, with its origin or its merged members. */
interface MergedMember {
  value: Json;
  from: string;
  inner?: Map<string, MergedMember>;
}

/** Adds the members of `above`, which win over those below. */
function mergeOver(below: Map<string, MergedMember>, above: JsonObject, from: string, deep: boolean): void {
  for (const [name, value] of Object.entries(above)) {
    const under = below.get(name);
    const there = pointTo(from, name);
    if (!deep || under === undefined || !isObject(under.value) || !isObject(value)) {
      below.set(name, { value, from: there });
      continue;
    }
    under.inner ??= new Map(membersOf(under.value, under.from));
    mergeOver(under.inner, value, there, deep);
  }
}

const membersOf = (value: JsonObject, from: string): [string, MergedMember][] =>
  Object.entries(value).map(([name, member]) => [name, { value: member, from: pointTo(from, name) }]);

/** The merged object. @param moves gets the origins of its members */
function objectOf(members: ReadonlyMap<string, MergedMember>, to: string, moves: Map<string, string>): JsonObject {
  const entries = [...members].map(([name, { value, from, inner }]): [string, Json] => {
    const here = pointTo(to, name);
    if (inner !== undefined) return [name, objectOf(inner, here, moves)];
    moves.set(here, from);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Later members win. @param deep merges nested objects member by member */
function merge(value: Json, deep: boolean, node: string): Computed {
  const members = new Map<string, MergedMember>();
  for (const [at, item] of listOf(value, node).entries()) {
    if (item === null) continue;
    if (!isObject(item)) refuse(node, "a list of objects as its input");
    else mergeOver(members, item, `/${at}`, deep);
  }
  const moves = new Map<string, string>();
  return { result: objectOf(members, "", moves), moves };
}

/** Selected rows, with their origins. @param order their indexes in the list */
const selectRows = (rows: readonly Json[], order: readonly number[]): Computed => ({
  result: order.map((at) => rows[at] ?? null),
  moves: new Map(order.map((from, to) => [`/${to}`, `/${from}`])),
});

/** Leaves out rows whose key occurred before; rows without a key stay. */
function dedupe(value: Json, key: string, node: string): Computed {
  const rows = listOf(value, node);
  const seen = new Set<string>();
  const kept = [...rows.keys()].filter((at) => {
    const found = memberOf(rows[at] ?? null, key);
    if (found === undefined || found === null) return true;
    const text = canonicalJson(found);
    return seen.has(text) ? false : seen.add(text);
  });
  return selectRows(rows, kept);
}

/** Numbers, then texts, then booleans, then the rest. */
function compareValues(one: Json | undefined, other: Json | undefined): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : one > other ? 1 : 0;
  const rank = (value: Json | undefined): number =>
    typeof value === "number" ? 0 : typeof value === "string" ? 1 : typeof value === "boolean" ? 2 : 3;
  return rank(one) - rank(other) || Number(one === true) - Number(other === true);
}

function sort(value: Json, { by, order }: JsonObject, node: string): Computed {
  const rows = listOf(value, node);
  const sign = String(order).toLowerCase() === "desc" ? -1 : 1;
  const keys = rows.map((row) => (typeof by === "string" ? memberOf(row, by) : undefined));
  const isMissing = (at: number): boolean => keys[at] === undefined || keys[at] === null;
  const places = [...rows.keys()].sort(
    (a, b) => Number(isMissing(a)) - Number(isMissing(b)) || sign * compareValues(keys[a], keys[b]) || a - b,
  );
  return selectRows(rows, places);
}

function lookUp(value: Json, { table, default: otherwise = null }: JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => lookUp(one, { table: table ?? null, default: otherwise }));
  const known = isObject(table) && (typeof value !== "object" || value === null) ? table : {};
  const found = own(known, String(value));
  return found === undefined ? otherwise : found;
}

function calculate(value: Json, formulas: Record<string, string>, node: string): Computed {
  if (value === null) return { result: null, moves: nowhere };
  if (!isObject(value) && !Array.isArray(value)) return refuse(node, "an object or a list of objects as its input");
  const schema = formulaSchema(formulas);
  const fields = readCalculatedFields(Array.isArray(value) ? { type: "array", items: schema } : schema);
  if ("faults" in fields) return refuse(node, "formulas that can be worked out");
  // The copy repeats values that occur several times.
  if (isLarger(value, MAX_RESULT_BYTES)) return refuseSize(node, "result");
  const result = structuredClone(value);
  const filled = fillCalculated(result, fields);
  return {
    result,
    moves: new Map<string, string | null>([["", ""], ...filled.map((to): [string, null] => [to, null])]),
  };
}

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** Fills `{{$nodes.ID.member}}`, and `{{member}}` of the input. The size is checked while the text grows. */
async function fillTemplate(
  text: string,
  value: Json,
  read: (path: Path) => Promise<Json | undefined>,
  node: string,
): Promise<string> {
  const filled: string[] = [];
  let left = MAX_RESULT_BYTES;
  for (const { slot, path } of slotsOf(text)) {
    const found = (typeof path === "object" ? await read(path) : memberOf(value, slot)) ?? "";
    const piece = isLarger(found, left + 2) ? refuseSize(node, "result") : textOf(found);
    left -= piece.length;
    filled.push(piece);
  }
  let at = 0;
  return text.replaceAll(SLOT_PATTERN, () => filled[at++] ?? "");
}

/**
 * @param read gives the value of a path in a template's text
 * @throws JobFailure for an input of the wrong form
 */
export async function computeTransform(
  { id, transform, config }: TransformNode & { id: string },
  value: Json,
  read: (path: Path) => Promise<Json | undefined>,
): Promise<Computed> {
  switch (transform) {
    case "pick":
      return pick(value, stringsIn(config.fields), id);
    case "merge":
      return merge(value, config.deep === true, id);
    case "dedupe":
      return dedupe(value, textOf(config.key), id);
    case "sort":
      return sort(value, config, id);
    case "lookup":
      return { result: lookUp(value, config), moves: nowhere };
    case "calculate":
      return calculate(value, (config.formulas ?? {}) as Record<string, string>, id);
    default:
      return { result: await fillTemplate(textOf(config.text), value, read, id), moves: nowhere };
  }
}

/** The value unchanged. */
export const computeFinal = (value: Json): Computed => ({ result: value, moves: unmoved });
