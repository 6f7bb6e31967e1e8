/** Lists of strings: behind the property's own label (`Tags: a, b, c`), marked lines under it, or the column it heads. */

import type { Shape } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { trimValue } from "../../values/text-folding.ts";
import { LabelIndex } from "../../values/vocabulary/label-index.ts";
import type { DocumentContext } from "./document-context.ts";
import { meaningOf } from "./field-meaning.ts";
import { findLabels } from "./find-labels.ts";
import { foundOr, type Node } from "./findings.ts";
import { headingKey } from "./items/heading-meanings.ts";
import { gridsOf, isSumRow } from "./items/item-grid.ts";
import { zonesOf } from "./value-candidates.ts";

const MAX_ITEMS = 100;
const MAX_CELLS = 20_000;

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

const MARK = /^(?:[•·∙●▪■◦‣–—*-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+/u;
/** Inches by which the items of a list stand right of its heading at most, and rows that it may have. */
const INDENT = 0.6;
const MAX_ROWS = 100;

/** Lines with marks under a heading; a line without one goes on with the item above it. */
function markedLines(heading: Segment, context: DocumentContext): Node[] {
  const items: Token[][] = [];
  let bottom = heading.box.bottom;
  for (const row of context.view.rows.slice(heading.row + 1, heading.row + 1 + MAX_ROWS)) {
    const line = row.segments.find(
      ({ box }) => box.left > heading.box.left - 0.1 && box.left < heading.box.left + INDENT,
    );
    const height = row.box.bottom - row.box.top;
    if (line === undefined || row.page !== heading.page || row.box.top - bottom > 1.2 * height) break;
    const tokens = row.segments.flatMap((segment) => segment.tokens);
    if (MARK.test(`${line.text} `)) items.push(tokens.slice(1));
    else if (items.length === 0) break;
    else items.at(-1)?.push(...tokens);
    bottom = row.box.bottom;
  }
  const told = items.filter((tokens) => tokens.length > 0);
  return told.map((tokens) => {
    const value = trimValue(tokens.map((token) => token.text).join(" "));
    return foundOr({ value, tokens, confidence: 0.7 });
  });
}

/** The cells of the one column that the list's own words head. */
function columnCells(keys: ReadonlySet<string>, context: DocumentContext): Node[] {
  for (const { headings, rows } of gridsOf(context.view)) {
    const column = headings.findIndex((text) => text !== "" && keys.has(headingKey(text)));
    if (column < 0) continue;
    return rows.slice(0, MAX_CELLS).flatMap((row) => {
      const cell = row.cells.get(column);
      const value = cell === undefined || isSumRow(row) ? "" : trimValue(cell.text);
      return cell === undefined || value === "" ? [] : [foundOr({ value, tokens: cell.tokens, confidence: 0.7 })];
    });
  }
  return [];
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
  const zone = hit && zonesOf(hit, context.view, context.labels, "text").find(({ relation }) => relation !== "below");
  if (zone !== undefined) return splitList(zone.segment, zone.start, zone.end);
  const headings = hits.filter(({ segment, from, to }) => from === 0 && to === segment.tokens.length);
  for (const { segment } of headings) {
    const items = markedLines(segment, context);
    if (items.length > 1) return items;
  }
  return columnCells(new Set(named.ownKeys.map(({ key }) => key)), context);
}
