/** The calls for pipelines. A pipeline runs as a command's `pipeline`, for a document or a batch. */
import { jsonBody, pathSegment } from "./answers.ts";
import { compute, read } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";
import { definePipeline, type Pipeline } from "./pipeline-builder.ts";
import type { PipelineNode, PipelineVerdict } from "./pipeline-types.ts";
import type { PipelineDefinition } from "./types.ts";

/** Methods throw as SheafClient's do. */
export class PipelineCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Starts a definition with typed references; `definePipeline` does the same without a client. */
  readonly define = definePipeline;

  /** Checks a definition; nothing is stored or run. Faults are part of the answer, not an error. */
  async validate(
    definition: PipelineDefinition | Pipeline<unknown>,
    { signal }: CallOptions = {},
  ): Promise<PipelineVerdict> {
    return compute(this.#connection, "/pipeline/validate", jsonBody(definition), { signal });
  }

  /**
   * The nodes of a run, also an open one, in the order of the definition.
   * @param options.run default: the newest
   * @param options.batchIndex index of a batch's document, from 0
   */
  async nodes(
    guid: string,
    { run, batchIndex, signal }: CallOptions & { run?: number | undefined; batchIndex?: number | undefined } = {},
  ): Promise<PipelineNode[]> {
    return read(this.#connection, `/job/pipeline/${pathSegment(guid)}/nodes`, { signal }, { run, batchIndex });
  }
}
