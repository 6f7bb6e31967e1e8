import type { Json } from "./json.ts";

/** The faults of a definition; for a valid one, its dependencies. */
export interface PipelineVerdict {
  valid: boolean;
  /** `path`: a JSON Pointer into the definition. */
  errors: { code: string; path: string; message: string }[];
  warnings: string[];
  /** `dependsOn` includes implied dependencies. */
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
  /** File names below the run's: the node's result, and the source locations of its values. */
  result: string | null;
  sources: string | null;
  [member: string]: Json | undefined;
}
