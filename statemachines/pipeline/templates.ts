/** Values that are built from path expressions: `source`, `input`, `output`. */
import { isObject, type Json, pointTo, quote } from "./diagnostics.ts";
import type { MemberReader } from "./members.ts";
import { isPathText, type Path, parsePath, unescapeDollar } from "./paths.ts";

export type Template =
  | Path
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Template])[] };

const MAX_TEMPLATE_DEPTH = 32;

export const literal = (value: Json): Template => Object.freeze({ kind: "literal", value });

/** What reading one needs to know: bare ids name nodes in some places. */
export interface TemplateRule {
  members: MemberReader;
  /** Ids that, bare, mean the node's result: as the value itself or as an entry of a list that is the value. */
  nodeIds: ReadonlySet<string>;
}

const nodeResult = (id: string): Template => {
  const read = parsePath(`$nodes.${id}.result`);
  return typeof read === "string" ? literal(id) : read;
};

/** Stands where there is a fault, so that what stands beside it keeps its place. */
const PLACEHOLDER_TEMPLATE = literal(null);

/**
 * @param depth of the value in the whole; in an object, ids are what they look like: texts
 * @returns undefined when it is none; what is wrong in it is told
 */
export function readTemplate(
  value: Json,
  path: string,
  rule: TemplateRule,
  depth = 0,
  bare = true,
): Template | undefined {
  const { findings } = rule.members;
  if (depth > MAX_TEMPLATE_DEPTH) {
    findings.fault("too-deep", path, `Values may be nested at most ${MAX_TEMPLATE_DEPTH} levels deep`);
    return undefined;
  }
  if (typeof value === "string") {
    if (bare && depth <= 1 && rule.nodeIds.has(value)) return nodeResult(value);
    if (rule.nodeIds.has(value)) {
      findings.warn(`${quote(value)} at ${path} stays a text; the node's result is $nodes.${value}.result`);
    }
    if (!isPathText(value)) return literal(unescapeDollar(value));
    const read = parsePath(value);
    if (typeof read !== "string") return read;
    findings.fault("invalid-path", path, read);
    return undefined;
  }
  if (Array.isArray(value)) {
    const items = value.map(
      (item, at) => readTemplate(item, pointTo(path, at), rule, depth + 1, bare) ?? PLACEHOLDER_TEMPLATE,
    );
    return Object.freeze({ kind: "list", items: Object.freeze(items) });
  }
  if (!isObject(value)) return literal(value);
  const members = Object.entries(value).map(([name, member]): [string, Template] => [
    name,
    readTemplate(member, pointTo(path, name), rule, depth + 1, false) ?? PLACEHOLDER_TEMPLATE,
  ]);
  return Object.freeze({ kind: "object", members: Object.freeze(members) });
}

/** Every path in a template, with its place; `at` is the template's. */
export function* referencesIn(template: Template, at: string): Generator<{ path: Path; place: string }> {
  if (template.kind === "path") yield { path: template, place: at };
  else if (template.kind === "list") {
    for (const [index, item] of template.items.entries()) yield* referencesIn(item, pointTo(at, index));
  } else if (template.kind === "object") {
    for (const [name, member] of template.members) yield* referencesIn(member, pointTo(at, name));
  }
}

/** Every path in a template. */
export function* pathsIn(template: Template): Generator<Path> {
  for (const { path } of referencesIn(template, "")) yield path;
}

/** A `source`: a path or a node's id, nothing else. */
export function readSource(value: Json, path: string, rule: TemplateRule): Template | undefined {
  const { findings } = rule.members;
  const known = typeof value === "string" && (rule.nodeIds.has(value) || isPathText(value));
  if (known) return readTemplate(value, path, rule);
  const shown = typeof value === "string" ? `${quote(value)} is` : "It is";
  findings.fault("invalid-source", path, `${shown} neither a path such as $ocr.content nor a node's id`);
  return undefined;
}
