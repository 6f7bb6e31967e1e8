/** The references of a formula (ECMA-376 part 1, 18.17), between pieces of text that stay as they are. */
import { columnNumber, MAX_ROWS } from "../../readers/office/xlsx/sheet.ts";

/** One end of a reference. */
export interface ReferenceEnd {
  /** Letters with their `$`; empty for whole rows. */
  column: string;
  /** From 1. */
  row: number;
  /** True for `$5`. */
  pinned: boolean;
}

export interface Reference {
  /** As written, with `!`; empty for the formula's own sheet. */
  qualifier: string;
  /** Names of the sheets that the qualifier means: one, or first and last; empty for the own sheet. */
  sheets: readonly string[];
  from: ReferenceEnd;
  /** Undefined for a single cell. */
  to: ReferenceEnd | undefined;
  /** Takes a list of cells as well as one: a whole argument of a function such as SUM. */
  takesRange: boolean;
  /** May be a number in its place: an argument of a function such as SUM, or a term of a calculation. */
  takesNumber: boolean;
  /** One end of a range that is written with another reference or a function. */
  side: "from" | "to" | undefined;
}

export type FormulaPart = string | Reference;

const CELL = String.raw`\$?[A-Za-z]{1,3}\$?\d{1,7}`;
const PATTERNS = {
  text: /"(?:[^"]|"")*"/y,
  error: new RegExp(`#[A-Z/0-9_]+[!?]?(?:${CELL}(?::${CELL})?)?`, "yi"),
  quoted: /'((?:[^']|'')+)'!/y,
  plain: /((?:\[[^\]]*\])?[\p{L}_][\p{L}\p{N}_.]*(?::[\p{L}_][\p{L}\p{N}_.]*)?)!|(\[\d+\])!/uy,
  range: /(\$?[A-Za-z]{1,3})(\$?)(\d{1,7})(?::(\$?[A-Za-z]{1,3})(\$?)(\d{1,7}))?(?![\p{L}\p{N}_.\\(!?[])/uy,
  rows: /(\$?)(\d{1,7}):(\$?)(\d{1,7})(?![\p{L}\p{N}_.(])/uy,
  name: /[\p{L}_\\][\p{L}\p{N}_.\\?]*/uy,
  number: /\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+/y,
  space: /\s+/y,
} as const;

function match(pattern: RegExp, formula: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(formula) ?? undefined;
}

/** End of a structured reference: brackets nest, and an apostrophe escapes the next character. */
function bracketEnd(formula: string, start: number): number {
  let depth = 0;
  for (let at = start; at < formula.length; at += 1) {
    if (formula[at] === "'") at += 1;
    else if (formula[at] === "[") depth += 1;
    else if (formula[at] === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return formula.length;
}

const validColumn = (column: string): boolean => columnNumber(column.replace("$", "")) !== undefined;
const validRow = (row: number): boolean => row >= 1 && row <= MAX_ROWS;

type Ends = Pick<Reference, "from" | "to"> & { length: number };

function endsAt(formula: string, at: number): Ends | undefined {
  const range = match(PATTERNS.range, formula, at);
  if (range !== undefined) {
    const [whole, column = "", pin, row, column2, pin2, row2] = range;
    const from = { column, row: Number(row), pinned: pin === "$" };
    if (!validColumn(column) || !validRow(from.row)) return undefined;
    if (column2 === undefined) return { from, to: undefined, length: whole.length };
    const to = { column: column2, row: Number(row2), pinned: pin2 === "$" };
    if (!validColumn(column2) || !validRow(to.row)) return undefined;
    return { from, to, length: whole.length };
  }
  const rows = match(PATTERNS.rows, formula, at);
  if (rows === undefined) return undefined;
  const [whole, pin, row, pin2, row2] = rows;
  const from = { column: "", row: Number(row), pinned: pin === "$" };
  const to = { column: "", row: Number(row2), pinned: pin2 === "$" };
  return validRow(from.row) && validRow(to.row) ? { from, to, length: whole.length } : undefined;
}

/** The sheets of a qualifier; undefined for those of another workbook. */
function sheetsOf(name: string): string[] | undefined {
  if (name.includes("[")) return undefined;
  return name.replaceAll("''", "'").split(":");
}

/** Functions whose arguments are lists of cells; a number tells every which of them is one, of SUMIF for example. */
const RANGE_ARGUMENTS: ReadonlyMap<string, (argument: number) => boolean> = new Map([
  ...(
    "SUM AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MINA MAX MAXA PRODUCT MEDIAN SUMSQ SUMPRODUCT STDEV STDEV.S STDEV.P STDEVP " +
    "STDEVA STDEVPA VAR VAR.S VAR.P VARP VARA VARPA MODE MODE.SNGL GEOMEAN HARMEAN AND OR XOR CONCAT CONCATENATE ROWS UNIQUE SORT"
  )
    .split(" ")
    .map((name): [string, (argument: number) => boolean] => [name, () => true]),
  ["SUBTOTAL", (argument) => argument >= 1],
  ["AGGREGATE", (argument) => argument === 2],
  ["TEXTJOIN", (argument) => argument >= 2],
  ["SUMIF", (argument) => argument !== 1],
  ["AVERAGEIF", (argument) => argument !== 1],
  ["COUNTIF", (argument) => argument === 0],
  ["SUMIFS", (argument) => argument === 0 || argument % 2 === 1],
  ["AVERAGEIFS", (argument) => argument === 0 || argument % 2 === 1],
  ["MAXIFS", (argument) => argument === 0 || argument % 2 === 1],
  ["MINIFS", (argument) => argument === 0 || argument % 2 === 1],
  ["COUNTIFS", (argument) => argument % 2 === 0],
  ["LARGE", (argument) => argument === 0],
  ["SMALL", (argument) => argument === 0],
  ["RANK", (argument) => argument === 1],
  ["RANK.EQ", (argument) => argument === 1],
]);

/** Functions that take numbers in place of cells. */
const NUMBER_ARGUMENTS = new Set(
  "SUM AVERAGE AVERAGEA COUNT COUNTA MIN MINA MAX MAXA PRODUCT MEDIAN SUMSQ SUMPRODUCT AND OR XOR CONCAT ROUND ABS IF N".split(
    " ",
  ),
);
const TERM_SIGNS = new Set(["+", "-", "*", "/", "^", "=", "<", ">"]);

interface Frame {
  name: string;
  argument: number;
}

interface Scan {
  formula: string;
  at: number;
  parts: FormulaPart[];
  /** Open parentheses with the functions before them. */
  frames: Frame[];
  /** Last sign that is no space, and the name just before a parenthesis. */
  before: string;
  name: string;
}

function push(scan: Scan, text: string): void {
  const last = scan.parts.at(-1);
  if (typeof last === "string") scan.parts[scan.parts.length - 1] = last + text;
  else scan.parts.push(text);
}

const nextSign = (formula: string, at: number): string => /\S/u.exec(formula.slice(at, at + 64))?.[0] ?? "";

function addReference(scan: Scan, qualifier: string, sheets: readonly string[], ends: Ends): void {
  const after = scan.at + qualifier.length + ends.length;
  const next = nextSign(scan.formula, after);
  const { before } = scan;
  const frame = scan.frames.at(-1);
  const isArgument = (before === "(" || before === ",") && (next === "," || next === ")");
  const isTerm =
    (TERM_SIGNS.has(before) || TERM_SIGNS.has(next) || (before === "" && next === "")) &&
    next !== ":" &&
    before !== ":";
  const side = next === ":" ? "from" : before === ":" ? "to" : undefined;
  scan.parts.push({
    qualifier,
    sheets,
    from: ends.from,
    to: ends.to,
    side: ends.to === undefined ? side : undefined,
    takesRange: isArgument && frame !== undefined && (RANGE_ARGUMENTS.get(frame.name)?.(frame.argument) ?? false),
    takesNumber:
      isTerm || (isArgument && frame !== undefined && (frame.name === "" || NUMBER_ARGUMENTS.has(frame.name))),
  });
  scan.at = after;
  scan.before = "A";
}

/** Reads a reference with its sheet. @returns false where none begins */
function readReference(scan: Scan): boolean {
  const { formula, at } = scan;
  const qualified = match(PATTERNS.quoted, formula, at) ?? match(PATTERNS.plain, formula, at);
  const qualifier = qualified?.[0] ?? "";
  const sheets = qualified === undefined ? [] : sheetsOf(qualified[1] ?? qualified[2] ?? "");
  const ends = endsAt(formula, at + qualifier.length);
  if (ends !== undefined && sheets !== undefined) {
    addReference(scan, qualifier, sheets, ends);
    return true;
  }
  if (qualified === undefined) return false;
  // A name, an error or a reference of another workbook.
  push(scan, qualifier + formula.slice(at + qualifier.length, at + qualifier.length + (ends?.length ?? 0)));
  scan.at = at + qualifier.length + (ends?.length ?? 0);
  scan.before = "A";
  return true;
}

function readSign(scan: Scan, sign: string): void {
  if (sign === "(") scan.frames.push({ name: scan.before === "name" ? scan.name : "", argument: 0 });
  else if (sign === ")") scan.frames.pop();
  else if (sign === ",") {
    const frame = scan.frames.at(-1);
    if (frame !== undefined) frame.argument += 1;
  }
  push(scan, sign);
  scan.at += 1;
  scan.before = sign === ")" ? "A" : sign;
}

function readOther(scan: Scan): void {
  const { formula, at } = scan;
  // A quote that names no sheet: there is no such formula, and no reference after it.
  if (formula[at] === "'") {
    push(scan, formula.slice(at));
    scan.at = formula.length;
    return;
  }
  const word = match(PATTERNS.name, formula, at);
  const space = match(PATTERNS.space, formula, at);
  const atom =
    match(PATTERNS.text, formula, at) ?? match(PATTERNS.error, formula, at) ?? match(PATTERNS.number, formula, at);
  const end = formula[at] === "[" ? bracketEnd(formula, at) : at + (word ?? space ?? atom ?? [""])[0].length;
  if (end === at) {
    readSign(scan, formula[at] ?? "");
    return;
  }
  push(scan, formula.slice(at, end));
  scan.at = end;
  if (space !== undefined) return;
  scan.before = word === undefined ? "A" : "name";
  if (word !== undefined) scan.name = word[0].toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/, "");
}

/** Splits a formula, without its `=`, into text and references. Joined again, the parts are the formula. */
export function parseFormula(formula: string): FormulaPart[] {
  const scan: Scan = { formula, at: 0, parts: [], frames: [], before: "", name: "" };
  while (scan.at < formula.length) {
    const isText = formula[scan.at] === '"' || formula[scan.at] === "#";
    if (isText || !readReference(scan)) readOther(scan);
  }
  return scan.parts;
}

const endText = ({ column, row, pinned }: ReferenceEnd): string => `${column}${pinned ? "$" : ""}${row}`;

/** A reference as formulas write it. */
export const referenceText = ({ qualifier, from, to }: Pick<Reference, "qualifier" | "from" | "to">): string =>
  to === undefined ? `${qualifier}${endText(from)}` : `${qualifier}${endText(from)}:${endText(to)}`;
