import type { MapReduceSettings } from "../../engine/extraction/chunks/map-reduce-settings.ts";
import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ToolRequest } from "../../ports/tools.ts";
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
  tools?: ToolRequest[];
  /** Of an OPERATION run. */
  operation?: OperationCommand;
  /** Of a PIPELINE run: the definition as it was sent, what its nodes may look things up with, and `$.metadata`. */
  pipeline?: Json;
  nodeTools?: Record<string, ToolRequest[]>;
  metadata?: Record<string, Json>;
  /** What else of the document is asked for. */
  barcodes?: boolean;
  figures?: boolean;
  /** By a model, where there is one. */
  describeFigures?: boolean;
  acroForm?: boolean;
}

/**
 * What an operation works on: what a run left when the operation was asked for, so that a run that follows changes
 * nothing under it. Keys of blobs; absent: there is none.
 */
export interface Material {
  /** The job, of a batch the document's. */
  guid: string;
  run: number;
  mimeType: string;
  /** Of the run's command, for its schema and prompt. */
  commandKey?: string;
  layoutKey?: string;
  qualityKey?: string;
  resultKey?: string;
  resultType?: string;
  sourcesKey?: string;
  figuresKey?: string;
  /** The run whose figures these are; their pictures stand beside the list. */
  figuresRun?: number;
  /** Who made the result: `offline` or a model's name. */
  engine?: string;
  /** What the result lacks, as its run named it. */
  validationErrors?: { pointer: string; message: string }[];
  /** What a list should have had and has not, as the run's receipt named it. */
  missing?: { list: string; pageNumber: number; text: string }[];
}

/** Customary parameters, checked and with their defaults. */
export type Parameters = { [name: string]: Json };

/** What an operation's run is asked to do, as its command keeps it. */
export interface OperationCommand {
  type: string;
  parameters: Parameters;
  material: Material;
}
