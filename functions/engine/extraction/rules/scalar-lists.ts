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
import { streamOf } from "./prose-stream.ts";
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

/** Words that the item before leaves behind: `A, B, and C`. */
const LEADING_AND = new RegExp(`^(?:${AND}|&)\\s+(?=\\p{Lu})`, "u");

/** The items in a text of words: lines of one paragraph, a hyphen at a line's end kept in its word. */
function splitList(tokens: readonly Token[], context: DocumentContext): ResultNode[] {
  const { folded } = streamOf(context);
  let text = "";
  const starts = tokens.map((token, at) => {
    const before = tokens[at - 1];
    const isHyphened = before !== undefined && /\p{L}-$/u.test(before.text) && before.box.top < token.box.top;
    if (before !== undefined && !isHyphened) text += " ";
    // The document's own spelling decides which hyphen is the line's (`Comput-`, `ing`).
    const whole = `${before?.text.slice(0, -1)}${/^[\p{L}]*/u.exec(token.text)?.[0]}`.toLowerCase();
    if (isHyphened && folded.includes(whole)) text = text.slice(0, -1);
    const start = text.length;
    text += token.text;
    return start;
  });
  const nodes: ResultNode[] = [];
  let at = 0;
  for (const part of text.split(BETWEEN_ITEMS)) {
    const value = trimValue(part)
      .replace(LEADING_AND, "")
      .replace(/(?<=\p{Ll}{3})\.$/u, "");
    const from = at + part.indexOf(value);
    const own = tokens.filter(
      ({ text: word }, index) =>
        (starts[index] ?? 0) < from + value.length && from < (starts[index] ?? 0) + word.length,
    );
    if (value !== "" && value.length <= MAX_ITEM_CHARS)
      nodes.push(findingNode({ value, tokens: own, confidence: ITEM_CONFIDENCE }));
    at += part.length + 1;
  }
  return nodes.slice(0, MAX_ITEMS);
}

/** Lines of a list in a paragraph: abstracts have up to five lines of keywords. */
const MAX_LINES = 6;

/** The rest of a paragraph below a line that ends inside of it; nothing below another block or a line that is a label. */
function linesBelow(line: Segment, context: DocumentContext): Token[] {
  const tokens: Token[] = [];
  let last = line;
  for (const { segments } of context.view.rows.slice(line.row + 1, line.row + MAX_LINES)) {
    const block = last.tokens[0]?.block;
    const next = segments.find(({ tokens: [first] }) => first !== undefined && first.block === block);
    if (next === undefined || /[.:]$/.test(last.text) || context.labels.bySegment.has(next)) break;
    tokens.push(...next.tokens);
    last = next;
  }
  return tokens;
}

/** Rows of a page, with those of another column between. */
const MAX_ROWS_TO_PARAGRAPH = 3;

/** A paragraph of short items right below a heading: `Keywords`, and a line with commas. */
function paragraphBelow(heading: Segment, context: DocumentContext): ResultNode[] {
  const height = heading.box.bottom - heading.box.top;
  const line = context.view.rows
    .slice(heading.row + 1, heading.row + 1 + MAX_ROWS_TO_PARAGRAPH)
    .flatMap(({ segments }) => segments)
    .find(({ box }) => Math.abs(box.left - heading.box.left) < MAX_INDENT_INCHES);
  if (line === undefined || line.page !== heading.page) return [];
  if (line.box.top - heading.box.bottom > MAX_ROW_GAP_HEIGHTS * height) return [];
  const tokens = [...line.tokens, ...linesBelow(line, context)];
  const items = splitList(tokens, context);
  const words = tokens.length / Math.max(1, items.length);
  return items.length >= MIN_PARAGRAPH_ITEMS && words <= MAX_WORDS_PER_ITEM ? items : [];
}

/** Items of a paragraph, and their words on average: a sentence has fewer and longer ones between its commas. */
const MIN_PARAGRAPH_ITEMS = 3;
const MAX_WORDS_PER_ITEM = 4;

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
  const names = listedNames(named.concept, context);
  if (names.length > 0) return names;
  const index = new Map(named.ownKeys.map(({ key, strength }) => [key, [{ concept: "own", strength }]]));
  const hits = findLabels(context.view, new LabelIndex(index)).byConcept.get("own") ?? [];
  const hit = hits.find((candidate) => candidate.colon && candidate.from === 0);
  const zone = hit && zonesOf(hit, context.view, context.labels, "text").find(({ relation }) => relation !== "below");
  if (zone !== undefined) {
    const { segment, start, end } = zone;
    const below = end >= segment.text.length ? linesBelow(segment, context) : [];
    return splitList([...tokensBetween(segment, start, end), ...below], context);
  }
  const headings = hits.filter(({ segment, from, to }) => from === 0 && to === segment.tokens.length);
  for (const { segment } of headings) {
    const items = markedLines(segment, context);
    if (items.length > 1) return items;
    const listed = paragraphBelow(segment, context);
    if (listed.length > 0) return listed;
  }
  return columnCells(new Set(named.ownKeys.map(({ key }) => key)), context);
}
