/** The calls around pipelines. A pipeline runs by a command's `pipeline`, for a document or a batch. */
import { parsed, segment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { Json, PipelineDefinition } from "./types.ts";

/** What is wrong with a definition, and of a valid one what waits for what. */
export interface PipelineVerdict {
  valid: boolean;
  /** `path`: a JSON Pointer into the definition. */
  errors: { code: string; path: string; message: string }[];
  warnings: string[];
  /** `dependsOn`: also the nodes that are only referred to. */
  nodes?: { id: string; type: string; dependsOn: string[] }[];
  finals?: string[];
}

/** A node of a run. Times are ISO 8601, UTC. */
export interface PipelineNode {
  id: string;
  type: "extract" | "validate" | "transform" | "OCR_CORRECT" | "operation" | "final";
  status: "PENDING" | "RUNNING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";
  warnings: string[];
  startedAt: string | null;
  completedAt: string | null;
  /** Files below the run's: the node's result, and the places of its values. */
  result: string | null;
  sources: string | null;
  [member: string]: Json | undefined;
}

interface Options {
  signal?: AbortSignal | undefined;
}

/** Methods throw as SheafClient's do. */
export class PipelineCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Checks a definition; nothing is kept, and nothing runs. A definition with faults is no error of the call. */
  async validate(definition: PipelineDefinition, { signal }: Options = {}): Promise<PipelineVerdict> {
    const answer = await this.#connection.send({
      method: "POST",
      path: "/pipeline/validate",
      body: { content: JSON.stringify(definition), type: "application/json" },
      signal,
    });
    return parsed(answer);
  }

  /**
   * The nodes of a run, in the order of the definition, also while it is open.
   * @param options.run default: the newest
   * @param options.batchIndex of a batch, the document, from 0
   */
  async nodes(
    guid: string,
    { run, batchIndex, signal }: Options & { run?: number | undefined; batchIndex?: number | undefined } = {},
  ): Promise<PipelineNode[]> {
    const query = {
      ...(run === undefined ? {} : { run: String(run) }),
      ...(batchIndex === undefined ? {} : { batchIndex: String(batchIndex) }),
    };
    const path = `/job/pipeline/${segment(guid)}/nodes`;
    return parsed(await this.#connection.send({ method: "GET", path, query, signal }));
  }
}
