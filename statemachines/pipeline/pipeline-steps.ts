/** The steps of the machines that pipelines compile to. */

/** The steps that pipelines' machines call; each is a file in functions/steps. */
export const PIPELINE_STEPS = [
  "recognize",
  "collect",
  "enrich",
  "begin-nodes",
  "extract-node",
  "queued-node",
  "compute-node",
  "correct-node",
  "operate-node",
  "mark-node",
  "settle",
] as const;

export type PipelineStep = (typeof PIPELINE_STEPS)[number];
