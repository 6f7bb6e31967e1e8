import type { MapReduceSettings } from "../../engine/extraction/chunks/map-reduce-settings.ts";
import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ProviderUse } from "../../ports/own-providers.ts";
import type { ToolRequest } from "../../ports/tools.ts";
import type { ConfigurationUse } from "./configuration-use.ts";
import type { RunMode } from "./job-records.ts";
import type { SecretText } from "./secret-text.ts";

/** The command of a run: parsed at the edge, stored among the job's files. */
export interface RunCommand {
  v: 1;
  mode: Exclude<RunMode, "BATCH">;
  ocr: OcrMode;
  /** Type to read the content as; already checked against the content. */
  mimeType: string;
  prompt?: string;
  schema?: Json;
  pageRange?: number[];
  /** The document's password. It is never stored with the command: see run-password.ts. */
  password?: SecretText;
  /** The run has a password, sealed beside it until its end. */
  hasPassword?: true;
  sourceLocations: boolean;
  granularity: "auto" | "block" | "word";
  /** Confidence from which a value is given; absent: the default without a model, none with one. */
  minConfidence?: number;
  /** Most prepaid tokens that the run may use. */
  tokenBudget?: number;
  /** The saved configuration that the command was merged with. */
  configuration?: ConfigurationUse;
  /** The organization's own providers that its keys were bound to when the run was opened. */
  providers?: ProviderUse;
  /** Text format of an OCR run. */
  format: "plain" | "markdown" | "jsonl";
  /** Tier of the model, where there is one. */
  llm?: LlmTier;
  /** Absent: the service chooses. */
  extraction?: "SIMPLE" | "STEPS";
  includeCurrentDate?: boolean;
  reasoningEffort?: string;
  trace?: boolean;
  /** MAP_REDUCE runs. */
  mapReduce?: MapReduceSettings;
  /** Tools that the model may call. */
  tools?: ToolRequest[];
  /** OPERATION runs. */
  operation?: OperationCommand;
  /** PIPELINE runs: the definition as sent, the tools of its nodes, and `$.metadata`. */
  pipeline?: Json;
  nodeTools?: Record<string, ToolRequest[]>;
  metadata?: Record<string, Json>;
  /** Further findings requested. */
  barcodes?: boolean;
  figures?: boolean;
  /** Describe figures by a model, where there is one. */
  describeFigures?: boolean;
  acroForm?: boolean;
}

/**
 * The files that an operation works on: those of a run at the time of the request, so that later runs do not affect it.
 * Keys of blobs; absent: there is none.
 */
export interface Material {
  /** The job; of a batch, the document's job. */
  guid: string;
  run: number;
  mimeType: string;
  /** The run's command, for its schema and prompt. */
  commandKey?: string;
  layoutKey?: string;
  qualityKey?: string;
  resultKey?: string;
  resultType?: string;
  sourcesKey?: string;
  figuresKey?: string;
  /** The run that found the figures; their pictures are beside the list. */
  figuresRun?: number;
  /** Extractor of the result: `offline` or a model's name. */
  engine?: string;
  /** Faults of the result, as recorded by its run. */
  validationErrors?: { pointer: string; message: string }[];
  /** OCR mode of the run. */
  ocr?: OcrMode;
  /** Pages that recognition was to read, and did not. */
  unreadPages?: number;
  /** The run opened the document with a password, which is erased. */
  hasPassword?: true;
  /** Missing rows of a list, from the run's receipt. */
  missing?: { list: string; pageNumber: number; text: string }[];
}

/** customParameters, checked and with their defaults. */
export type Parameters = { [name: string]: Json };

/** The operation of an OPERATION run's command. */
export interface OperationCommand {
  type: string;
  parameters: Parameters;
  material: Material;
  /** It never asks a model. */
  withoutModel?: true;
}
