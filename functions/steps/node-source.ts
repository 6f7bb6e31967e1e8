/** What nodes that read text are given: the document, a page of it, or what another node left. */
import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { Template } from "../../statemachines/pipeline/templates.ts";
import { parseLayout, writeLayout } from "../core/documents/layout-file.ts";
import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import type { NodeRun } from "../core/pipelines/frame.ts";
import type { Json } from "../core/ports.ts";

/** The document as it was read. @throws JobFailure (no text) */
export async function documentLayout({ org, world }: NodeRun): Promise<Uint8Array> {
  const key = (await world.reading())?.layoutKey;
  const layout = key === undefined ? undefined : await org.blobs.get(key);
  if (layout === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return layout;
}

/** A text as the pages that it would be; of a value its JSON. @throws JobFailure for none */
export async function textLayout({ org, deadline }: NodeRun, value: Json, id: string): Promise<Uint8Array> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  if (value === null || text.trim() === "") {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: its source is empty`);
  }
  const options = { mimeType: "text/plain", ocr: "NONE" } as const;
  return (await org.engines.documents.read(Buffer.from(text), options, { deadline })).layout;
}

/** Of `$ocr.pages[i].content`, that page of the document. */
async function pageLayout(run: NodeRun, index: number, id: string): Promise<Uint8Array> {
  const layout = parseLayout(await documentLayout(run));
  const page = layout.pages[index];
  if (page === undefined) {
    throw new JobFailure(`Processing failed: The node "${id}" has nothing to read: there is no page ${index + 1}`);
  }
  return writeLayout({ ...layout, pages: [page] });
}

/** @returns the document, or the page of it, that a source names; undefined where it names something else */
export async function ofDocument(run: NodeRun, source: Template, id: string): Promise<Uint8Array | undefined> {
  if (source.kind !== "path" || source.root !== "ocr") return undefined;
  const [part, index, member] = source.steps;
  if (part === undefined || part === "content" || (part === "pages" && index === undefined)) return documentLayout(run);
  const isPage = part === "pages" && (member === undefined || member === "content");
  return isPage ? pageLayout(run, Number(index), id) : undefined;
}

/** What any source gives, as text. */
export const asText = async (run: NodeRun, source: Template, id: string): Promise<Uint8Array> =>
  textLayout(run, await evaluateTemplate(source, run.world), id);
