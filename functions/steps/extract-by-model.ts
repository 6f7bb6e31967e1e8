/** Extraction with a model within a run: what it is asked, and with which pictures. */

import { pictureTask } from "../engine/tasks/picture.ts";
import { type Json, parseJsonBytes } from "../ports/json.ts";
import type { LanguageModel, ModelImage } from "../ports/llm.ts";
import type { ReadOnlyTool, ToolRequest } from "../ports/tools.ts";
import { emptyToolBox } from "../service/extraction/empty-tool-box.ts";
import { extractWithModel, type ModelExtraction } from "../service/extraction/extract-with-model.ts";
import type { ModelCalls, RunLimits } from "../service/extraction/model-calls.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { askWithin } from "./model-calls.ts";
import { isPiece, type Known, type PartWish } from "./part-wish.ts";

/** A picture that a model is sent along. */
const IMAGE_BYTES = 4_000_000;

/** What the run found beside the text, for the model to read. */
const findingsOf = (barcodes: Uint8Array | undefined): string | undefined => {
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

const givenTo = (part: PartWish | undefined): string | undefined =>
  part?.given === undefined ? undefined : `Given beside the document: ${JSON.stringify(part.given)}`;

/** Asks the model for the run's data. @throws JobFailure, AppError (retryable) */
export async function extractByModel(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  { layout, barcodes }: Pick<Known, "layout" | "barcodes">,
  part?: PartWish,
): Promise<ModelExtraction> {
  const { org, job, run } = context;
  const { documents } = org.engines;
  const told = [findingsOf(barcodes), givenTo(part)].filter((text) => text !== undefined);
  const findings = told.length === 0 ? undefined : told.join("\n\n");
  const tools = command.tools === undefined ? [] : await toolsOf(context, command.tools);
  const work = (calls: ModelCalls, limits: RunLimits): Promise<ModelExtraction> => {
    if (part !== undefined && isPiece(part)) calls.trace.event("chain_start", part.name, { response: part.pages });
    let source: Uint8Array | undefined;
    const pictureOf = async (pageNumber: number): Promise<ModelImage> => {
      source ??= (await org.blobs.get(job.source.key)) ?? new Uint8Array();
      const options = { mimeType: command.mimeType, pageNumber, level: "LOW", maxBytes: IMAGE_BYTES } as const;
      const { bytes } = await documents.run(pictureTask, { bytes: source, options }, limits);
      return { mimeType: bytes[0] === 0xff ? "image/jpeg" : "image/png", bytes };
    };
    const request = {
      layout,
      ...(command.schema === undefined ? {} : { schema: command.schema }),
      ...(command.prompt === undefined ? {} : { prompt: command.prompt }),
      ...(command.extraction === undefined ? {} : { mode: command.extraction }),
      // The run's, whatever day it is by now: begun anew after midnight, it asks what it asked before.
      ...(command.includeCurrentDate === true ? { date: run.createdAt.slice(0, 10) } : {}),
      ...(findings === undefined ? {} : { findings }),
      ...(isPiece(part) ? { part: true } : {}),
      ...(part?.pictures === undefined ? {} : { pictures: part.pictures }),
      ...(part?.list === undefined ? {} : { list: part.list }),
    };
    // Of a piece, those of its records: a row that goes on in the next one begins in this one.
    const countsRows = !isPiece(part) || part?.list !== undefined;
    return extractWithModel(request, { calls, engine: documents, countsRows, pictureOf }, limits);
  };
  const traceName = part?.traceName ?? "trace.json";
  return askWithin(context, model, command, work, { statusOf: ({ status }) => status, traceName, tools });
}

const toolsOf = ({ org }: StepRun, wishes: readonly ToolRequest[]): Promise<ReadOnlyTool[]> =>
  (org.engines.tools ?? emptyToolBox).open(org.id, wishes);
