/** What a model says of a figure, of a document, and of the schema that fits it. */

import {
  ANALYZE_ANSWER,
  analyzePrompt,
  schemaAgainPrompt,
  schemaPrompt,
} from "../../engine/extraction/prompts/describe-prompt.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { type ModelPages, readPagesTask } from "../../engine/tasks/read-pages.ts";
import { readSchemaTask } from "../../engine/tasks/read-schema.ts";
import type { Engine } from "../../ports/engine.ts";
import { JobFailure } from "../../ports/errors.ts";
import { isObject, type Json, own } from "../../ports/json.ts";
import type { ModelCalls, RunLimits } from "./model-calls.ts";

/** The result of `/document/analyze`. */
export interface DocumentAnalysis {
  document_type: string | null;
  /** ISO 639-1. */
  language: string | null;
  /** Of the whole document. */
  pages: number;
  suggested_prompt: string | null;
  /** A JSON Schema; null where the model's was none. */
  suggested_schema: Json;
}

/** Share of the context that a document may fill, of which the first pages are enough to know it. */
const DOCUMENT_SHARE = 0.6;
const MOST_DOCUMENT = 60_000;

interface Describing {
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
}

const tooLong = (): JobFailure =>
  new JobFailure("Processing failed: The first page of the document is too long for the model");

/** As much of a document as is needed to know it. @throws JobFailure where not even a page fits */
async function pagesOf(layout: Uint8Array, { calls, engine }: Describing, limits: RunLimits): Promise<ModelPages> {
  const maxTokens = Math.min(MOST_DOCUMENT, Math.floor(calls.facts.contextTokens * DOCUMENT_SHARE));
  const read = await engine.run(readPagesTask, { layout, maxTokens }, limits);
  if (read.pages.length === 0 && read.pageCount > 0) throw tooLong();
  return read;
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

/** The text of a schema that may have come as an object. */
const schemaText = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/**
 * What a document is, and how data could be taken out of documents like it.
 * @throws JobFailure where the model's answer is no JSON, or as `ModelCalls.ask` does
 */
export async function analyzeWithModel(
  layout: Uint8Array,
  by: Describing,
  limits: RunLimits,
): Promise<DocumentAnalysis> {
  const { pages, pageCount } = await pagesOf(layout, by, limits);
  const { calls, engine } = by;
  const prompt = analyzePrompt({ fence: calls.fence(), pages, pageCount });
  const answer = await calls.ask(prompt, { kind: "json", name: "analysis", schema: ANALYZE_ANSWER as Json });
  const found = findJson(answer.text);
  if (!isObject(found)) throw new JobFailure("Processing failed: The model's answer is not valid JSON");
  const read = await engine.run(readSchemaTask, { text: schemaText(own(found, "suggested_schema")) }, limits);
  return {
    document_type: textOf(own(found, "document_type")),
    language: textOf(own(found, "language")),
    pages: pageCount,
    suggested_prompt: textOf(own(found, "suggested_prompt")),
    suggested_schema: "schema" in read ? read.schema : null,
  };
}

/**
 * Writes the JSON Schema of the data in documents like this one; a schema that is none is asked for once more.
 * @throws JobFailure where the second is none either, or as `ModelCalls.ask` does
 */
export async function generateSchemaWithModel(
  layout: Uint8Array,
  instructions: string,
  by: Describing,
  limits: RunLimits,
): Promise<Json> {
  const { pages, pageCount } = await pagesOf(layout, by, limits);
  const { calls, engine } = by;
  const prompt = schemaPrompt({ fence: calls.fence(), pages, pageCount, instructions });
  const first = await calls.ask(prompt, { kind: "json", name: "schema" });
  const read = await engine.run(readSchemaTask, { text: first.text }, limits);
  if ("schema" in read) return read.schema;
  const second = await calls.ask(schemaAgainPrompt(prompt, first.text, read.fault), { kind: "json", name: "schema" });
  const again = await engine.run(readSchemaTask, { text: second.text }, limits);
  if ("schema" in again) return again.schema;
  throw new JobFailure(`Processing failed: The model did not write a JSON Schema that can be used: ${again.fault}`);
}
