/** References to values of a run, typed: `classify.result.document_type` is the path `$nodes.classify.result.document_type`. */
import type { Json } from "./json.ts";
import type { Extracted, IsOpen } from "./schema-types.ts";

declare const VALUE: unique symbol;

/** A value that a run will have at a path. */
export interface Referring<T> {
  /** Exists for the compiler only. */
  readonly [VALUE]: T;
}

/** A value of a run; its members are references too. */
export type Reference<T> = Referring<T> & MembersOf<T>;

interface OpenMembers extends Referring<Json> {
  readonly [member: string]: OpenMembers;
}

/** First items, which an index signature would call possibly undefined. */
type FirstIndex = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type MembersOf<T> =
  IsOpen<T> extends true
    ? OpenMembers
    : T extends readonly (infer Item)[]
      ? { readonly [index: number]: Reference<Item> } & { readonly [Index in FirstIndex]: Reference<Item> }
      : T extends object
        ? { readonly [Name in keyof T]-?: Reference<NonNullable<T[Name]>> }
        : unknown;

/** A value with references in it. A text is a literal, also where it begins with a dollar sign. */
export type Template =
  | Referring<unknown>
  | null
  | boolean
  | number
  | string
  | readonly Template[]
  | { readonly [member: string]: Template };

/** The value of a template in a run. A path that finds nothing is null. */
export type ValueOf<T> =
  T extends Referring<infer Value>
    ? Extracted<Value> | null
    : T extends readonly (infer Item)[]
      ? ValueOf<Item>[]
      : T extends object
        ? { -readonly [Name in keyof T]: ValueOf<T[Name]> }
        : T;

/** The path of each reference. */
const paths = new WeakMap<object, string>();

/** The step from a value to its member; the language has no escapes in names. */
function stepTo(name: string): string {
  if (/^[^.[\]'"]+$/.test(name)) return `.${name}`;
  const quote = name.includes("'") ? '"' : "'";
  if (name.includes(quote)) throw new TypeError(`No path can name ${JSON.stringify(name)}: it has both quotes in it`);
  return `[${quote}${name}${quote}]`;
}

/** A reference to a path. In a template's text, `{{${reference}}}` names it. */
export function referenceTo<T>(path: string): Reference<T> {
  const reference = new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === "string") return referenceTo(path + stepTo(name));
        return name === Symbol.toPrimitive ? () => path : undefined;
      },
    },
  );
  paths.set(reference, path);
  return reference as Reference<T>;
}

/** A template as the service reads it: references as paths, literal texts with their first dollar sign doubled. */
export function wireOf(template: unknown): Json {
  if (typeof template === "string") return template.startsWith("$") ? `$${template}` : template;
  // JSON leaves out what is undefined.
  if (typeof template !== "object" || template === null) return template as Json;
  const path = paths.get(template);
  if (path !== undefined) return path;
  if (Array.isArray(template)) return template.map(wireOf);
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, wireOf(value)]));
}
