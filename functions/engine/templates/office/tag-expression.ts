/**
 * The expression inside a tag: a path of own members, and filters from a fixed list: `total | number("de", 2)`. There is
 * no code in it, and no way to members that an object inherits.
 */
import { isObject, type Json, own } from "../../../ports/json.ts";
import { TagProblem } from "./tag-fault.ts";

export interface TagFilter {
  name: string;
  args: (string | number)[];
}

export interface TagExpression {
  /** Members from the outside in; empty for the item itself, `{.}`. */
  path: readonly string[];
  filters: readonly TagFilter[];
}

/** Longest expression, in characters. */
const MAX_EXPRESSION = 500;
/** Most members of a path. */
const MAX_PATH = 20;

/** A member's name: letters and digits of any script, with `_`, `-`, `$`, `#`, `/` and single spaces inside. */
const MEMBER = /^[\p{L}\p{N}_$](?:[\p{L}\p{M}\p{N}_$:@/#-]| (?! ))*$/u;
/** Quotes as typed, and as word processors correct them. */
const QUOTED = /["“”„‟«»]([^"“”„‟«»]*)["“”„‟«»]|['‘’‚‛]([^'‘’‚‛]*)['‘’‚‛]/u;
const NUMBER = /-?\d+(?:\.\d+)?/;
const ARGUMENT = new RegExp(`\\s*(?:${QUOTED.source}|(${NUMBER.source}))\\s*(?:,(?=\\s*\\S)|$)`, "yu");

function parseArguments(text: string): (string | number)[] {
  const args: (string | number)[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    ARGUMENT.lastIndex = at;
    const match = ARGUMENT.exec(text);
    if (match === null) throw new TagProblem(`has a filter with arguments that are no texts in quotes and no numbers`);
    const [whole, double, single, number] = match;
    args.push(number === undefined ? (double ?? single ?? "") : Number(number));
    at += whole.length;
  }
  return args;
}

const FILTER = /^\s*([A-Za-z]\w*)\s*(?:\((.*)\))?\s*$/su;

function parseFilter(text: string): TagFilter {
  const match = FILTER.exec(text);
  if (match === null) throw new TagProblem(`has a filter that cannot be read; write it like | number("en", 2)`);
  return { name: match[1] ?? "", args: parseArguments(match[2] ?? "") };
}

/** Splits at `|` outside quotes. */
function splitFilters(text: string): string[] {
  if (!text.includes("|")) return [text];
  const parts = [""];
  const pieces = new RegExp(`${QUOTED.source}|[^]`, "gu");
  for (const [piece] of text.matchAll(pieces)) {
    if (piece === "|") parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** The members of a dotted path; empty for `.` and `this`. @throws TagProblem */
export function parsePath(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === "") throw new TagProblem("names no field");
  if (trimmed === "." || trimmed === "this") return [];
  const path = trimmed.split(".").map((member) => member.trim());
  if (path.length > MAX_PATH) throw new TagProblem(`has more than ${MAX_PATH} parts between full stops`);
  if (path.some((member) => !MEMBER.test(member))) {
    throw new TagProblem("is no name of a field, such as customer.name; it takes no code");
  }
  return path;
}

/** @throws TagProblem for anything but a path and filters */
export function parseExpression(text: string): TagExpression {
  if (text.length > MAX_EXPRESSION) throw new TagProblem(`is longer than ${MAX_EXPRESSION} characters`);
  const [path = "", ...filters] = splitFilters(text);
  return { path: parsePath(path), filters: filters.map(parseFilter) };
}

/** The values that a tag sees: those of the item, then those around its loop. */
export interface TagScope {
  readonly value: Json;
  readonly parent: TagScope | undefined;
}

/** The scope of an item inside another scope. */
export const innerScope = (value: Json, parent: TagScope): TagScope => ({ value, parent });
export const outerScope = (values: Json): TagScope => ({ value: values, parent: undefined });

/** The value at a path of own members; undefined where there is none. */
function follow(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const member of path) {
    if (!isObject(at)) return undefined;
    at = own(at, member);
  }
  return at;
}

/** Looks a path up in the innermost scope that has its first member. */
export function lookUp(scope: TagScope, path: readonly string[]): Json | undefined {
  const [first] = path;
  if (first === undefined) return scope.value;
  for (let at: TagScope | undefined = scope; at !== undefined; at = at.parent) {
    if (isObject(at.value) && Object.hasOwn(at.value, first)) return follow(at.value, path);
  }
  return undefined;
}

/** True where a section shows its content: for everything but null, false, "", 0 and lists without items. */
export function isShown(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

/** The scopes in which a section's content is repeated; an inverted one shows its content once, or not at all. */
export function sectionScopes(scope: TagScope, path: readonly string[], inverted: boolean): TagScope[] {
  const value = lookUp(scope, path);
  if (inverted) return isShown(value) ? [] : [scope];
  if (!isShown(value)) return [];
  if (Array.isArray(value)) return value.map((item) => innerScope(item, scope));
  // A condition on a value: what is in it sees that value's members too.
  return [isObject(value) ? innerScope(value, scope) : scope];
}
