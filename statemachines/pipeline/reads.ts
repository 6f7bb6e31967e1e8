/** What a node reads: the paths of its values, and those in a template's text. */
import type { NodeBody } from "./definition.ts";
import { templatesOf } from "./nodes/kinds.ts";
import { isPathText, type Path, parsePath } from "./paths.ts";
import { pathsIn } from "./templates.ts";

/** What a template's text may read: `{{$nodes.ID.member}}`. */
export const SLOT_PATTERN = /\{\{([^{}]*)\}\}/g;

/** The paths in a template node's text; of what only looks like one, the objection. */
export const slotsOf = (text: string): { slot: string; path: Path | string | undefined }[] =>
  [...text.matchAll(SLOT_PATTERN)].map(([, written = ""]) => {
    const slot = written.trim();
    return { slot, path: isPathText(slot) ? parsePath(slot) : undefined };
  });

/** All paths that a node's work reads; those of its condition are not among them. */
export function pathsReadBy(node: NodeBody): Path[] {
  const text = node.type === "transform" && node.transform === "template" ? node.config.text : undefined;
  const slots = typeof text === "string" ? slotsOf(text).flatMap(({ path }) => path ?? []) : [];
  const templates = templatesOf(node).flatMap(({ template }) => [...pathsIn(template)]);
  return [...templates, ...slots.filter((path) => typeof path === "object")];
}
