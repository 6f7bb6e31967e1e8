/** What nodes that read text are given: the document, a page of it, or what another node left. */

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
import { loadPages } from "./layout.ts";
import { lossAt } from "./node-origins.ts";

/** What places in a text are: the document's own, to be looked for in it, or none, and why. */
export type Places = "own" | "document" | { reason: Loss };

export interface NodeSource {
  layout: Uint8Array;
  places: Places;
}

/** The file of a corrected text: the document's layout with the words that it has now. */
export const CORRECTED_LAYOUT = "layout.json";

/** In the result of a correction, what is its text: all of it, or that of a page. */
const CORRECTED = /^(?:\/content|\/pages(?:\/(0|[1-9]\d{0,8})(?:\/content)?)?)?$/;

/** @throws JobFailure (no text) */
function orNoText<T>(found: T | undefined): T {
  if (found === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return found;
}

const documentKey = async ({ world }: NodeRun): Promise<string> => orNoText((await world.reading())?.layoutKey);

/** The document as it was read. @throws JobFailure (no text) */
export const documentLayout = async (run: NodeRun): Promise<Uint8Array> =>
  orNoText(await run.org.blobs.get(await documentKey(run)));

/** A text as the pages that it would be; of a value its JSON. @throws JobFailure for none */
async function textLayout({ org, deadline }: NodeRun, value: Json, id: string): Promise<Uint8Array> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  if (value === null || text.trim() === "") {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: its source is empty`);
  }
  const options = { mimeType: "text/plain", ocr: "NONE" } as const;
  return (await org.engines.documents.run(readTask, { bytes: Buffer.from(text), options }, { deadline })).layout;
}

/**
 * A stored layout, or one page of it, which is read without the others.
 * @param page from 0; undefined: all of them
 * @returns undefined where there is none @throws JobFailure (no such page)
 */
async function partOf(
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

interface Part {
  /** Of a page, from 0; undefined: the whole. */
  page: number | undefined;
}

/** @returns undefined where a source names something else than the document or a page of it */
function documentPart(source: Template): Part | undefined {
  if (source.kind !== "path" || source.root !== "ocr") return undefined;
  const [part, index, member] = source.steps;
  if (part === undefined || part === "content" || (part === "pages" && index === undefined)) return { page: undefined };
  const isPage = part === "pages" && (member === undefined || member === "content");
  return isPage ? { page: Number(index) } : undefined;
}

/** The corrected text that a source names, directly or through an input. */
function correctedPart(
  source: Template,
  definition: PipelineDefinition,
): (Part & { node: NodeFrame & OcrCorrectNode }) | undefined {
  const origin = source.kind === "path" ? originOfPath(source, definition) : undefined;
  if (origin === undefined || !("node" in origin)) return undefined;
  const node = definition.nodes.find(({ id }) => id === origin.node);
  const found = CORRECTED.exec(origin.pointer);
  if (node?.type !== "OCR_CORRECT" || found === null) return undefined;
  return { node, page: found[1] === undefined ? undefined : Number(found[1]) };
}

/** Whether a text is the document's, or has a map back to it through all of its corrections. */
function isOwn(source: Template | null, definition: PipelineDefinition): boolean {
  if (source === null || documentPart(source) !== undefined) return true;
  const corrected = correctedPart(source, definition);
  return corrected?.node.sourceMap === "preserve" && isOwn(corrected.node.source, definition);
}

async function placesOf(run: NodeRun, source: Template): Promise<Places> {
  if (isOwn(source, run.pipeline.definition)) return "own";
  const reason = await lossAt(run, [...pathsIn(source)]);
  return reason === undefined ? "document" : { reason };
}

/** What text has lost of its places. */
export const lossIn = (places: Places): Loss | undefined => (typeof places === "object" ? places.reason : undefined);

/** The text of a correction's result, or of its pages. */
function contentOf(value: Json): Json {
  if (Array.isArray(value)) return value.map((page) => contentOf(page) ?? "").join("\n\n");
  return isObject(value) ? (value.content ?? null) : value;
}

/**
 * What a node reads. Text that was corrected stands where it stood before, as long as that is known.
 * @param source null: the document @throws JobFailure for nothing to read
 */
export async function readSource(run: NodeRun, source: Template | null, id: string): Promise<NodeSource> {
  const { job, pipeline, world } = run;
  const { definition } = pipeline;
  const part = source === null ? { page: undefined } : documentPart(source);
  if (source === null || part !== undefined) {
    return { layout: orNoText(await partOf(run, await documentKey(run), part?.page, id)), places: "own" };
  }
  const places = await placesOf(run, source);
  const corrected = correctedPart(source, definition);
  const isDone = corrected !== undefined && (await world.node(corrected.node.id)).status === "COMPLETED";
  if (places === "own" && isDone) {
    const key = nodeFile(job.guid, run.run.run, corrected.node.id, CORRECTED_LAYOUT);
    const layout = await partOf(run, key, corrected.page, id);
    if (layout !== undefined) return { layout, places };
  }
  const value = await evaluateTemplate(source, world);
  return { layout: await textLayout(run, corrected === undefined ? value : contentOf(value), id), places };
}
