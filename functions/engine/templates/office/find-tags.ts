/** Tags in text: `{name}`, `{{name}}` or `${name}`, one style for a whole template. */
import { parseExpression, parsePath, type TagExpression } from "./tag-expression.ts";
import { TagProblem } from "./tag-fault.ts";

export interface Delimiters {
  open: string;
  close: string;
}

const SINGLE: Delimiters = { open: "{", close: "}" };
const DOUBLE: Delimiters = { open: "{{", close: "}}" };
const DOLLAR: Delimiters = { open: "${", close: "}" };

/**
 * Chooses the style of a template: `{{ }}` where there is one such tag, so that single braces are text beside it; else
 * `${ }` where every brace opens after a dollar sign; else `{ }`.
 */
export function detectDelimiters(texts: Iterable<string>): Delimiters {
  let dollars = 0;
  let plain = 0;
  for (const text of texts) {
    if (/\{\{[^{}]+\}\}/u.test(text)) return DOUBLE;
    for (const [brace] of text.matchAll(/\$?\{[^{}]+\}/gu)) {
      if (brace.startsWith("$")) dollars += 1;
      else plain += 1;
    }
  }
  return dollars > 0 && plain === 0 ? DOLLAR : SINGLE;
}

export type Tag =
  | { kind: "value" | "picture"; expression: TagExpression }
  | { kind: "open" | "inverted"; path: readonly string[] }
  /** An empty path closes the section that is open: `{/}`. */
  | { kind: "close"; path: readonly string[] };

/** Reads the text between a tag's delimiters. @throws TagProblem */
export function parseTag(inner: string): Tag {
  const text = inner.trim();
  const rest = text.slice(1);
  switch (text[0]) {
    case "#":
      return { kind: "open", path: parsePath(rest) };
    case "^":
      return { kind: "inverted", path: parsePath(rest) };
    case "/":
      return { kind: "close", path: rest.trim() === "" ? [] : parsePath(rest) };
    case "%":
      return { kind: "picture", expression: parseExpression(rest) };
    case "@":
    case "&":
      throw new TagProblem("asks for raw markup, which values cannot bring; write it without the sign");
    default:
      return { kind: "value", expression: parseExpression(text) };
  }
}

export interface FoundTag {
  /** With its delimiters. */
  source: string;
  /** Text between them. */
  inner: string;
  /** Characters in the text, the end exclusive. */
  start: number;
  end: number;
}

/** Finds the tags of a text, in order, up to one that is never closed: `unclosed` is the text from there on. */
export function findTags(
  text: string,
  { open, close }: Delimiters,
): { tags: FoundTag[]; unclosed: string | undefined } {
  const tags: FoundTag[] = [];
  for (let at = text.indexOf(open); at !== -1; ) {
    const stop = text.indexOf(close, at + open.length);
    const again = text.indexOf(open, at + open.length);
    if (stop === -1 || (again !== -1 && again < stop)) return { tags, unclosed: text.slice(at) };
    const end = stop + close.length;
    tags.push({ source: text.slice(at, end), inner: text.slice(at + open.length, stop), start: at, end });
    at = text.indexOf(open, end);
  }
  return { tags, unclosed: undefined };
}
