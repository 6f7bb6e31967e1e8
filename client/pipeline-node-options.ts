/** Options of a pipeline's nodes. */
import type { Json, JsonObject } from "./json.ts";
import type { OperationType } from "./operation-results.ts";
import type { Condition } from "./pipeline-conditions.ts";
import type { Reference, Referring, Template } from "./pipeline-references.ts";
import type { IsOpen } from "./schema-types.ts";
import type { Granularity, OcrMode } from "./types.ts";

/** A node of a pipeline. `Data`: its result in conditions and paths; `Output`: its result as the public one. */
export interface PipelineStep<Data = unknown, Output = unknown> {
  readonly id: string;
  readonly result: Reference<Data>;
  readonly status: Referring<"PENDING" | "RUNNING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED">;
  /** Exists for the compiler only. */
  readonly output?: Output;
}

export interface NodeOptions {
  /** Nodes to wait for, beside those that the node reads from. */
  dependsOn?: readonly { readonly id: string }[] | undefined;
  when?: Condition | undefined;
  /** Default: `fail`. */
  onError?: "fail" | "continue" | undefined;
  timeoutSeconds?: number | undefined;
}

interface ModelOptions {
  /** Default: `default`. */
  tier?: "nano" | "mini" | "default" | "high" | undefined;
  prompt?: string | undefined;
}

export interface ExtractOptions<Schema> extends NodeOptions, ModelOptions {
  /** The text to read; default: the document's. */
  source?: Referring<unknown> | undefined;
  /** Given beside the source. */
  input?: Template | undefined;
  schema?: Schema | undefined;
  tools?: readonly JsonObject[] | undefined;
  /** Page indexes, from 0. */
  imageIndices?: readonly number[] | undefined;
  sourceLocations?: boolean | undefined;
  sourceLocationGranularity?: Granularity | undefined;
  /** Computes the formulas of the schema; default true. */
  calculatedFields?: boolean | undefined;
  /** Id of the resource for tools that name none. */
  resource?: string | undefined;
}

export interface ValidateOptions<Name, Default> extends NodeOptions {
  input: Referring<unknown>;
  /** In order; both bounds included. */
  buckets: readonly { readonly name: Name; readonly min?: number; readonly max?: number }[];
  /** For numbers without a bucket, and for anything else. */
  default?: Default | undefined;
}

export interface CorrectOptions extends NodeOptions, ModelOptions {
  /** The text to correct; default: the document's. */
  source?: Referring<unknown> | undefined;
  sourceMap?: "preserve" | "compress" | "none" | undefined;
  outputFormat?: "plain" | "markdown" | undefined;
}

export interface OperationOptions<Type extends OperationType> extends NodeOptions, Pick<ModelOptions, "tier"> {
  operation: Type;
  config?: JsonObject | undefined;
  /** Defaults for the configuration. */
  input?: Template | undefined;
}

/** Names of a value's members; any name where nothing is known of it. */
export type MemberOf<T> = IsOpen<T> extends true ? string : keyof T & string;
type PathOf<T> = MemberOf<T> | `${MemberOf<T>}.${string}`;

export interface TransformOptions extends NodeOptions {
  transform: "pick" | "merge" | "template" | "dedupe" | "sort" | "lookup" | "calculate";
  input?: Template | undefined;
  config?: object | undefined;
}

export interface PickOptions<T, Name extends string> extends NodeOptions {
  transform: "pick";
  input: Referring<T>;
  config: { fields: readonly Name[] };
}

export interface RowOptions<T> extends NodeOptions {
  input: Referring<readonly T[]>;
}

export interface DedupeOptions<T> extends RowOptions<T> {
  transform: "dedupe";
  config: { key: PathOf<NoInfer<T>> };
}

export interface SortOptions<T> extends RowOptions<T> {
  transform: "sort";
  config: { by: PathOf<NoInfer<T>>; order?: "asc" | "desc" };
}

export interface MergeOptions extends NodeOptions {
  transform: "merge";
  /** Later objects win. */
  input: readonly Template[] | Referring<unknown>;
  config?: { deep?: boolean } | undefined;
}

export interface TextOptions extends NodeOptions {
  transform: "template";
  input?: Template | undefined;
  /** With `{{${reference}}}`, or `{{member}}` of the input. */
  config: { text: string };
}

export interface LookupOptions<Value extends Json> extends NodeOptions {
  transform: "lookup";
  input: Referring<unknown>;
  config: { table: { readonly [key: string]: Value }; default?: Value };
}

export interface CalculateOptions<T, Name extends string> extends NodeOptions {
  transform: "calculate";
  input: Referring<T>;
  /** In the language of calculated fields. */
  config: { formulas: { readonly [Field in Name]: string } };
}

export interface PipelineOptions<Inputs> {
  description?: string | undefined;
  ocr?:
    | {
        mode?: OcrMode | undefined;
        sourceLocations?: boolean | undefined;
        qualityArtifact?: boolean | undefined;
        extractFigures?: boolean | undefined;
        describeFigures?: boolean | undefined;
      }
    | undefined;
  /** Nodes that run at once at most; default 10. */
  maxNodes?: number | undefined;
  /** `queue`: extract nodes go through a work queue of their model's tier; default `inline`. */
  execution?: "inline" | "queue" | undefined;
  /** Declarations that tools name by `resource`. */
  resources?: readonly (JsonObject & { id: string })[] | undefined;
  /** Named values, which nodes read as `inputs.NAME`. */
  inputs?: Inputs | undefined;
}
