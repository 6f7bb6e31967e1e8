/** Texts of cells: their runs, and the tags in them. */
import { unescapeText } from "../../readers/office/xlsx/workbook.ts";
import { type Delimiters, type FoundTag, findTags, parseTag } from "../office/find-tags.ts";
import { parseExpression, parsePath, type TagExpression } from "../office/tag-expression.ts";
import { atTag, TagProblem, tagFault } from "../office/tag-fault.ts";
import { checkFilters } from "../office/tag-formats.ts";
import type { TemplateValueType } from "../template.ts";
import type { Loop } from "./loop.ts";
import { decodeText } from "./xml-source.ts";

/** A text of one look. */
export interface TextRun {
  text: string;
  /** Source of its properties (`rPr`); empty for the cell's own look. */
  look: string;
}

export interface LiteralPiece {
  kind: "text";
  text: string;
  look: string;
}

export interface ValuePiece {
  kind: "value" | "picture";
  expression: TagExpression;
  /** As written, with delimiters. */
  source: string;
  look: string;
  /** The list whose items the row is repeated for, of `${table:items.name}`. */
  list: readonly string[] | undefined;
  /** The loop of rows that the tag belongs to; undefined outside of loops. */
  owner: Loop | undefined;
  /** By the format of a cell that has nothing else in it. */
  valueType: TemplateValueType | null;
}

/** A section that opens and closes in one cell. */
export interface SectionPiece {
  kind: "section";
  path: readonly string[];
  inverted: boolean;
  pieces: CellPiece[];
  /** The loop of rows that the section belongs to; undefined outside of loops. */
  owner: Loop | undefined;
}

/** One end of a section over rows. */
export interface MarkerPiece {
  kind: "open" | "inverted" | "close";
  path: readonly string[];
  source: string;
}

export type CellPiece = LiteralPiece | ValuePiece | SectionPiece | MarkerPiece;

const RUN = /<((?:[^\s/>:]+:)?)r(?=[\s>])[^>]*>([\s\S]*?)<\/\1r\s*>/g;
const LOOK = /<((?:[^\s/>:]+:)?)rPr(?=[\s/>])[^>]*?(?:\/>|>[\s\S]*?<\/\1rPr\s*>)/;
const TEXT = /<((?:[^\s/>:]+:)?)t(?=[\s/>])[^>]*?(?:\/>|>([\s\S]*?)<\/\1t\s*>)/g;
const PHONETIC = /<((?:[^\s/>:]+:)?)rPh(?=[\s>])[\s\S]*?<\/\1rPh\s*>/g;

const joinTexts = (source: string): string =>
  unescapeText([...source.matchAll(TEXT)].map(([, , text]) => decodeText(text ?? "")).join(""));

/** The runs of a string (`si` or `is`), from the source between its tags. */
export function readRuns(source: string): TextRun[] {
  const plain = source.replace(PHONETIC, "");
  const runs = [...plain.matchAll(RUN)].map(([, , content = ""]) => ({
    text: joinTexts(content),
    look: LOOK.exec(content)?.[0] ?? "",
  }));
  return runs.length > 0 ? runs : [{ text: joinTexts(plain), look: "" }];
}

const TABLE_PREFIX = /^\s*table\s*:\s*/i;
const IMAGE_PREFIX = /^\s*image\s*:\s*/i;
const IMAGE_SUFFIX = /\s*:\s*image\s*$/i;

/** Reads `${table:items.name}`: a list and the name in its items. @throws TagProblem */
function readTableTag(inner: string, source: string, look: string): ValuePiece {
  const isPicture = IMAGE_SUFFIX.test(inner);
  const text = inner.replace(TABLE_PREFIX, "").replace(IMAGE_SUFFIX, "");
  const { path, filters } = parseExpression(text);
  const [list, ...name] = path;
  if (list === undefined) throw new TagProblem("names no list");
  const expression = { path: name, filters };
  checkFilters(expression);
  return {
    kind: isPicture ? "picture" : "value",
    expression,
    source,
    look,
    list: [list],
    owner: undefined,
    valueType: null,
  };
}

/** @throws TagProblem */
function readTag(inner: string, source: string, look: string): CellPiece {
  if (TABLE_PREFIX.test(inner)) return readTableTag(inner, source, look);
  if (IMAGE_PREFIX.test(inner)) {
    const path = parsePath(inner.replace(IMAGE_PREFIX, ""));
    return {
      kind: "picture",
      expression: { path, filters: [] },
      source,
      look,
      list: undefined,
      owner: undefined,
      valueType: null,
    };
  }
  const tag = parseTag(inner);
  if (!("expression" in tag)) return { kind: tag.kind, path: tag.path, source };
  checkFilters(tag.expression);
  return {
    kind: tag.kind,
    expression: tag.expression,
    source,
    look,
    list: undefined,
    owner: undefined,
    valueType: null,
  };
}

/** Single braces are ordinary text too: what reads as no tag is one. */
function readFound(found: FoundTag, place: string, isSingle: boolean, look: string): CellPiece {
  const { inner, source } = found;
  const literal: LiteralPiece = { kind: "text", text: source, look };
  if (isSingle && !/^\s*[#^/%]?\s*[\p{L}_.]/u.test(inner)) return literal;
  try {
    return readTag(inner, source, look);
  } catch (error) {
    if (isSingle && error instanceof TagProblem && !/^\s*[#^/%]|\|/u.test(inner)) return literal;
    return atTag(source, place, () => {
      throw error;
    });
  }
}

/** Most sections inside each other in one cell. */
const MAX_DEPTH = 20;

/** Joins a section's ends that are in one cell; what remains open or closed is one end of a section over rows. */
function joinSections(pieces: readonly CellPiece[], place: string): CellPiece[] {
  const levels: { marker: MarkerPiece | undefined; pieces: CellPiece[] }[] = [{ marker: undefined, pieces: [] }];
  for (const piece of pieces) {
    const level = levels.at(-1);
    if (level === undefined) break;
    if (piece.kind === "open" || piece.kind === "inverted") {
      if (levels.length > MAX_DEPTH) throw tagFault(piece.source, place, `is inside more than ${MAX_DEPTH} sections`);
      levels.push({ marker: piece, pieces: [] });
    } else if (piece.kind === "close" && level.marker !== undefined && closes(piece, level.marker)) {
      levels.pop();
      const { path, kind } = level.marker;
      levels
        .at(-1)
        ?.pieces.push({ kind: "section", path, inverted: kind === "inverted", pieces: level.pieces, owner: undefined });
    } else level.pieces.push(piece);
  }
  return levels.flatMap((level) => (level.marker === undefined ? level.pieces : [level.marker, ...level.pieces]));
}

/** True where an end belongs to a section's start. */
export const closes = (end: MarkerPiece, start: { path: readonly string[] }): boolean =>
  end.path.length === 0 || end.path.join(".") === start.path.join(".");

/** The texts of runs from one character to another, the end exclusive. */
function literals(runs: readonly TextRun[], from: number, to: number): LiteralPiece[] {
  const found: LiteralPiece[] = [];
  let at = 0;
  for (const { text, look } of runs) {
    const part = text.slice(Math.max(from - at, 0), Math.max(to - at, 0));
    if (part !== "") found.push({ kind: "text", text: part, look });
    at += text.length;
  }
  return found;
}

function lookAt(runs: readonly TextRun[], character: number): string {
  let at = 0;
  for (const { text, look } of runs) {
    at += text.length;
    if (character < at) return look;
  }
  return "";
}

/** A start of a tag in single braces without its end; other braces are text. */
const UNCLOSED_SINGLE = /^\{[#^/]?[\p{L}_][\p{L}\p{N}_.]*\s*$/u;

/**
 * Finds the tags of a text.
 * @param place such as `sheet Offer, cell B5`
 * @returns undefined for a text without tags
 * @throws UnprocessableEntity naming a tag that cannot be read, and its place
 */
export function readPieces(runs: readonly TextRun[], delimiters: Delimiters, place: string): CellPiece[] | undefined {
  const text = runs.map((run) => run.text).join("");
  const isSingle = delimiters.open === "{";
  const { tags, unclosed } = findTags(text, delimiters);
  if (unclosed !== undefined && (!isSingle || UNCLOSED_SINGLE.test(unclosed))) {
    throw tagFault(unclosed, place, "is never closed");
  }
  const stray = delimiters.open === "{{" && tags.length === 0 && !text.includes("{") ? text.indexOf("}}") : -1;
  if (stray !== -1) throw tagFault(text.slice(0, stray + 2), place, "is never opened");
  if (tags.length === 0) return undefined;
  const pieces: CellPiece[] = [];
  let at = 0;
  for (const found of tags) {
    pieces.push(...literals(runs, at, found.start), readFound(found, place, isSingle, lookAt(runs, found.start)));
    at = found.end;
  }
  pieces.push(...literals(runs, at, text.length));
  if (pieces.every(({ kind }) => kind === "text")) return undefined;
  return joinSections(pieces, place);
}

/** The only value of a cell that has nothing beside it, whose type the cell takes on. */
export function loneValue(pieces: readonly CellPiece[]): ValuePiece | undefined {
  const [piece, ...others] = pieces.filter(
    (one) =>
      one.kind !== "open" &&
      one.kind !== "inverted" &&
      one.kind !== "close" &&
      (one.kind !== "text" || one.text.trim() !== ""),
  );
  return others.length === 0 && (piece?.kind === "value" || piece?.kind === "picture") ? piece : undefined;
}

/** True for a text that only begins or ends sections. */
export const isOnlyMarkers = (pieces: readonly CellPiece[]): boolean =>
  pieces.every(
    ({ kind, ...piece }) =>
      kind === "open" ||
      kind === "inverted" ||
      kind === "close" ||
      (kind === "text" && "text" in piece && piece.text.trim() === ""),
  );
