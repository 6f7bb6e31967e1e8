/**
 * Asynchronous recognition by a service: started with pictures of the pages that need it, then polled by a state
 * machine that waits between polls. Each poll may give some pages; they are stored until the last poll.
 */

import { joinStrips, type RecognisedStrip } from "../../engine/ocr/join-strips.ts";
import { picturesPdfTask } from "../../engine/tasks/pictures-pdf.ts";
import type { Reading } from "../../engine/tasks/reading-shapes.ts";
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrEngine, OcrLevel, OcrPage, OcrUse, OcrView } from "../../ports/ocr.ts";
import { chargePages, mayCharge } from "../organizations/page-quota.ts";
import { artifactKey } from "../runs/job-records.ts";
import { noteProgress } from "../runs/progress-notes.ts";
import type { StepRun } from "../runs/run-step.ts";
import {
  chargeToken,
  completeReading,
  type Recognised,
  type RecognitionSource,
  withViewFindings,
} from "./recognize-pages.ts";

/** State of an asynchronous recognition between polls, kept by the state machine. */
export interface PendingRecognition {
  waiting: true;
  level: OcrLevel;
  /** Polls that gave pages. */
  looks: number;
  /** Position of the next poll. */
  cursor?: string;
}

interface RecognitionTicket {
  id: string;
  level: OcrLevel;
  /** Views of the pictures, in their order. */
  views: OcrView[];
  /** Provider usage of earlier rounds. */
  uses: OcrUse[];
}

const JSON_TYPE = { contentType: "application/json" };

const keyOf = ({ job, run }: StepRun, level: OcrLevel, name: string): string =>
  artifactKey(job.guid, run.run, `ocr/${level.toLowerCase()}/${name}`);

async function loadFile<T>(context: StepRun, level: OcrLevel, name: string): Promise<T> {
  const bytes = await context.org.blobs.get(keyOf(context, level, name));
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return parseJsonBytes<T>(bytes);
}

/**
 * Starts the recognition of a reading's pending pages and charges them; a repeated call does not start it again.
 * @param uses provider usage of earlier rounds @throws JobFailure, AppError (retryable)
 */
export async function startRecognition(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  reading: Reading,
  { level, uses }: { level: OcrLevel; uses: OcrUse[] },
): Promise<PendingRecognition> {
  const { org, deadline, job, run } = context;
  if (engine.documents === undefined) throw new TypeError(`${engine.name} takes no documents`);
  await chargePages(org, reading.pending.length, chargeToken(context, level));
  const { maxPageInches, maxBytes, maxPages } = engine.documents;
  const limits = { maxPageInches, maxBytes, maxPages, maxSide: engine.maxSide };
  const options = { mimeType: source.mimeType, pageNumbers: reading.pending, level, limits };
  const { pdf, views } = await org.engines.documents.run(
    picturesPdfTask,
    { bytes: source.bytes, options },
    { deadline },
  );
  const pictures = keyOf(context, level, "pages.pdf");
  await org.blobs.put(pictures, pdf, { contentType: "application/pdf" });
  await org.blobs.put(keyOf(context, level, "draft-layout.json"), reading.layout, JSON_TYPE);
  await org.blobs.put(keyOf(context, level, "draft-quality.json"), reading.quality, JSON_TYPE);
  // The engine reads the bucket itself, so it needs the key with the organization's prefix.
  const document = { blobKey: `org/${org.id}/${pictures}`, level, token: `${org.id}/${job.guid}/${run.run}/${level}` };
  const id = await engine.documents.start(document, { deadline });
  const ticket: RecognitionTicket = { id, level, views, uses };
  await org.blobs.put(keyOf(context, level, "ticket.json"), encodeJson(ticket), JSON_TYPE);
  return { waiting: true, level, looks: 0 };
}

/**
 * Maps recognised pictures, pages 1 to n of their PDF, to the pages of the document; joins the strips of long pages.
 */
function documentPages(recognised: readonly OcrPage[], views: readonly OcrView[]): OcrPage[] {
  const pages = new Map<number, OcrPage>();
  const strips = new Map<number, RecognisedStrip[]>();
  for (const one of recognised) {
    const view = views[one.page.number - 1];
    if (view === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
    const { pageNumber: number, strip } = view;
    const page = withViewFindings({ ...one, page: { ...one.page, number } }, view);
    if (strip === undefined) pages.set(number, page);
    else strips.set(number, [...(strips.get(number) ?? []), { page, strip }]);
  }
  for (const [number, own] of strips) pages.set(number, joinStrips(own));
  return [...pages.values()].sort((a, b) => a.page.number - b.page.number);
}

async function loadPolledPages(context: StepRun, level: OcrLevel, looks: number): Promise<OcrPage[]> {
  const pages: OcrPage[] = [];
  for (let look = 0; look < looks; look += 1) {
    pages.push(...(await loadFile<OcrPage[]>(context, level, `look-${look}.json`)));
  }
  return pages;
}

async function loadDraft(context: StepRun, level: OcrLevel): Promise<Pick<Reading, "layout" | "quality">> {
  const [layout, quality] = await Promise.all(
    ["draft-layout.json", "draft-quality.json"].map((name) => context.org.blobs.get(keyOf(context, level, name))),
  );
  if (layout === undefined || quality === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return { layout, quality };
}

/**
 * Polls the recognition once.
 * @param loadSource loads the document, for pages to recognise again
 * @returns the state for the next poll, or the complete reading
 * @throws JobFailure, AppError (retryable)
 */
export async function pollRecognition(
  context: StepRun,
  engine: OcrEngine,
  waiting: PendingRecognition,
  loadSource: () => Promise<RecognitionSource>,
): Promise<PendingRecognition | Recognised> {
  const { org, deadline } = context;
  const { level, looks, cursor } = waiting;
  if (engine.documents === undefined) throw new TypeError(`${engine.name} takes no documents`);
  const ticket = await loadFile<RecognitionTicket>(context, level, "ticket.json");
  const { id, views } = ticket;
  const frames = views.map(({ frame }) => frame);
  const progress = await engine.documents.poll(id, frames, { deadline }, cursor);
  if (progress.status === "running") return waiting;
  await org.blobs.put(keyOf(context, level, `look-${looks}.json`), encodeJson(progress.pages), JSON_TYPE);
  if (progress.status === "reading") {
    const done = new Set(views.slice(0, progress.pages.at(-1)?.page.number ?? 0).map(({ pageNumber }) => pageNumber));
    const all = new Set(views.map(({ pageNumber }) => pageNumber));
    await noteProgress(context, "recognize", all.size)(done.size);
    return { waiting: true, level, looks: looks + 1, cursor: progress.cursor };
  }

  const source = await loadSource();
  const found = {
    pages: documentPages(await loadPolledPages(context, level, looks + 1), views),
    unread: [...new Set(progress.unread.flatMap((page) => views[page - 1]?.pageNumber ?? []))],
  };
  const draft = await loadDraft(context, level);
  const reading = await completeReading(context, draft, found, engine, { level, source });
  const uses = [...ticket.uses, progress.use];
  if (reading.pending.length === 0 || level === "PREMIUM") return { reading, uses };
  // The first reading stays where the quota has no pages for a second one.
  if (!(await mayCharge(org, reading.pending.length, chargeToken(context, "PREMIUM")))) return { reading, uses };
  return startRecognition(context, engine, source, reading, { level: "PREMIUM", uses });
}
