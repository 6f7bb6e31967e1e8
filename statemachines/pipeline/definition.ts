/** A parsed definition: frozen, with all defaults applied; references are still names. */
import type { Json, JsonObject } from "./diagnostics.ts";
import type { ExtractNode } from "./nodes/extract.ts";
import type { FinalNode } from "./nodes/final.ts";
import type { NodeFrame } from "./nodes/node.ts";
import type { OcrCorrectNode } from "./nodes/ocr-correct.ts";
import type { OperationNode } from "./nodes/operation.ts";
import type { TransformNode } from "./nodes/transform.ts";
import type { ValidateNode } from "./nodes/validate.ts";

/** The version of the language, and the default of definitions without one. */
export const PIPELINE_VERSION = "2026-05";

export const OCR_MODES = ["DEFAULT", "NONE", "PREMIUM", "AUTO", "EXCEL", "LOW"] as const;

export interface PipelineOcr {
  /** Null: the mode of the command. */
  readonly mode: (typeof OCR_MODES)[number] | null;
  readonly sourceLocations: boolean;
  readonly qualityArtifact: boolean;
  readonly extractFigures: boolean;
  readonly describeFigures: boolean;
}

export type PipelineInput =
  | { readonly kind: "literal"; readonly value: Json; readonly pointer: string | null }
  | { readonly kind: "nodeArtifact"; readonly nodeId: string; readonly pointer: string | null };

export type NodeBody = ExtractNode | ValidateNode | TransformNode | OcrCorrectNode | OperationNode | FinalNode;
export type PipelineNode = NodeFrame & NodeBody;
export type NodeType = NodeBody["type"];

export interface PipelineDefinition {
  readonly version: typeof PIPELINE_VERSION;
  readonly description: string | null;
  readonly ocr: PipelineOcr;
  readonly maxNodes: number;
  readonly execution: "inline" | "queue";
  readonly resources: Readonly<Record<string, JsonObject>>;
  readonly inputs: Readonly<Record<string, PipelineInput>>;
  readonly nodes: readonly PipelineNode[];
  /** Ids in order; null: the final nodes in the order of `nodes`. */
  readonly finals: readonly { readonly id: string; readonly path: string }[] | null;
}
