/** The oracle's input: a definition, the outcomes of its nodes, the document, and the trace of a run. */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

/** The scripted outcome of a node. */
export interface Scripted {
  /** In simulated seconds. */
  seconds: number;
  /** Unused for final nodes, whose output gives it. */
  result: Json;
  /** The sentence of a failure. */
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
  /** Positions in the order of all events. */
  begin?: number;
  end?: number;
  /** How often it was begun, and charged. */
  runs: number;
  charges: number;
}

export interface Trace {
  nodes: ReadonlyMap<string, NodeTrace>;
  job: { status: "COMPLETED"; result: Json } | { status: "FAILED"; error: string };
  /** The position of the job's settling, in the same order. */
  settled: number;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
