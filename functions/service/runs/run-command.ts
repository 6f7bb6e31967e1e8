import type { MapReduceSettings } from "../../engine/extraction/chunks/map-reduce-settings.ts";
import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ToolWish } from "../../ports/tools.ts";
import type { OperationCommand } from "../operations/operation.ts";
import type { RunMode } from "./job-records.ts";

/** What a run is asked to do: parsed at the edge, kept beside the run as `command.json`. */
export interface RunCommand {
  v: 1;
  mode: Exclude<RunMode, "BATCH">;
  ocr: OcrMode;
  /** The type that the content is to be read as; already checked against the content. */
  mimeType: string;
  prompt?: string;
  schema?: Json;
  pageRange?: number[];
  sourceLocations: boolean;
  granularity: "auto" | "block" | "word";
  /** Of an OCR run's text. */
  format: "plain" | "markdown" | "jsonl";
  /** Of the model, where there is one; `extraction` absent: the service chooses. */
  llm?: LlmTier;
  extraction?: "SIMPLE" | "STEPS";
  includeCurrentDate?: boolean;
  reasoningEffort?: string;
  trace?: boolean;
  /** Of a MAP_REDUCE run. */
  mapReduce?: MapReduceSettings;
  /** What the model may look things up with. */
  tools?: ToolWish[];
  /** Of an OPERATION run. */
  operation?: OperationCommand;
  /** Of a PIPELINE run: the definition as it was sent, what its nodes may look things up with, and `$.metadata`. */
  pipeline?: Json;
  nodeTools?: Record<string, ToolWish[]>;
  metadata?: Record<string, Json>;
  /** What else of the document is asked for. */
  barcodes?: boolean;
  figures?: boolean;
  /** By a model, where there is one. */
  describeFigures?: boolean;
  acroForm?: boolean;
}
