/** A run of an extraction with a model, as its parts pass it on. */
import type { RecordListSpec } from "../../engine/extraction/chunks/record-form.ts";
import type { ExtractionPlan, ModelMode } from "../../engine/extraction/prompts/extraction-plan.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Json } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls, RunLimits } from "./model-calls.ts";

export interface ModelExtractionRequest {
  /** As the reader wrote it. */
  layout: Uint8Array;
  /** The user's, calculated fields included. */
  schema?: Json;
  prompt?: string;
  /** Chosen by the plan when absent. */
  mode?: ModelMode;
  /** Page numbers from 1; absent: all. */
  pageRange?: number[];
  /** Today's, for the prompt: `yyyy-mm-dd`. */
  date?: string;
  /** What was found besides the text, such as barcodes. */
  findings?: string;
  /** The layout is a part of a document. */
  part?: boolean;
  /** The data is records, however the model gives them. */
  list?: RecordListSpec;
  /** Numbers of pages of which pictures are wanted, also where their text is certain. */
  pictures?: number[];
}

export interface ModelExtractionCollaborators {
  /** The run's; holds its trace and its token use, also when the run fails. */
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
  /** Look for rows that the answer lacks. Default false. */
  countsRows?: boolean;
  /** A page as a picture, for models that take pictures and pages whose text was recognised. */
  pictureOf?: (pageNumber: number, limits: RunLimits) => Promise<ModelImage>;
}

/** One run, as its parts pass it on. */
export interface ExtractionRun {
  request: ModelExtractionRequest;
  collaborators: ModelExtractionCollaborators;
  limits: RunLimits;
  plan: ExtractionPlan;
  /** Pointers of lists of which an answer was cut off though it was for one page only. */
  cutLists: Set<string>;
}
