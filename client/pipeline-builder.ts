/** Builds the definition of a pipeline with typed references between its nodes. */
import type { Json, JsonObject } from "./json.ts";
import type { OperationResults, OperationType } from "./operation-results.ts";
import type {
  CalculateOptions,
  CorrectOptions,
  DedupeOptions,
  ExtractOptions,
  LookupOptions,
  MemberOf,
  MergeOptions,
  NodeOptions,
  OperationOptions,
  PickOptions,
  PipelineOptions,
  PipelineStep,
  SortOptions,
  TextOptions,
  TransformOptions,
  ValidateOptions,
} from "./pipeline-node-options.ts";
import { type Reference, referenceTo, type Template, type ValueOf, wireOf } from "./pipeline-references.ts";
import { jsonSchemaOf } from "./schema.ts";
import type { Extracted, SchemaInput, TypeOf } from "./schema-types.ts";
import type { PipelineDefinition } from "./types.ts";

const PIPELINE_VERSION = "2026-05";

/** A finished definition: the `pipeline` of a command. `Output`: the public result of its runs. */
export class Pipeline<Output = Json> {
  /** Exists for the compiler only. */
  declare readonly output?: Output;
  readonly definition: PipelineDefinition;

  constructor(definition: PipelineDefinition) {
    this.definition = definition;
  }

  toJSON(): PipelineDefinition {
    return this.definition;
  }
}

type Step<Data, Output = Extracted<Data>> = PipelineStep<Data, Output>;
type TypeOfSchema<Schema> = [Schema] extends [never] ? Json : TypeOf<Schema>;
type Candidate = Pick<PipelineStep, "id" | "output">;
type OutputOf<One> = One extends { readonly output?: infer Output } ? Output : never;

/** Nodes that a template's text names; the service wants them among `dependsOn`, unlike those of other references. */
const NODE_IN_TEXT = /\{\{\s*\$nodes\.([\w-]+)/g;

/**
 * Each call adds a node. A node that reads from another depends on it; `dependsOn` adds nodes that are only waited for.
 * Methods throw TypeError for an id that is taken.
 */
export class PipelineBuilder<Inputs = Json> {
  readonly ocr: Reference<{
    content: string;
    pages: { content: string }[];
    quality: { category: string; score: number; escalate: boolean };
  }> = referenceTo("$ocr");
  readonly document: Reference<{ guid: string; fileName: string; mimeType: string; pageCount: number }> =
    referenceTo("$document");
  readonly metadata: Reference<Json> = referenceTo("$.metadata");
  readonly inputs: Reference<Inputs> = referenceTo("$inputs");
  readonly #frame: JsonObject;
  readonly #nodes = new Map<string, JsonObject>();

  constructor({ maxNodes, execution, inputs, ...frame }: PipelineOptions<Inputs>) {
    const values = Object.entries(inputs ?? {}).map(([name, value]) => [name, { kind: "literal", value }]);
    this.#frame = JSON.parse(
      JSON.stringify({
        version: PIPELINE_VERSION,
        ...frame,
        concurrency: maxNodes && { maxNodes },
        execution: execution && { mode: execution },
        inputs: inputs && Object.fromEntries(values),
      }),
    );
  }

  /** Extracts data from the document's text, or from another node's. */
  extract<const Schema extends SchemaInput = never>(
    id: string,
    { schema, ...options }: ExtractOptions<Schema> = {},
  ): Step<TypeOfSchema<Schema>> {
    return this.#add(id, "extract", options, schema === undefined ? {} : { schema: jsonSchemaOf(schema) });
  }

  /** Names the first bucket that a number is in. */
  validate<const Name extends string, const Default extends string | null = null>(
    id: string,
    { buckets, default: otherwise, ...options }: ValidateOptions<Name, Default>,
  ): Step<{ bucket: Name | Default; value: number }> {
    return this.#add(id, "validate", { ...options, config: { buckets, default: otherwise } }, { validator: "bucket" });
  }

  /** Makes a value from others, without a model. */
  transform<T, const Name extends MemberOf<T>>(
    id: string,
    options: PickOptions<T, Name>,
  ): Step<Pick<T, Name & keyof T>>;
  transform<T>(id: string, options: DedupeOptions<T> | SortOptions<T>): Step<T[]>;
  transform(id: string, options: MergeOptions): Step<Json>;
  transform(id: string, options: TextOptions): Step<string>;
  transform<const Value extends Json>(id: string, options: LookupOptions<Value>): Step<Value>;
  transform<T, const Name extends string>(
    id: string,
    options: CalculateOptions<T, Name>,
  ): Step<T & { [Field in Name]: Json }>;
  transform<Data>(id: string, options: TransformOptions): Step<Data> {
    return this.#add(id, "transform", options);
  }

  /** Corrects recognised text page by page. */
  correct(
    id: string,
    options: CorrectOptions = {},
  ): Step<{ content: string; pages: { pageNumber: number; content: string }[] }> {
    return this.#add(id, "OCR_CORRECT", options);
  }

  /** Runs an operation on the job. */
  operation<Type extends OperationType>(id: string, options: OperationOptions<Type>): Step<OperationResults[Type]> {
    return this.#add(id, "operation", options);
  }

  /** A candidate for the public result. */
  final<const Output extends Template>(
    id: string,
    options: NodeOptions & { output: Output },
  ): Step<ValueOf<Output>, ValueOf<Output>> {
    return this.#add(id, "final", options);
  }

  /**
   * Ends the definition: the first of these nodes that completes gives the public result.
   * @throws TypeError for a text that the service would read as a node
   */
  finalOrder<const Steps extends readonly [Candidate, ...Candidate[]]>(
    ...steps: Steps
  ): Pipeline<OutputOf<Steps[number]>> {
    const nodes = [...this.#nodes.values()];
    for (const { id, input, output = null } of nodes) {
      const texts = [output, ...(Array.isArray(input) ? input : [input])];
      const mistaken = texts.find((text) => typeof text === "string" && this.#nodes.has(text));
      if (mistaken !== undefined)
        throw new TypeError(`The text ${mistaken} of ${id} would be read as the node ${mistaken}`);
    }
    return new Pipeline({ ...this.#frame, nodes, finals: steps.map(({ id }) => ({ node: id })) });
  }

  #add<Data, Output>(id: string, type: string, options: object, own: JsonObject = {}): Step<Data, Output> {
    if (this.#nodes.has(id)) throw new TypeError(`There is a node ${id} already`);
    const { dependsOn, when, config, tools, tier, ...templates } = options as NodeOptions & Record<string, unknown>;
    const { text = "" } = (config ?? {}) as { text?: unknown };
    const named = [...String(text).matchAll(NODE_IN_TEXT)].map(([, node]) => node);
    const waitedFor = [...new Set([...(dependsOn ?? []).map((step) => step.id), ...named])];
    const node = {
      id,
      type,
      dependsOn: waitedFor.length === 0 ? undefined : waitedFor,
      // They hold no templates, or their paths already.
      when,
      config,
      tools,
      llm: tier && { tier },
      ...own,
    };
    const members = Object.entries(templates).map(([name, value]) => [name, name === "prompt" ? value : wireOf(value)]);
    this.#nodes.set(id, JSON.parse(JSON.stringify({ ...node, ...Object.fromEntries(members) })));
    const path = `$nodes.${id}`;
    return { id, result: referenceTo(`${path}.result`), status: referenceTo(`${path}.status`) };
  }
}

/** Starts a definition. */
export const definePipeline = <Inputs = Json>(options: PipelineOptions<Inputs> = {}): PipelineBuilder<Inputs> =>
  new PipelineBuilder(options);
