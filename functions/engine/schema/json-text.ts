/** JSON in the text of a model's answer. */
import { isObject, type Json } from "../../ports/json.ts";

/** Nesting of an answer: real data stays below 20, and its walkers recurse. */
const MAX_JSON_DEPTH = 100;
/** Opening brackets in prose at which JSON is tried. */
const MAX_JSON_STARTS = 50;

/** Brackets outside of strings nest at most MAX_JSON_DEPTH levels. */
function isShallow(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return false;
    } else if (char === "}" || char === "]") depth -= 1;
  }
  return true;
}

/** Integers that may exceed JavaScript's safe integers. */
const LONG_INTEGER = /(?<=[[{:,]\s*)-?\d{16,400}(?=\s*[,\]}])/g;

/** Quotes unsafe integers, so that JSON.parse keeps their digits. Leaves strings alone. */
function quoteUnsafeIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text
    .split(/("[^"\\]*(?:\\[\s\S][^"\\]*)*")/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(LONG_INTEGER, (digits) => (Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`)),
    )
    .join("");
}

function parseShallow(text: string): Json | undefined {
  if (!isShallow(text)) return undefined;
  try {
    return JSON.parse(quoteUnsafeIntegers(text)) as Json;
  } catch {
    return undefined;
  }
}

/** Index after the bracket that closes the one at `start`; undefined when it stays open. */
function endOfBracket(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The longest piece of JSON in prose. */
function findInProse(text: string): Json | undefined {
  let best: { value: Json; length: number } | undefined;
  let tried = 0;
  for (let at = text.search(/[{[]/); at >= 0 && at < text.length && tried < MAX_JSON_STARTS; tried += 1) {
    const end = endOfBracket(text, at);
    const value = end === undefined ? undefined : parseShallow(text.slice(at, end));
    if (value !== undefined && end !== undefined && end - at > (best?.length ?? 0)) best = { value, length: end - at };
    const from = value === undefined ? at + 1 : (end ?? at + 1);
    const next = text.slice(from).search(/[{[]/);
    if (next < 0) break;
    at = from + next;
  }
  return best?.value;
}

/**
 * Finds the JSON in a model's answer. Unsafe integers become strings of their digits.
 * @returns undefined for an answer without JSON, with incomplete JSON, or with JSON nested too deep
 */
export function findJson(text: string): Json | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parseShallow(trimmed);
  if (whole !== undefined) return whole;
  const fenced = /```[a-zA-Z]*\s*\n([\s\S]*?)```/.exec(trimmed)?.[1];
  const inside = fenced === undefined ? undefined : parseShallow(fenced.trim());
  return inside ?? findInProse(trimmed);
}

/** JSON text that is equal for equal values: members are sorted. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Bracket depth around a row in `{"rows": [ … ]}`. */
const ROW_DEPTH = 2;

/** Closes a truncated `{"rows": [ … ]}` after its last complete row. */
export function closeTruncatedRows(text: string): string {
  const start = text.indexOf("{");
  let depth = 0;
  let quoted = false;
  let end = 0;
  for (let at = Math.max(0, start); at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === ROW_DEPTH) end = at + 1;
    }
  }
  return end === 0 ? '{"rows":[]}' : `${text.slice(start, end)}]}`;
}
