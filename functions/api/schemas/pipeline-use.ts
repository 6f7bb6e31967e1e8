/** A pipeline in a command goes with its mode, and without map-reduce. */
import { wordsPattern } from "../../engine/values/text-patterns.ts";
import { BadRequest } from "../../ports/errors.ts";

export const EXTRACTION_MODES = ["OCR", "SIMPLE", "STEPS", "PIPELINE"] as const;

const MODE_OF_PIPELINES = "PIPELINE";
const modes = (...allowed: (typeof EXTRACTION_MODES)[number][]) => ({
  type: "string",
  pattern: `^(?:${wordsPattern(allowed)})$`,
});
const withoutPipeline = {
  properties: {
    pipeline: { type: "null" },
    extractionMode: modes(...EXTRACTION_MODES.filter((mode) => mode !== MODE_OF_PIPELINES)),
  },
};
const withPipeline = {
  properties: {
    pipeline: { type: "object" },
    extractionMode: modes(MODE_OF_PIPELINES),
    mapReduce: { properties: { enabled: { enum: [false, null] } } },
  },
  required: ["pipeline"],
};
/** The members that a saved configuration adds are known when it is read. */
const withConfiguration = {
  properties: { configuration: { type: "string", pattern: "\\S" } },
  required: ["configuration"],
};

/** In the OpenAPI document: a pipeline goes with its mode, and without map-reduce. `checkPipelineUse` holds it. */
export const PIPELINE_USES = { anyOf: [withoutPipeline, withPipeline] };
/** The same of a command that may name a saved configuration. */
export const COMMAND_USES = { anyOf: [...PIPELINE_USES.anyOf, withConfiguration] };

/** @throws BadRequest for a pipeline without its mode, or the mode without a pipeline */
export function checkPipelineUse({
  pipeline,
  extractionMode,
  mapReduce,
}: {
  pipeline?: unknown;
  extractionMode?: (typeof EXTRACTION_MODES)[number] | undefined;
  mapReduce?: { enabled?: boolean | undefined } | undefined;
}): void {
  const refuse = (path: string, message: string): never => {
    throw new BadRequest(`Invalid body: ${path.slice(1)} ${message}`, { errors: [{ path, message }] });
  };
  if (extractionMode === "PIPELINE" && pipeline === undefined) refuse("/pipeline", "must hold the definition to run");
  if (pipeline === undefined) return;
  if (extractionMode !== undefined && extractionMode !== "PIPELINE") {
    refuse("/extractionMode", "must be PIPELINE with a pipeline");
  }
  if (mapReduce?.enabled === true) refuse("/mapReduce/enabled", "must not be true with a pipeline");
}
