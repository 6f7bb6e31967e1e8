/** Lists of strings: behind the property's label (`Tags: a, b, c`), marked lines below it, or the column that it heads. */

import type { Shape } from "../../schema/schema-shape.ts";
import { recordTexts } from "../../structure/records/record-set.ts";
import { isSumRow } from "../../structure/records/sum-rows.ts";
import { tableRecords } from "../../structure/records/table-records.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { trimValue } from "../../values/text-folding.ts";
import { LabelIndex } from "../../values/vocabulary/label-index.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import { meaningOf } from "./field-meaning.ts";
import { findLabels } from "./find-labels.ts";
import { findingNode, type ResultNode } from "./findings.ts";
import { authorsOf } from "./front-page.ts";
import { headingKey } from "./items/heading-meanings.ts";
import { statedFact } from "./statements.ts";
import { zonesOf } from "./value-candidates.ts";

const MAX_ITEMS = 100;
const MAX_ITEM_CHARS = 60;
const ITEM_CONFIDENCE = 0.7;
const MAX_CELLS = 20_000;

const AND = anyOf(wordsOf(({ grammar }) => grammar.conjunctions));
/** A full name of two words at least. */
const NAME = "\\p{Lu}[\\p{L}.'’-]+(?:\\s\\p{Lu}[\\p{L}.'’-]*)+";
/** Signs between items, and `and` between the full names of two persons. */
const BETWEEN_ITEMS = new RegExp(`[,;•·|]|(?<=${NAME})\\s(?:${AND}|&)(?=\\s${NAME}$)`, "u");

function splitList(segment: Segment, start: number, end: number): ResultNode[] {
  const nodes: ResultNode[] = [];
  let at = start;
  for (const part of segment.text.slice(start, end).split(BETWEEN_ITEMS)) {
    const value = trimValue(part);
    const from = at + part.indexOf(value);
    if (value !== "" && value.length <= MAX_ITEM_CHARS)
      nodes.push(
        findingNode({ value, tokens: tokensBetween(segment, from, from + value.length), confidence: ITEM_CONFIDENCE }),
      );
    at += part.length + 1;
  }
  return nodes.slice(0, MAX_ITEMS);
}

const LIST_MARKER = /^(?:[•·∙●▪■◦‣–—*-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+/u;
/** Items may begin this far right of their heading. */
const MAX_INDENT_INCHES = 0.6;
const MAX_OUTDENT_INCHES = 0.1;
/** Gap between rows of one list. */
const MAX_ROW_GAP_HEIGHTS = 1.2;
const MAX_ROWS = 100;

/** Lines with list markers below a heading; a line without one continues the item above. */
function markedLines(heading: Segment, context: DocumentContext): ResultNode[] {
  const items: Token[][] = [];
  let bottom = heading.box.bottom;
  for (const row of context.view.rows.slice(heading.row + 1, heading.row + 1 + MAX_ROWS)) {
    const line = row.segments.find(
      ({ box }) => box.left > heading.box.left - MAX_OUTDENT_INCHES && box.left < heading.box.left + MAX_INDENT_INCHES,
    );
    const height = row.box.bottom - row.box.top;
    if (line === undefined || row.page !== heading.page || row.box.top - bottom > MAX_ROW_GAP_HEIGHTS * height) break;
    const tokens = row.segments.flatMap((segment) => segment.tokens);
    if (LIST_MARKER.test(`${line.text} `)) items.push(tokens.slice(1));
    else if (items.length === 0) break;
    else items.at(-1)?.push(...tokens);
    bottom = row.box.bottom;
  }
  const filled = items.filter((tokens) => tokens.length > 0);
  return filled.map((tokens) => {
    const value = trimValue(tokens.map((token) => token.text).join(" "));
    return findingNode({ value, tokens, confidence: ITEM_CONFIDENCE });
  });
}

/** The cells of the column whose heading is the list's name. */
function columnCells(keys: ReadonlySet<string>, context: DocumentContext): ResultNode[] {
  for (const { headings, records } of tableRecords(context.view)) {
    const column = headings.findIndex((text) => text !== "" && keys.has(headingKey(text)));
    if (column < 0) continue;
    return records.slice(0, MAX_CELLS).flatMap((row) => {
      const cell = row.cells.get(column);
      const value = cell === undefined || isSumRow(recordTexts(row)) ? "" : trimValue(cell.text);
      return cell === undefined || value === ""
        ? []
        : [findingNode({ value, tokens: cell.tokens, confidence: ITEM_CONFIDENCE })];
    });
  }
  return [];
}

/** Authors below a title, and the parties of a contract. */
function listedNames(concept: string | null, context: DocumentContext): ResultNode[] {
  if (concept === "author")
    return authorsOf(context).map(({ text, tokens }) =>
      findingNode({ value: text, tokens, confidence: ITEM_CONFIDENCE }),
    );
  if (concept !== "parties") return [];
  const parties = ["first-party", "second-party"].map((id) => statedFact(id, context));
  return parties.every((one) => one !== null) ? parties.map((one) => findingNode(one)) : [];
}

/** The items of a list of strings; empty for other lists. */
export function scalarList(shape: Shape & { kind: "list" }, context: DocumentContext): ResultNode[] {
  const { item } = shape;
  if (item.kind !== "scalar" || item.field.type !== "string" || item.field.choices !== null) return [];
  const named = meaningOf({
    ...item.field,
    inItems: false,
    name: shape.name,
    path: shape.path,
    title: shape.title,
    description: shape.description,
  });
  const listed = listedNames(named.concept, context);
  if (listed.length > 0) return listed;
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
