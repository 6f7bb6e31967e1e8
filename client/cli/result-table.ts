/** A result as a table: each value with its page, its place there and its confidence. */
import type { SourceLocations } from "../index.ts";
import type { Paint } from "./colors.ts";
import { type Cell, drawTable } from "./table.ts";

const HEADING = ["FIELD", "VALUE", "PAGE", "PLACE", "CONFIDENCE"];
/** Below these a confidence is worth a look, and a second one. */
const SURE = 0.8;
const UNSURE = 0.5;

/** A number as it was written, so that long ones keep their digits. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepNumbers: Reviver = (_key, value, { source }) =>
  typeof value === "number" ? new NumberText(source ?? String(value)) : value;

const parseExactly = (text: string): unknown =>
  JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown);

const pointerSegment = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The values of a result with their JSON Pointers, in its order; an empty list or object is a value. */
function leavesOf(value: unknown, pointer: string): { pointer: string; text: string }[] {
  if (value instanceof NumberText) return [{ pointer, text: value.text }];
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    if (members.length > 0) {
      return members.flatMap(([key, below]) => leavesOf(below, `${pointer}/${pointerSegment(key)}`));
    }
  }
  return [{ pointer, text: typeof value === "string" ? value : JSON.stringify(value) }];
}

const share = (value: number): string => value.toFixed(2);

function confidenceCell(confidence: number): Cell {
  const style = confidence < UNSURE ? "red" : confidence < SURE ? "yellow" : "green";
  return { text: share(confidence), style };
}

/** Page, place and confidence of a value. */
function placeCells(pointer: string, sources: SourceLocations | undefined): Cell[] {
  const none: Cell[] = [{ text: "" }, { text: "" }, { text: "" }];
  if (sources === undefined) return none;
  const location = Object.hasOwn(sources.locations, pointer) ? sources.locations[pointer] : undefined;
  if (location === undefined) {
    const reason = sources.unresolved.find((one) => one.pointer === pointer)?.reason;
    return reason === undefined ? none : [{ text: "" }, { text: reason, style: "dim" }, { text: "" }];
  }
  const { document, confidence } = location;
  const anchors = document?.pageAnchors ?? location.pageAnchors;
  const [first] = anchors;
  const pages = [...new Set(anchors.map(({ pageNumber }) => pageNumber))].join(", ");
  const place =
    first === undefined
      ? ""
      : `${share(first.bbox.left)},${share(first.bbox.top)} to ${share(first.bbox.right)},${share(first.bbox.bottom)} ${first.unit}`;
  const elsewhere = document === undefined ? "" : ` in ${document.filename ?? document.documentId}`;
  return [{ text: pages }, { text: place + elsewhere }, confidenceCell(confidence)];
}

/** Draws a result. @param text its JSON @param sources undefined where they were not asked for */
export function drawResult(
  text: string,
  sources: SourceLocations | undefined,
  style: { paint: Paint; columns?: number | undefined },
): string {
  const rows = leavesOf(parseExactly(text), "").map(({ pointer, text: value }): Cell[] => [
    { text: pointer || "/", style: "cyan" },
    { text: value },
    ...placeCells(pointer, sources),
  ]);
  // Columns that say nothing are left out: a result without places is a list of values.
  const told = HEADING.map((_, column) => column < 2 || rows.some((row) => row[column]?.text !== ""));
  const keep = <T>(row: readonly T[]): T[] => row.filter((_, column) => told[column] === true);
  return drawTable(keep(HEADING), rows.map(keep), style);
}

/** The entries of a list result as JSON texts, exactly as written. */
export function entriesOf(text: string): string[] | undefined {
  const value = parseExactly(text);
  return Array.isArray(value) ? value.map(exactJson) : undefined;
}

function exactJson(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, below]) => `${JSON.stringify(key)}:${exactJson(below)}`);
  return `{${members.join(",")}}`;
}
