/** The calls for pipelines. A pipeline runs as a command's `pipeline`, for a document or a batch. */
import { parseAnswer, pathSegment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";
import type { PipelineNode, PipelineVerdict } from "./pipeline-types.ts";
import type { PipelineDefinition } from "./types.ts";

/** Methods throw as SheafClient's do. */
export class PipelineCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Checks a definition; nothing is stored or run. Faults are part of the answer, not an error. */
  async validate(definition: PipelineDefinition, { signal }: CallOptions = {}): Promise<PipelineVerdict> {
    const answer = await this.#connection.send({
      method: "POST",
      path: "/pipeline/validate",
      body: { content: JSON.stringify(definition), type: "application/json" },
      signal,
    });
    return parseAnswer(answer);
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
    const query = {
      ...(run === undefined ? {} : { run: String(run) }),
      ...(batchIndex === undefined ? {} : { batchIndex: String(batchIndex) }),
    };
    const path = `/job/pipeline/${pathSegment(guid)}/nodes`;
    return parseAnswer(await this.#connection.send({ method: "GET", path, query, signal }));
  }
}
