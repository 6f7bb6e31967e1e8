/** The parameters of a run as the API shows them: the members of the command that opened it. */
import * as z from "zod";
import type { MapReduceSettings } from "../../engine/extraction/chunks/map-reduce-settings.ts";
import { pinOf } from "../../service/runs/configuration-use.ts";
import type { RunCommand } from "../../service/runs/run-command.ts";
import { SavedCommand } from "./configurations.ts";

/** An UploadCommand or OcrCommand; of an operation, its type and parameters. */
export const RunParameters = SavedCommand.extend({
  guid: z.string(),
  run: z.int(),
  operationType: z.string().optional(),
  parameters: z.looseObject({}).optional(),
}).meta({ id: "RunParameters" });

const present = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== false));

const asText = (schema: unknown): string | undefined => (schema === undefined ? undefined : JSON.stringify(schema));

function mapReduceMembers(settings: MapReduceSettings | undefined): Record<string, unknown> | undefined {
  if (settings === undefined) return undefined;
  const { splitType, headerLevel, pagesPerChunk, overlapPages, dedupKey, stopWhenEmpty, grace, parallel, header } =
    settings;
  const pages = splitType === "PAGE" ? { pagesPerChunk, overlapPages } : { splitHeaderLevel: headerLevel };
  return present({
    enabled: true,
    splitType,
    ...pages,
    dedupKey,
    parallelProcessing: parallel,
    stopWhenEmpty,
    emptyChunkGrace: stopWhenEmpty ? grace : undefined,
    header: header && {
      enabled: true,
      ...present({ ...header, schema: asText(header.schema), rowPrompt: undefined }),
      ...present({ rowPromptAugmentation: header.rowPrompt }),
    },
  });
}

/** The members of a run's command. Files and keys of the service are none of them. */
export function runParameters(guid: string, run: number, command: RunCommand): Record<string, unknown> {
  const { mode, operation, extraction } = command;
  const place = { guid, run };
  if (operation !== undefined) {
    const { type: operationType, parameters } = operation;
    return { ...place, operationType, parameters: present({ llmType: command.llm, customParameters: parameters }) };
  }
  const figures = { describeFigures: command.describeFigures, extractFigures: command.figures };
  const extractionMode = mode === "OCR" || mode === "PIPELINE" ? mode : extraction;
  return {
    ...place,
    ...present({
      ocr: command.ocr,
      llm: command.llm,
      extractionMode,
      ocrFormat: mode === "OCR" ? command.format : undefined,
      schema: asText(command.schema),
      prompt: command.prompt,
      mimeType: command.mimeType === "" ? undefined : command.mimeType,
      pageRange: command.pageRange,
      minConfidence: command.minConfidence,
      tokenBudget: command.tokenBudget,
      configuration: command.configuration && pinOf(command.configuration),
      sourceLocations: command.sourceLocations,
      sourceLocationGranularity: command.sourceLocations ? command.granularity.toUpperCase() : undefined,
      barcodes: command.barcodes,
      ...figures,
      acroFormMetadata: command.acroForm,
      includeCurrentDate: command.includeCurrentDate,
      reasoningEffort: command.reasoningEffort,
      trace: command.trace,
      tools: command.tools?.map(({ type, ...config }) => ({ type, config })),
      mapReduce: mapReduceMembers(command.mapReduce),
      pipeline: command.pipeline,
      metadata: command.metadata,
    }),
  };
}
