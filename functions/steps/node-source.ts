/** What nodes that read text are given: the document, a page of it, or what another node left. */
import type { PipelineDefinition } from "../../statemachines/pipeline/definition.ts";
import { isObject } from "../../statemachines/pipeline/diagnostics.ts";
import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OcrCorrectNode } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import type { Template } from "../../statemachines/pipeline/templates.ts";
import { parseLayout, writeLayout } from "../core/documents/layout-file.ts";
import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import type { NodeRun } from "../core/pipelines/frame.ts";
import { nodeFile } from "../core/pipelines/model.ts";
import { originOfPath } from "../core/pipelines/provenance.ts";
import type { Json } from "../core/ports.ts";

/** What places in a text are: the document's own, to be looked for in it, or none, and why. */
export type Places = "own" | "document" | { reason: string };

export interface NodeSource {
  layout: Uint8Array;
  places: Places;
}

/** The file of a corrected text: the document's layout with the words that it has now. */
export const CORRECTED_LAYOUT = "layout.json";

/** In the result of a correction, what is its text: all of it, or that of a page. */
const CORRECTED = /^(?:\/content|\/pages(?:\/(0|[1-9]\d{0,8})(?:\/content)?)?)?$/;

/** The document as it was read. @throws JobFailure (no text) */
export async function documentLayout({ org, world }: NodeRun): Promise<Uint8Array> {
  const key = (await world.reading())?.layoutKey;
  const layout = key === undefined ? undefined : await org.blobs.get(key);
  if (layout === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return layout;
}

/** A text as the pages that it would be; of a value its JSON. @throws JobFailure for none */
async function textLayout({ org, deadline }: NodeRun, value: Json, id: string): Promise<Uint8Array> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  if (value === null || text.trim() === "") {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: its source is empty`);
  }
  const options = { mimeType: "text/plain", ocr: "NONE" } as const;
  return (await org.engines.documents.read(Buffer.from(text), options, { deadline })).layout;
}

/** @param index of a page; undefined: all of them */
function pageOf(whole: Uint8Array, index: number | undefined, id: string): Uint8Array {
  if (index === undefined) return whole;
  const layout = parseLayout(whole);
  const page = layout.pages[index];
  if (page === undefined) {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: there is no page ${index + 1}`);
  }
  return writeLayout({ ...layout, pages: [page] });
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

/** However often the text was corrected on its way: one correction without a map is enough to lose the places. */
function placesOf(source: Template | null, definition: PipelineDefinition): Places {
  if (source === null || documentPart(source) !== undefined) return "own";
  const corrected = correctedPart(source, definition);
  if (corrected === undefined) return "document";
  const { sourceMap, source: before } = corrected.node;
  if (sourceMap === "preserve") return placesOf(before, definition);
  return { reason: sourceMap === "compress" ? "compressed-upstream" : "no-source-map" };
}

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
  const { org, job, pipeline, world } = run;
  const { definition } = pipeline;
  const part = source === null ? { page: undefined } : documentPart(source);
  if (source === null || part !== undefined) {
    return { layout: pageOf(await documentLayout(run), part?.page, id), places: "own" };
  }
  const places = placesOf(source, definition);
  const corrected = correctedPart(source, definition);
  const isDone = corrected !== undefined && (await world.node(corrected.node.id)).status === "COMPLETED";
  if (places === "own" && isDone) {
    const layout = await org.blobs.get(nodeFile(job.guid, run.run.run, corrected.node.id, CORRECTED_LAYOUT));
    if (layout !== undefined) return { layout: pageOf(layout, corrected.page, id), places };
  }
  const value = await evaluateTemplate(source, world);
  return { layout: await textLayout(run, corrected === undefined ? value : contentOf(value), id), places };
}
