/** Lists of scalars: only what stands as a list behind the property's own label (`Tags: a, b, c`). */
import { zonesOf } from "./candidates.ts";
import type { DocumentContext } from "./context.ts";
import { foundOr, type Node } from "./evidence.ts";
import { trimValue } from "./formats/text.ts";
import { LabelIndex } from "./labelindex.ts";
import { findLabels } from "./labels.ts";
import { meaningOf } from "./meaning.ts";
import type { Shape } from "./schema.ts";
import { type Segment, tokensBetween } from "./view.ts";

const MAX_ITEMS = 100;

function splitList(segment: Segment, start: number, end: number): Node[] {
  const nodes: Node[] = [];
  let at = start;
  for (const part of segment.text.slice(start, end).split(/[,;•·|]/)) {
    const value = trimValue(part);
    const from = at + part.indexOf(value);
    if (value !== "" && value.length <= 60)
      nodes.push(foundOr({ value, tokens: tokensBetween(segment, from, from + value.length), confidence: 0.7 }));
    at += part.length + 1;
  }
  return nodes.slice(0, MAX_ITEMS);
}

/** The items of a list of strings; empty for every other list. */
export function scalarList(shape: Shape & { kind: "list" }, context: DocumentContext): Node[] {
  const { item } = shape;
  if (item.kind !== "scalar" || item.field.type !== "string" || item.field.choices !== null) return [];
  const named = meaningOf({
    ...item.field,
    name: shape.name,
    path: shape.path,
    title: shape.title,
    description: shape.description,
  });
  const index = new Map(named.ownKeys.map(({ key, strength }) => [key, [{ concept: "own", strength }]]));
  const hits = findLabels(context.view, new LabelIndex(index)).byConcept.get("own") ?? [];
  const hit = hits.find((candidate) => candidate.colon && candidate.from === 0);
  if (hit === undefined) return [];
  const zone = zonesOf(hit, context.view, context.labels, "text").find(({ relation }) => relation !== "below");
  return zone === undefined ? [] : splitList(zone.segment, zone.start, zone.end);
}
