/** The paths that a node reads: in its templates, and in the text of a template transform. */
import type { NodeBody } from "./definition.ts";
import { templatesOf } from "./nodes/kinds.ts";
import { isPathText, type Path, parsePath } from "./paths.ts";
import { pathsIn } from "./templates.ts";

/** A slot of a template's text: `{{$nodes.ID.member}}`. */
export const SLOT_PATTERN = /\{\{([^{}]*)\}\}/g;

/** The slots of a template's text with their paths; a malformed path is a sentence. */
export const slotsOf = (text: string): { slot: string; path: Path | string | undefined }[] =>
  [...text.matchAll(SLOT_PATTERN)].map(([, written = ""]) => {
    const slot = written.trim();
    return { slot, path: isPathText(slot) ? parsePath(slot) : undefined };
  });

/** All paths that a node reads, without those of its condition. */
export function pathsReadBy(node: NodeBody): Path[] {
  const text = node.type === "transform" && node.transform === "template" ? node.config.text : undefined;
  const slots = typeof text === "string" ? slotsOf(text).flatMap(({ path }) => path ?? []) : [];
  const templates = templatesOf(node).flatMap(({ template }) => [...pathsIn(template)]);
  return [...templates, ...slots.filter((path) => typeof path === "object")];
}
