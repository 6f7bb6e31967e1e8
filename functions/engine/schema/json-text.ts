import { isObject, type Json } from "../../ports/json.ts";

/** Nesting of an answer: real data stays below 20, and whoever walks over it recurses. */
const DEEPEST = 100;
/** Beginnings of JSON in prose that are tried. */
const MOST_BEGINNINGS = 50;

/** Whether brackets nest at most so deep; what stands in strings does not count. */
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
      if (depth > DEEPEST) return false;
    } else if (char === "}" || char === "]") depth -= 1;
  }
  return true;
}

/** Digits that a number of JavaScript does not hold: they stay text. */
const LONG_DIGITS = /(?<=[[{:,]\s*)-?\d{16,400}(?=\s*[,\]}])/g;

/** Whole numbers too long for a number become strings; strings that look alike inside are left as they are. */
function keepDigits(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  return text
    .split(/("[^"\\]*(?:\\[\s\S][^"\\]*)*")/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(LONG_DIGITS, (digits) => (Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`)),
    )
    .join("");
}

function parse(text: string): Json | undefined {
  if (!isShallow(text)) return undefined;
  try {
    return JSON.parse(keepDigits(text)) as Json;
  } catch {
    return undefined;
  }
}

/** Where the brackets that open at `start` close; undefined where they do not. */
function closingOf(text: string, start: number): number | undefined {
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

/** The longest piece of JSON among prose. */
function findInProse(text: string): Json | undefined {
  let best: { value: Json; length: number } | undefined;
  let tried = 0;
  for (let at = text.search(/[{[]/); at >= 0 && at < text.length && tried < MOST_BEGINNINGS; tried += 1) {
    const end = closingOf(text, at);
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value !== undefined && end !== undefined && end - at > (best?.length ?? 0)) best = { value, length: end - at };
    const from = value === undefined ? at + 1 : (end ?? at + 1);
    const next = text.slice(from).search(/[{[]/);
    if (next < 0) break;
    at = from + next;
  }
  return best?.value;
}

/**
 * The JSON of an answer. Numbers of more digits than JavaScript's hold come as strings of their digits.
 * @returns undefined where there is none, it is not whole, or it nests too deep
 */
export function findJson(text: string): Json | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed);
  if (whole !== undefined) return whole;
  const fenced = /```[a-zA-Z]*\s*\n([\s\S]*?)```/.exec(trimmed)?.[1];
  const inside = fenced === undefined ? undefined : parse(fenced.trim());
  return inside ?? findInProse(trimmed);
}

/** The same for equal values, whatever the order of their members. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Depth of a row in `{"rows": [ … ]}`. */
const ROW_DEPTH = 2;

/** `{"rows": [ … ]}` that was cut off, with the rows that are whole. */
export function closeRows(text: string): string {
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
