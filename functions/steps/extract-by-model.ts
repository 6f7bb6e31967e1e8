/** Extraction with a model within a run: its request and its page pictures. */

import { pictureTask } from "../engine/tasks/picture.ts";
import { type Json, parseJsonBytes } from "../ports/json.ts";
import type { LanguageModel, ModelImage } from "../ports/llm.ts";
import { extractWithModel, type ModelExtraction } from "../service/extraction/extract-with-model.ts";
import type { ModelCalls, RunLimits } from "../service/extraction/model-calls.ts";
import { openTools } from "../service/knowledge/knowledge-tools.ts";
import { loadDocumentBytes } from "../service/runs/document-bytes.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { askModel } from "./ask-model.ts";
import { type ExtractionInput, type ExtractionPart, isDocumentPiece } from "./extraction-part.ts";

/** Most bytes of a page picture sent to a model. */
const MAX_IMAGE_BYTES = 4_000_000;

/** The run's barcodes as text for the model. */
const barcodesText = (barcodes: Uint8Array | undefined): string | undefined => {
  if (barcodes === undefined) return undefined;
  const codes =
    parseJsonBytes<
      {
        format: string;
        text: string;
        payload?: Json;
      }[]
    >(barcodes);
  if (codes.length === 0) return undefined;
  return codes.map(({ format, text, payload }) => `Barcode ${format}: ${JSON.stringify(payload ?? text)}`).join("\n");
};

const givenValuesText = (part: ExtractionPart | undefined): string | undefined =>
  part?.given === undefined ? undefined : `Given beside the document: ${JSON.stringify(part.given)}`;

/** The model's data, and the findings of the tools that it called. */
export interface ToolExtraction extends ModelExtraction {
  findings: readonly string[];
}

/** Asks the model for the run's data. @throws JobFailure, AppError (retryable) */
export async function extractByModel(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  { layout, barcodes }: Pick<ExtractionInput, "layout" | "barcodes">,
  part?: ExtractionPart,
): Promise<ToolExtraction> {
  const { org, run } = context;
  const { documents } = org.engines;
  const texts = [barcodesText(barcodes), givenValuesText(part)].filter((text) => text !== undefined);
  const findings = texts.length === 0 ? undefined : texts.join("\n\n");
  const tools = command.tools === undefined ? [] : await openTools(org, command.tools);
  const work = async (calls: ModelCalls, limits: RunLimits): Promise<ToolExtraction> => {
    if (part !== undefined && isDocumentPiece(part))
      calls.trace.event("chain_start", part.name, { response: part.pages });
    let source: Uint8Array | undefined;
    const pictureOf = async (pageNumber: number): Promise<ModelImage> => {
      source ??= await loadDocumentBytes(context, command);
      const options = { mimeType: command.mimeType, pageNumber, level: "LOW", maxBytes: MAX_IMAGE_BYTES } as const;
      const { bytes } = await documents.run(pictureTask, { bytes: source, options }, limits);
      return { mimeType: bytes[0] === 0xff ? "image/jpeg" : "image/png", bytes };
    };
    const request = {
      layout,
      ...(command.schema === undefined ? {} : { schema: command.schema }),
      ...(command.prompt === undefined ? {} : { prompt: command.prompt }),
      ...(command.extraction === undefined ? {} : { mode: command.extraction }),
      // The run's date, not today's: a step repeated after midnight asks the same question again.
      ...(command.includeCurrentDate === true ? { date: run.createdAt.slice(0, 10) } : {}),
      ...(findings === undefined ? {} : { findings }),
      ...(isDocumentPiece(part) ? { part: true } : {}),
      ...(part?.pictures === undefined ? {} : { pictures: part.pictures }),
      ...(part?.before === undefined ? {} : { before: part.before }),
      ...(part?.list === undefined ? {} : { list: part.list }),
    };
    // A chunk is asked for the rows of its records: a row that continues in the next chunk begins in this one.
    const countsRows = !isDocumentPiece(part) || part?.list !== undefined;
    const done = await extractWithModel(request, { calls, engine: documents, countsRows, pictureOf }, limits);
    return { ...done, findings: calls.findings };
  };
  const traceName = part?.traceName ?? "trace.json";
  return askModel(context, model, command, work, { statusOf: ({ status }) => status, traceName, tools });
}
