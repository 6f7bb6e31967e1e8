/** Pipelines on the wire: the definition as sent, the run it requests, and the nodes in the status. */
import * as z from "zod";
import type { PipelineOutline } from "../../engine/nodes/judge-pipeline.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import type { ToolRequest } from "../../ports/tools.ts";
import type { RunCommand } from "../../service/runs/run-command.ts";
import { Tools } from "./tools.ts";

const GRAPH_SCHEMA = {
  type: "object",
  description:
    "A graph of nodes, with `extractionMode: PIPELINE`: `{version, nodes: [{id, type, dependsOn?, when?, …}], finals: [{node}]}`",
};

/** Any JSON: the compiler checks it and reports all faults at once. */
export const PipelineDefinition = z.unknown().meta({ openapi: GRAPH_SCHEMA });

/** A definition as the whole body. */
export const PipelineBody = z
  .unknown()
  .refine(isObject, { error: "must be an object" })
  .meta({ openapi: GRAPH_SCHEMA });

const time = z.iso.datetime().nullable();

const PipelineNode = z.looseObject({
  id: z.string(),
  type: z.enum(["extract", "validate", "transform", "OCR_CORRECT", "operation", "final"]),
  status: z.enum(["PENDING", "RUNNING", "COMPLETED", "SKIPPED", "FAILED", "CANCELLED"]),
  warnings: z.array(z.string()),
  startedAt: time,
  completedAt: time,
  childOperationGuid: z.string().optional(),
  queuedTaskId: z.string().optional(),
});

export const PipelineNodes = z.array(
  PipelineNode.extend({
    result: z.string().nullable().meta({ description: "The file of its result, below the run's" }),
    sources: z.string().nullable().meta({ description: "The file of the places of its values" }),
  }),
);

export const PipelineSummary = z.looseObject({
  version: z.string(),
  warnings: z.array(z.string()),
  chosenFinal: z.string().optional().meta({ description: "The node whose result is the public one" }),
  ocr: z.looseObject({ status: z.string(), effectiveOcrMode: z.string() }).optional(),
  nodes: z.array(PipelineNode),
});

export const PipelineVerdict = z.looseObject({
  valid: z.boolean(),
  errors: z.array(z.looseObject({ code: z.string(), path: z.string(), message: z.string() })),
  warnings: z.array(z.string()),
  nodes: z
    .array(z.looseObject({ id: z.string(), type: z.string(), dependsOn: z.array(z.string()) }))
    .optional()
    .meta({ description: "Of a valid definition: its nodes with all that they wait for, also through references" }),
  finals: z.array(z.string()).optional(),
});

/** Reads the tools of each node by id, and their faults by paths below the definition. */
export function readNodeTools({ nodes, tools: given }: PipelineOutline): {
  tools: Record<string, ToolRequest[]>;
  faults: MemberFault[];
} {
  const faults: MemberFault[] = [];
  const tools = given.flatMap(({ node, tools: wishes }): [string, ToolRequest[]][] => {
    const read = Tools.safeParse(wishes);
    if (read.success) return [[nodes[node]?.id ?? "", read.data]];
    for (const { path, message } of read.error.issues) {
      faults.push({ path: `/nodes/${node}/tools/${path.map(String).join("/")}`, message });
    }
    return [];
  });
  return { tools: Object.fromEntries(tools), faults };
}

/** @throws BadRequest naming every invalid tool */
function toolsOf(pipeline: PipelineOutline): Record<string, ToolRequest[]> {
  const { tools, faults } = readNodeTools(pipeline);
  if (faults.length === 0) return tools;
  const errors = faults.map(({ path, message }) => ({ path: `/pipeline${path}`, message }));
  throw new BadRequest(
    `The pipeline cannot run: ${errors.map(({ path, message }) => `${path} ${message}`).join("; ")}`,
    { errors },
  );
}

/**
 * The run of a pipeline; its own `ocr` overrides the command's.
 * @param outline of the definition, which was accepted
 * @throws BadRequest naming every invalid tool
 */
export function runOfPipeline(
  run: RunCommand,
  { pipeline, metadata }: { pipeline?: unknown; metadata?: unknown },
  outline: PipelineOutline,
): RunCommand {
  const { ocr, located } = outline;
  const nodeTools = toolsOf(outline);
  const { schema: _, prompt: __, ...rest } = run;
  return {
    ...rest,
    mode: "PIPELINE",
    ocr: ocr.mode ?? run.ocr,
    sourceLocations: run.sourceLocations || ocr.sourceLocations || located,
    ...(ocr.extractFigures || ocr.describeFigures ? { figures: true } : {}),
    ...(ocr.describeFigures ? { describeFigures: true } : {}),
    pipeline: pipeline as Json,
    ...(Object.keys(nodeTools).length === 0 ? {} : { nodeTools }),
    ...(isObject(metadata) ? { metadata } : {}),
  };
}
