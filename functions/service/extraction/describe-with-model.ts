/** Description of a document, and a schema for it, by a model. */

import { limitSummary, type Summary } from "../../engine/analysis/summarize-document.ts";
import {
  ANALYZE_ANSWER,
  analyzePrompt,
  SUMMARY_ANSWER,
  schemaAgainPrompt,
  schemaPrompt,
  summaryPrompt,
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
  /** Pages of the whole document. */
  pages: number;
  suggested_prompt: string | null;
  /** A JSON Schema; null where the model's is invalid. */
  suggested_schema: Json;
}

/** Limits of the document's text in a prompt, as a share of the context and in tokens: the first pages suffice. */
const DOCUMENT_CONTEXT_SHARE = 0.6;
const MAX_DOCUMENT_TOKENS = 60_000;

interface DescribingCollaborators {
  calls: ModelCalls;
  engine: Pick<Engine, "run">;
}

const tooLong = (): JobFailure =>
  new JobFailure("Processing failed: The first page of the document is too long for the model");

/** Reads the first pages of a document, as many as fit. @throws JobFailure when not even the first page fits */
async function readFirstPages(
  layout: Uint8Array,
  { calls, engine }: DescribingCollaborators,
  limits: RunLimits,
): Promise<ModelPages> {
  const maxTokens = Math.min(MAX_DOCUMENT_TOKENS, Math.floor(calls.facts.contextTokens * DOCUMENT_CONTEXT_SHARE));
  const read = await engine.run(readPagesTask, { layout, maxTokens }, limits);
  if (read.pages.length === 0 && read.pageCount > 0) throw tooLong();
  return read;
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

/** A model's schema as text, whether it came as text or as an object. */
const schemaText = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/**
 * Describes a document, with a prompt and a schema for documents like it.
 * @throws JobFailure for an answer that is not JSON, or as `ModelCalls.ask` does
 */
export async function analyzeWithModel(
  layout: Uint8Array,
  collaborators: DescribingCollaborators,
  limits: RunLimits,
): Promise<DocumentAnalysis> {
  const { pages, pageCount } = await readFirstPages(layout, collaborators, limits);
  const { calls, engine } = collaborators;
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
 * Summarises a document.
 * @throws JobFailure for an answer that is not JSON, or as `ModelCalls.ask` does
 */
export async function summarizeWithModel(
  layout: Uint8Array,
  collaborators: DescribingCollaborators,
  limits: RunLimits,
): Promise<Summary> {
  const { pages, pageCount } = await readFirstPages(layout, collaborators, limits);
  const { calls } = collaborators;
  const prompt = summaryPrompt({ fence: calls.fence(), pages, pageCount });
  const answer = await calls.ask(prompt, { kind: "json", name: "summary", schema: SUMMARY_ANSWER as Json });
  const found = findJson(answer.text);
  if (!isObject(found)) throw new JobFailure("Processing failed: The model's answer is not valid JSON");
  const facts = own(found, "key_facts");
  return limitSummary({
    document_type: textOf(own(found, "document_type")) ?? "other",
    title: textOf(own(found, "title")) ?? "",
    summary: textOf(own(found, "summary")) ?? "",
    key_facts: Array.isArray(facts)
      ? (facts.filter((fact) => typeof fact === "string" && fact.trim() !== "") as string[])
      : [],
  });
}

/**
 * Writes a JSON Schema of the data in documents like this one; repeats the request for an invalid schema.
 * @throws JobFailure when the second schema is invalid, or as `ModelCalls.ask` does
 */
export async function generateSchemaWithModel(
  layout: Uint8Array,
  instructions: string,
  collaborators: DescribingCollaborators,
  limits: RunLimits,
): Promise<Json> {
  const { pages, pageCount } = await readFirstPages(layout, collaborators, limits);
  const { calls, engine } = collaborators;
  const prompt = schemaPrompt({ fence: calls.fence(), pages, pageCount, instructions });
  const first = await calls.ask(prompt, { kind: "json", name: "schema" });
  const read = await engine.run(readSchemaTask, { text: first.text }, limits);
  if ("schema" in read) return read.schema;
  const second = await calls.ask(schemaAgainPrompt(prompt, first.text, read.fault), { kind: "json", name: "schema" });
  const again = await engine.run(readSchemaTask, { text: second.text }, limits);
  if ("schema" in again) return again.schema;
  throw new JobFailure(`Processing failed: The model did not write a JSON Schema that can be used: ${again.fault}`);
}
