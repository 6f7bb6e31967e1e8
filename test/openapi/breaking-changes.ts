/**
 * What a newer OpenAPI document takes away from the clients of an older one: calls, members of answers, freedom in
 * requests. New calls, new optional members, new members of answers and new errors break nobody, since clients are told
 * to pass over what they do not know.
 */

type JsonObject = Record<string, unknown>;

export interface BreakingChange {
  /** `POST /document/upload`. */
  call: string;
  /** The parameter, member or status that changed; empty for the whole call. */
  name: string;
  /** What is broken, in a sentence. */
  sentence: string;
}

interface OpenApi {
  paths: Record<string, Record<string, JsonObject>>;
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Follows `$ref` within a document (RFC 6901 pointers). */
function resolved(document: unknown, value: unknown): JsonObject {
  let found = objectOf(value);
  while (typeof found.$ref === "string") {
    let at: unknown = document;
    for (const step of found.$ref.slice(2).split("/")) {
      at = objectOf(at)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    found = objectOf(at);
  }
  return found;
}

/** The types that a schema allows; undefined for any. `null` counts, and `integer` is not `number`. */
function typesOf(document: unknown, schema: JsonObject): Set<string> | undefined {
  if (Array.isArray(schema.anyOf ?? schema.oneOf)) {
    const branches = listOf(schema.anyOf ?? schema.oneOf).map((one) => typesOf(document, resolved(document, one)));
    return branches.some((one) => one === undefined) ? undefined : new Set(branches.flatMap((one) => [...(one ?? [])]));
  }
  if (schema.type === undefined) return undefined;
  return new Set([schema.type].flat().map(String));
}

const allows = (types: Set<string> | undefined, type: string): boolean =>
  types === undefined || types.has(type) || (type === "integer" && types.has("number"));

/** A schema without the null beside it: `anyOf: [schema, null]` is how members that may be absent are written. */
function withoutNull(document: unknown, schema: JsonObject): JsonObject {
  const branches = listOf(schema.anyOf).map((one) => resolved(document, one));
  const others = branches.filter((one) => one.type !== "null");
  return branches.length === 2 && others.length === 1 ? (others[0] ?? schema) : schema;
}

/** One side gives values that the other must be able to take: requests go one way, answers the other. */
type Direction = "request" | "answer";

class Comparison {
  readonly changes: BreakingChange[] = [];
  readonly #before: OpenApi;
  readonly #after: OpenApi;
  /** Pairs of schemas that are being compared, for schemas that hold themselves. */
  readonly #open = new Set<string>();

  constructor(before: OpenApi, after: OpenApi) {
    this.#before = before;
    this.#after = after;
  }

  run(): BreakingChange[] {
    for (const [path, item] of Object.entries(this.#before.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const call = `${method.toUpperCase()} ${path}`;
        const now = this.#after.paths[path]?.[method];
        if (now === undefined) this.#note(call, "", "is gone");
        else this.#operation(call, operation, now);
      }
    }
    return this.changes;
  }

  #note(call: string, name: string, sentence: string): void {
    this.changes.push({ call, name, sentence });
  }

  #operation(call: string, before: JsonObject, after: JsonObject): void {
    if (before["x-scope"] !== after["x-scope"])
      this.#note(call, "scope", `asks for the scope ${after["x-scope"]} instead of ${before["x-scope"]}`);
    this.#parameters(call, before, after);
    this.#requestBody(call, before, after);
    for (const [status, response] of Object.entries(objectOf(before.responses))) {
      const now = objectOf(after.responses)[status];
      if (Number(status) >= 300) continue;
      if (now === undefined) this.#note(call, status, "is no longer an answer");
      else this.#content(call, "answer", this.#contentOf(this.#before, response), this.#contentOf(this.#after, now));
    }
  }

  #contentOf(document: OpenApi, holder: unknown): JsonObject {
    return objectOf(resolved(document, holder).content);
  }

  #parameters(call: string, before: JsonObject, after: JsonObject): void {
    const byKey = (document: OpenApi, operation: JsonObject): Map<string, JsonObject> =>
      new Map(
        listOf(operation.parameters).map((given) => {
          const one = resolved(document, given);
          return [`${one.in} ${one.name}`, one];
        }),
      );
    const old = byKey(this.#before, before);
    for (const [key, now] of byKey(this.#after, after)) {
      const was = old.get(key);
      if (now.required === true && was?.required !== true) this.#note(call, String(now.name), "is now required");
      if (was !== undefined) this.#schemas(call, String(now.name), "request", was.schema, now.schema);
      old.delete(key);
    }
    for (const [, was] of old) this.#note(call, String(was.name), "is no longer a parameter");
  }

  #requestBody(call: string, before: JsonObject, after: JsonObject): void {
    const [was, now] = [resolved(this.#before, before.requestBody), resolved(this.#after, after.requestBody)];
    if (now.required === true && was.required !== true) this.#note(call, "body", "is now required");
    this.#content(call, "request", objectOf(was.content), objectOf(now.content));
  }

  #content(call: string, direction: Direction, before: JsonObject, after: JsonObject): void {
    for (const [type, was] of Object.entries(before)) {
      const now = after[type];
      if (now === undefined) this.#note(call, type, `is no longer a media type of the ${direction}`);
      else this.#schemas(call, "", direction, objectOf(was).schema, objectOf(now).schema);
    }
  }

  #schemas(call: string, name: string, direction: Direction, before: unknown, after: unknown): void {
    const pair = JSON.stringify([before, after]);
    if (this.#open.has(pair)) return;
    this.#open.add(pair);
    const was = resolved(this.#before, before);
    const now = resolved(this.#after, after);
    this.#types(call, name, direction, was, now);
    const [old, young] = [withoutNull(this.#before, was), withoutNull(this.#after, now)];
    this.#values(call, name, direction, old, young);
    this.#members(call, name, direction, old, young);
    if (old.items !== undefined && young.items !== undefined)
      this.#schemas(call, `${name}[]`, direction, old.items, young.items);
    this.#open.delete(pair);
  }

  /** A request keeps every type that it took; an answer gets none that it did not have. */
  #types(call: string, name: string, direction: Direction, was: JsonObject, now: JsonObject): void {
    const old = typesOf(this.#before, was);
    const young = typesOf(this.#after, now);
    const [given, taken] = direction === "request" ? [old, young] : [young, old];
    if (taken === undefined) return;
    const lost = given === undefined ? ["any type"] : [...given].filter((type) => !allows(taken, type));
    if (lost.length === 0) return;
    this.#note(call, name, direction === "request" ? `no longer takes ${lost}` : `may now be ${lost}`);
  }

  #values(call: string, name: string, direction: Direction, was: JsonObject, now: JsonObject): void {
    if (direction === "answer") return;
    const young = listOf(now.enum);
    const lost = listOf(was.enum).filter((value) => young.length > 0 && !young.includes(value));
    if (lost.length > 0) this.#note(call, name, `no longer takes ${lost.join(", ")}`);
    if (was.enum === undefined && young.length > 0) this.#note(call, name, `now takes ${young.join(", ")} only`);
    for (const bound of ["maximum", "maxLength", "maxItems"]) {
      const [old = Infinity, most = Infinity] = [was[bound], now[bound]] as (number | undefined)[];
      if (most < old) this.#note(call, name, `has a lower ${bound}: ${most} after ${old}`);
    }
    for (const bound of ["minimum", "minLength", "minItems"]) {
      const [old = -Infinity, least = -Infinity] = [was[bound], now[bound]] as (number | undefined)[];
      if (least > old) this.#note(call, name, `has a higher ${bound}: ${least} after ${old}`);
    }
  }

  #members(call: string, name: string, direction: Direction, was: JsonObject, now: JsonObject): void {
    const [old, young] = [objectOf(was.properties), objectOf(now.properties)];
    const [wasRequired, isRequired] = [listOf(was.required), listOf(now.required)];
    for (const [member, schema] of Object.entries(old)) {
      const path = name === "" ? member : `${name}.${member}`;
      if (member in young) this.#schemas(call, path, direction, schema, young[member]);
      else if (direction === "answer" || now.additionalProperties === false) this.#note(call, path, "is gone");
      if (direction === "answer" && member in young && wasRequired.includes(member) && !isRequired.includes(member))
        this.#note(call, path, "may now be absent");
    }
    if (direction === "answer") return;
    for (const member of isRequired.filter((one) => !wasRequired.includes(one)))
      this.#note(call, name === "" ? String(member) : `${name}.${member}`, "is now required");
  }
}

/** @returns every way in which a client that was written for `before` may fail with `after` */
export const breakingChanges = (before: unknown, after: unknown): BreakingChange[] =>
  new Comparison(before as OpenApi, after as OpenApi).run();
