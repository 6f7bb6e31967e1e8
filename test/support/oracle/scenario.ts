/** What the oracle is told: a definition, what happens to its nodes, what the document is, and what a run did. */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

/** What becomes of a node that runs. */
export interface Scripted {
  /** Seconds of a time that nobody waits for. */
  seconds: number;
  /** Not asked of final nodes, whose output makes it. */
  result: Json;
  /** The sentence that it fails with instead. */
  failure?: string;
}

export interface Surroundings {
  ocr: { content: Json; pages: Json; quality: Json };
  document: JsonObject;
  metadata: JsonObject;
}

export interface Scenario {
  definition: JsonObject;
  /** By node id. */
  script: ReadonlyMap<string, Scripted>;
  surroundings: Surroundings;
}

export interface NodeTrace {
  state: string;
  /** Places in the order of everything that happened. */
  begin?: number;
  end?: number;
  /** How often it was begun, and charged. */
  runs: number;
  charges: number;
}

export interface Trace {
  nodes: ReadonlyMap<string, NodeTrace>;
  job: { status: "COMPLETED"; result: Json } | { status: "FAILED"; error: string };
  /** When the job was settled, in the same order. */
  settled: number;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
