/** Request, collaborators and state of an extraction with a model. */
import type { StatedLimit } from "../../engine/extraction/answers/stated-limits.ts";
import type { RecordListSpec } from "../../engine/extraction/chunks/record-form.ts";
import type { ExtractionPlan, ModelMode } from "../../engine/extraction/prompts/extraction-plan.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Json } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls, RunLimits } from "./model-calls.ts";

export interface ModelExtractionRequest {
  /** The layout as the reader wrote it. */
  layout: Uint8Array;
  /** The user's schema, with its calculated fields. */
  schema?: Json;
  prompt?: string;
  /** Absent: the plan chooses. */
  mode?: ModelMode;
  /** Page numbers from 1; absent: all. */
  pageRange?: number[];
  /** The date for the prompt: `yyyy-mm-dd`. */
  date?: string;
  /** Findings besides the text, such as barcodes. */
  findings?: string;
  /** The layout is a part of a document. */
  part?: boolean;
  /** Text before the part: context for reading it, not to be extracted. */
  before?: string;
  /** Set when the data is a list of records, in whichever form the model gives them. */
  list?: RecordListSpec;
  /** Pages to send as pictures, also when their text is certain. */
  pictures?: number[];
}

export interface ModelExtractionCollaborators {
  /** The run's calls; they hold its trace and token use, also after a failure. */
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
  /** Count rows that the answer lacks, and request them. Default false. */
  countsRows?: boolean;
  /** Draws a page as a picture, for models that take pictures. */
  pictureOf?: (pageNumber: number, limits: RunLimits) => Promise<ModelImage>;
}

/** The state of one extraction. */
export interface ExtractionRun {
  request: ModelExtractionRequest;
  collaborators: ModelExtractionCollaborators;
  limits: RunLimits;
  plan: ExtractionPlan;
  /** Pointers of lists with a cut-off answer that was for one page only. */
  cutLists: Set<string>;
  /** Limits of lists that the answers state. */
  statedLimits: StatedLimit[];
}
