/** Sources of nodes that read text: the document, a page of it, or another node's result. */

import type { PipelineDefinition } from "../../statemachines/pipeline/definition.ts";
import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OcrCorrectNode } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import { pathsIn, type Template } from "../../statemachines/pipeline/templates.ts";
import { writeLayout } from "../engine/layout/layout-file.ts";
import type { Loss } from "../engine/nodes/location-losses.ts";
import { originOfPath } from "../engine/nodes/provenance.ts";
import { readTask } from "../engine/tasks/read.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import { isObject, type Json } from "../ports/json.ts";
import { nodeFile } from "../service/pipelines/node-records.ts";
import type { NodeRun } from "../service/pipelines/run-node.ts";
import { loadPages } from "./load-layout.ts";
import { lossAtPaths } from "./node-origins.ts";

/** Positions in a text: `own`, the document's; `document`, to be located in the document; or lost, with the reason. */
export type TextPositions = "own" | "document" | { reason: Loss };

export interface NodeSource {
  layout: Uint8Array;
  positions: TextPositions;
}

/** The file of a corrected text: the document's layout with the corrected words. */
export const CORRECTED_LAYOUT = "layout.json";

/** Pointers of text in a correction's result: the whole text, or that of a page. */
const CORRECTED_TEXT_POINTER = /^(?:\/content|\/pages(?:\/(0|[1-9]\d{0,8})(?:\/content)?)?)?$/;

/** @throws JobFailure (no text) */
function requireText<T>(found: T | undefined): T {
  if (found === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return found;
}

const documentLayoutKey = async ({ evaluation }: NodeRun): Promise<string> =>
  requireText((await evaluation.reading())?.layoutKey);

/** Loads the document's layout as it was read. @throws JobFailure (no text) */
export const loadDocumentLayout = async (run: NodeRun): Promise<Uint8Array> =>
  requireText(await run.org.blobs.get(await documentLayoutKey(run)));

/** Makes a layout of a text, or of a value's JSON. @throws JobFailure for an empty one */
async function makeTextLayout({ org, deadline }: NodeRun, value: Json, id: string): Promise<Uint8Array> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  if (value === null || text.trim() === "") {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: its source is empty`);
  }
  const options = { mimeType: "text/plain", ocr: "NONE" } as const;
  return (await org.engines.documents.run(readTask, { bytes: Buffer.from(text), options }, { deadline })).layout;
}

/**
 * Loads a stored layout, or one page of it without reading the others.
 * @param page from 0; undefined: all pages
 * @returns undefined for a missing layout @throws JobFailure for a missing page
 */
async function loadPart(
  { org }: NodeRun,
  key: string,
  page: number | undefined,
  id: string,
): Promise<Uint8Array | undefined> {
  if (page === undefined || (await org.blobs.head(key)) === undefined) return org.blobs.get(key);
  const { facts, pages } = await loadPages(org, key, (all) => all.slice(page, page + 1));
  if (pages.length === 0) {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: there is no page ${page + 1}`);
  }
  return writeLayout({ ...facts, pages });
}

interface SourcePart {
  /** Index of a page, from 0; undefined: the whole text. */
  page: number | undefined;
}

/** The part of the document that a source names. @returns undefined for a source other than the document */
function documentPart(source: Template): SourcePart | undefined {
  if (source.kind !== "path" || source.root !== "ocr") return undefined;
  const [part, index, member] = source.steps;
  if (part === undefined || part === "content" || (part === "pages" && index === undefined)) return { page: undefined };
  const isPage = part === "pages" && (member === undefined || member === "content");
  return isPage ? { page: Number(index) } : undefined;
}

/** The correction node, and the part of its text, that a source names, directly or through an input. */
function correctedPart(
  source: Template,
  definition: PipelineDefinition,
): (SourcePart & { node: NodeFrame & OcrCorrectNode }) | undefined {
  const origin = source.kind === "path" ? originOfPath(source, definition) : undefined;
  if (origin === undefined || !("node" in origin)) return undefined;
  const node = definition.nodes.find(({ id }) => id === origin.node);
  const found = CORRECTED_TEXT_POINTER.exec(origin.pointer);
  if (node?.type !== "OCR_CORRECT" || found === null) return undefined;
  return { node, page: found[1] === undefined ? undefined : Number(found[1]) };
}

/** True for the document's own text, and for a text that its corrections map back to the document. */
function isDocumentText(source: Template | null, definition: PipelineDefinition): boolean {
  if (source === null || documentPart(source) !== undefined) return true;
  const corrected = correctedPart(source, definition);
  return corrected?.node.sourceMap === "preserve" && isDocumentText(corrected.node.source, definition);
}

async function positionsOf(run: NodeRun, source: Template): Promise<TextPositions> {
  if (isDocumentText(source, run.pipeline.definition)) return "own";
  const reason = await lossAtPaths(run, [...pathsIn(source)]);
  return reason === undefined ? "document" : { reason };
}

/** The reason why a text has no positions. */
export const positionLoss = (positions: TextPositions): Loss | undefined =>
  typeof positions === "object" ? positions.reason : undefined;

/** The text of a correction's result, or of a list of its pages. */
function correctedText(value: Json): Json {
  if (Array.isArray(value)) return value.map((page) => correctedText(page) ?? "").join("\n\n");
  return isObject(value) ? (value.content ?? null) : value;
}

/**
 * Loads a node's source as a layout. Corrected text keeps the positions of the original where they are known.
 * @param source null: the document @throws JobFailure for an empty source
 */
export async function readSource(run: NodeRun, source: Template | null, id: string): Promise<NodeSource> {
  const { job, pipeline, evaluation } = run;
  const { definition } = pipeline;
  const part = source === null ? { page: undefined } : documentPart(source);
  if (source === null || part !== undefined) {
    return { layout: requireText(await loadPart(run, await documentLayoutKey(run), part?.page, id)), positions: "own" };
  }
  const positions = await positionsOf(run, source);
  const corrected = correctedPart(source, definition);
  const isDone = corrected !== undefined && (await evaluation.node(corrected.node.id)).status === "COMPLETED";
  if (positions === "own" && isDone) {
    const key = nodeFile(job.guid, run.run.run, corrected.node.id, CORRECTED_LAYOUT);
    const layout = await loadPart(run, key, corrected.page, id);
    if (layout !== undefined) return { layout, positions };
  }
  const value = await evaluateTemplate(source, evaluation);
  return { layout: await makeTextLayout(run, corrected === undefined ? value : correctedText(value), id), positions };
}
