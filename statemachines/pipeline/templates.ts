/** Templates: values built from path expressions, in `source`, `input` and `output`. */
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

/** The rules of reading a template. */
export interface TemplateRule {
  members: MemberReader;
  /** Ids that, bare, mean the node's result: as the whole value, or as an entry of a list that is the whole value. */
  nodeIds: ReadonlySet<string>;
}

const nodeResult = (id: string): Template => {
  const read = parsePath(`$nodes.${id}.result`);
  return typeof read === "string" ? literal(id) : read;
};

/** Replaces a faulty template, so that its siblings keep their places. */
const PLACEHOLDER_TEMPLATE = literal(null);

/**
 * @param depth of the value in the template
 * @param bare false inside objects, where ids are plain texts
 * @returns undefined for a faulty template; the faults are reported
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

/** All paths of a template with their JSON Pointers. @param at the template's pointer */
export function* referencesIn(template: Template, at: string): Generator<{ path: Path; place: string }> {
  if (template.kind === "path") yield { path: template, place: at };
  else if (template.kind === "list") {
    for (const [index, item] of template.items.entries()) yield* referencesIn(item, pointTo(at, index));
  } else if (template.kind === "object") {
    for (const [name, member] of template.members) yield* referencesIn(member, pointTo(at, name));
  }
}

/** All paths of a template. */
export function* pathsIn(template: Template): Generator<Path> {
  for (const { path } of referencesIn(template, "")) yield path;
}

/** Reads a `source`: a path or a node's id, nothing else. */
export function readSource(value: Json, path: string, rule: TemplateRule): Template | undefined {
  const { findings } = rule.members;
  const known = typeof value === "string" && (rule.nodeIds.has(value) || isPathText(value));
  if (known) return readTemplate(value, path, rule);
  const shown = typeof value === "string" ? `${quote(value)} is` : "It is";
  findings.fault("invalid-source", path, `${shown} neither a path such as $ocr.content nor a node's id`);
  return undefined;
}
