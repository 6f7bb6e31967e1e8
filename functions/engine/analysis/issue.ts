/** Issues: possible errors of a result, each at one place. */
import type { Json } from "../../ports/json.ts";
import { pointTo, stepsOf } from "../schema/json-pointer.ts";

const MAX_LIST_DEPTH = 8;

/** Kinds of issues; focus areas may name them. */
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
  /** One sentence. */
  issue: string;
  /** Probability of an error there, 0 to 1. */
  confidence: number;
  /** Advice to the user; `detail` adds further evidence. */
  suggestion: string;
  detail: string;
}

/** The analysis of a result, before the caller's filters. */
export interface Analysis {
  /** The score of the whole result; null without values. */
  overall: number | null;
  /** By JSON Pointer. */
  confidences: Record<string, number>;
  /** The surest first. */
  issues: Issue[];
  /** Counts of the words read by OCR, and of the poorly recognised among them. */
  recognised: { words: number; poor: number };
}

/** A pointer as users read it: `/lines/2/amount` as `lines[2].amount`; the whole is `(result)`. */
export function fieldOf(pointer: string): string {
  if (pointer === "") return "(result)";
  return stepsOf(pointer)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}

/** Lists of objects in a result, with their pointers. Lists inside of lists belong to their rows. */
export function listsOf(data: Json, pointer = "", depth = 0): [string, Json[]][] {
  if (data === null || typeof data !== "object" || depth > MAX_LIST_DEPTH) return [];
  if (Array.isArray(data)) return data.some((row) => typeof row === "object" && row !== null) ? [[pointer, data]] : [];
  return Object.entries(data).flatMap(([name, value]) => listsOf(value, pointTo(pointer, name), depth + 1));
}
