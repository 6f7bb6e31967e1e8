import type { Json } from "../../ports/json.ts";
import { pointTo, stepsOf } from "../schema/json-pointer.ts";

/** What an issue is about; focus areas name these too. */
export const ISSUE_KINDS = [
  "value",
  "not-found",
  "ocr",
  "arithmetic",
  "checksum",
  "order",
  "format",
  "schema",
  "column",
  "missing-row",
  "missing-field",
  "duplicate-row",
  "shortfall",
  "judgement",
] as const;
export type IssueKind = (typeof ISSUE_KINDS)[number];

export interface Issue {
  /** JSON Pointer into the result. */
  pointer: string;
  kind: IssueKind;
  /** A sentence. */
  issue: string;
  /** 0 to 1: how sure it is that something is wrong there. */
  confidence: number;
  /** What to do; `detail` adds what is known beside it. */
  suggestion: string;
  detail: string;
}

/** What is known of a result, before anybody's wishes. */
export interface Analysis {
  /** Of the whole result; null without values. */
  overall: number | null;
  /** By JSON Pointer. */
  confidences: Record<string, number>;
  /** The surest first. */
  issues: Issue[];
  /** Words of the document that were recognised, and how many of them poorly. */
  recognised: { words: number; poor: number };
}

/** `/lines/2/amount` as `lines[2].amount`; the whole is `(result)`. */
export function fieldOf(pointer: string): string {
  if (pointer === "") return "(result)";
  return stepsOf(pointer)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}

/** The lists of a result that hold objects, with their pointers; those inside of lists are parts of their rows. */
export function listsOf(data: Json, pointer = "", depth = 0): [string, Json[]][] {
  if (data === null || typeof data !== "object" || depth > 8) return [];
  if (Array.isArray(data)) return data.some((row) => typeof row === "object" && row !== null) ? [[pointer, data]] : [];
  return Object.entries(data).flatMap(([name, value]) => listsOf(value, pointTo(pointer, name), depth + 1));
}
