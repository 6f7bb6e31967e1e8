/**
 * Path expressions: `$ocr.pages[0].content`, `$nodes.ID.result.a.b`, `$inputs.NAME`, `$document.pageCount`,
 * `$.metadata.NAME`. `.0` and `[0]` both index; `['a.b']` names a member that holds a dot.
 */

/** The first word of a path. */
export type PathRoot = "ocr" | "node" | "inputs" | "document" | "metadata";

export interface Path {
  readonly kind: "path";
  readonly root: PathRoot;
  /** The node's id for `node`; the name for `inputs` and `metadata`. */
  readonly name: string;
  /** For `node`: its result or its status. */
  readonly part: "result" | "status";
  readonly steps: readonly string[];
  /** The original text. */
  readonly text: string;
}

const NODE_PARTS = new Set(["result", "status"]);
const DOCUMENT_MEMBERS = new Set(["guid", "fileName", "mimeType", "pageCount"]);
const QUALITY_MEMBERS = new Set(["category", "score", "escalate"]);
const INDEX_PATTERN = /^(?:0|[1-9]\d{0,8})$/;
/** `.name`, `[0]`, `['name']` or `["name"]`. */
const STEP_PATTERN = /\.([^.[\]]+)|\[(?:(\d{1,9})|'([^']*)'|"([^"]*)")\]/y;
const MAX_PATH_CHARACTERS = 1000;

/** @returns the steps after the first word; undefined when the text is not a path */
function stepsOf(text: string, from: number): string[] | undefined {
  const steps: string[] = [];
  STEP_PATTERN.lastIndex = from;
  while (STEP_PATTERN.lastIndex < text.length) {
    const found = STEP_PATTERN.exec(text);
    if (found === null) return undefined;
    steps.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? "");
  }
  return steps;
}

const path = (root: PathRoot, text: string, steps: readonly string[], name = "", part: Path["part"] = "result"): Path =>
  Object.freeze({ kind: "path", root, name, part, steps: Object.freeze([...steps]), text });

function ocrPath(text: string, steps: readonly string[]): Path | string {
  const [first, second, third, ...rest] = steps;
  const whole = path("ocr", text, steps);
  if (first === undefined) return whole;
  if (first === "content" && second === undefined) return whole;
  if (first === "quality") {
    if (second === undefined || (QUALITY_MEMBERS.has(second) && third === undefined)) return whole;
    return `${text} names nothing: $ocr.quality has category, score and escalate`;
  }
  if (first === "pages") {
    const isPage = second === undefined || INDEX_PATTERN.test(second);
    if (isPage && (third === undefined || (third === "content" && rest.length === 0))) return whole;
    return `${text} names nothing: $ocr.pages is indexed from 0, and a page has content`;
  }
  return `${text} names nothing: $ocr has content, pages and quality`;
}

/** @returns the path, or a sentence that says why the text is not one */
export function parsePath(text: string): Path | string {
  if (text.length > MAX_PATH_CHARACTERS) return `A path may have at most ${MAX_PATH_CHARACTERS} characters`;
  const root = /^\$([A-Za-z]*)/.exec(text);
  const word = root?.[1] ?? "";
  const steps = stepsOf(text, 1 + word.length);
  const [first = "", second, ...rest] = steps ?? [];
  if (steps === undefined) return `${text} is not a path: write $nodes.ID.result.member or $ocr.content`;
  switch (word) {
    case "ocr":
      return ocrPath(text, steps);
    case "nodes":
      if (first === "") return "$nodes must be followed by a node's id";
      if (second === "status" && rest.length > 0) {
        return `${text} names nothing: a node's status is a text; a member of its result is $nodes.${first}.result.status`;
      }
      if (second === "status") return path("node", text, rest, first, "status");
      return path("node", text, second === undefined || NODE_PARTS.has(second) ? rest : [second, ...rest], first);
    case "inputs":
      return first === ""
        ? "$inputs must be followed by the name of an input"
        : path("inputs", text, steps.slice(1), first);
    case "document":
      if (DOCUMENT_MEMBERS.has(first) && second === undefined) return path("document", text, steps);
      return `${text} names nothing: $document has guid, fileName, mimeType and pageCount`;
    case "":
      if (first === "metadata" && second !== undefined) return path("metadata", text, rest, second);
      return `${text} is not a path; a text that begins with a dollar sign is written with two of them`;
    default:
      return `${text} is not a path: paths begin with $ocr, $nodes, $inputs, $document or $.metadata`;
  }
}

/** True for path expressions; `$$` is an escaped dollar sign. */
export const isPathText = (text: string): boolean => text.startsWith("$") && !text.startsWith("$$");
/** The text of a literal: `$$` at its start becomes `$`. */
export const unescapeDollar = (text: string): string => (text.startsWith("$$") ? text.slice(1) : text);
