/** The values of a request, matched with fields that have loops among them. */
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../../ports/json.ts";
import { listNames } from "./field-values.ts";
import { type FillRequest, isImageReference, type TemplateField } from "./template.ts";

/** Levels of nested values; a template nests loops in fewer. */
const MAX_DEPTH = 64;

/** What a name can lead to: a field, and members with full stops in their names. */
interface NameNode {
  field?: TemplateField;
  below: Map<string, NameNode>;
}

const emptyNode = (): NameNode => ({ below: new Map() });

function addName(root: NameNode, field: TemplateField): void {
  let at = root;
  for (const part of field.name.split(".")) {
    const next = at.below.get(part) ?? emptyNode();
    at.below.set(part, next);
    at = next;
  }
  at.field ??= field;
}

/** The names of a scope. What a loop's item may lack is taken from around the loop, so those names are known there too. */
function namesOf(fields: readonly TemplateField[]): NameNode {
  const root = emptyNode();
  const addAll = (some: readonly TemplateField[]): void => {
    for (const field of some) if (field.name !== ".") addName(root, field);
    for (const field of some) addAll(field.fields);
  };
  addAll(fields);
  return root;
}

const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

interface Place {
  name: string;
  path: string;
}

const inside = ({ name, path }: Place, member: string | number): Place => ({
  name: name === "" ? String(member) : `${name}.${member}`,
  path: `${path}/${escapePointer(String(member))}`,
});

/** Puts a value at the path that a name with full stops is. */
function put(target: JsonObject, parts: readonly string[], value: Json): void {
  let at = target;
  for (const part of parts.slice(0, -1)) {
    const found = Object.hasOwn(at, part) ? at[part] : undefined;
    const next = isObject(found) ? found : {};
    setOwn(at, part, next);
    at = next;
  }
  const last = parts.at(-1) ?? "";
  const before = Object.hasOwn(at, last) ? at[last] : undefined;
  const merged = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  setOwn(at, last, merged);
}

class Matcher {
  readonly unknown: Place[] = [];
  readonly #names = new Map<TemplateField, NameNode>();

  #namesOfLoop(field: TemplateField): NameNode {
    const known = this.#names.get(field) ?? namesOf(field.fields);
    this.#names.set(field, known);
    return known;
  }

  /** The members that the scope knows, with names spread into objects; the others are told in `unknown`. */
  members(given: JsonObject, names: NameNode, place: Place, depth: number): JsonObject {
    const known: JsonObject = {};
    for (const [member, value] of Object.entries(given)) {
      const parts = names.below.has(member) ? [member] : member.split(".");
      const node = parts.reduce<NameNode | undefined>((at, part) => at?.below.get(part), names);
      const at = inside(place, member);
      if (node === undefined || depth > MAX_DEPTH) this.unknown.push(at);
      else put(known, parts, this.#value(value, node, at, depth));
    }
    return known;
  }

  #value(value: Json, node: NameNode, place: Place, depth: number): Json {
    const { field, below } = node;
    if (field?.type === "loop") {
      if (Array.isArray(value)) return value.map((item, index) => this.#item(item, field, inside(place, index), depth));
      return this.#item(value, field, place, depth);
    }
    if (!isObject(value) || isImageReference(value)) {
      // A list for a part of names has no members that they could lead to.
      if (field === undefined && value !== null) this.unknown.push(place);
      return value;
    }
    // A condition on an object: its members are whatever the template prints of it.
    if (below.size === 0) return value;
    return this.members(value, node, place, depth + 1);
  }

  #item(item: Json, field: TemplateField, place: Place, depth: number): Json {
    if (!isObject(item) || isImageReference(item)) return item;
    return this.members(item, this.#namesOfLoop(field), place, depth + 1);
  }
}

/** The value at a name with full stops, of the item or of what is around it. */
function findValue(name: string, scopes: readonly Json[]): Json | undefined {
  if (name === ".") return scopes.at(-1);
  const parts = name.split(".");
  const scope = scopes.findLast((one) => isObject(one) && Object.hasOwn(one, parts[0] ?? ""));
  return parts.reduce<Json | undefined>(
    (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    scope,
  );
}

/** Most absent values that are looked for: a refusal names some, and lists may be long. */
const MAX_MISSING = 1_000;

function addMissing(fields: readonly TemplateField[], scopes: readonly Json[], place: Place, missing: Place[]): void {
  for (const field of fields) {
    if (missing.length >= MAX_MISSING) return;
    const at = inside(place, field.name);
    const value = findValue(field.name, scopes);
    if (value === undefined) missing.push(at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        addMissing(field.fields, [...scopes, item], inside(at, index), missing);
    }
  }
}

const refusal = (sentence: string, places: readonly Place[], message: string): BadRequest => {
  const errors: MemberFault[] = places.slice(0, MAX_MISSING).map(({ path }) => ({ path, message }));
  return new BadRequest(sentence, { errors });
};

const plural = (places: readonly Place[]): string => (places.length === 1 ? "" : "s");

/**
 * Checks the values of a request against a template's fields, loops and all.
 * @returns the values that the template has fields for, names with full stops spread into objects; and the other names
 * @throws BadRequest naming unknown fields, unless they are ignored, and absent ones where they are errors
 */
export function matchTemplateValues(
  fields: readonly TemplateField[],
  request: Pick<FillRequest, "ignoreUnknown" | "missingIsError"> & { fields: { readonly [name: string]: Json } },
): { values: JsonObject; unknown: string[] } {
  const matcher = new Matcher();
  const root = { name: "", path: "/fields" };
  const values = matcher.members(request.fields, namesOf(fields), root, 0);
  const { unknown } = matcher;
  if (unknown.length > 0 && !request.ignoreUnknown) {
    const names = listNames(unknown.map(({ name }) => name));
    throw refusal(
      `The template does not have the field${plural(unknown)} ${names}; GET /template/metadata lists its fields`,
      unknown,
      "The template has no such field",
    );
  }
  if (request.missingIsError) {
    const missing: Place[] = [];
    addMissing(fields, [values], root, missing);
    if (missing.length > 0) {
      const names = listNames(missing.map(({ name }) => name));
      throw refusal(`The request leaves out the field${plural(missing)} ${names}`, missing, "No value is given");
    }
  }
  return { values, unknown: unknown.map(({ name }) => name) };
}
