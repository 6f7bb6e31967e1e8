/**
 * Asynchronous recognition by a service: started with pictures of the pages that need it, then polled by a state
 * machine that waits between polls. Each poll may give some pages; they are stored until the last poll, which is the
 * one that finds the service ready or the time for recognition over.
 */

import { joinStrips, type RecognisedStrip } from "../../engine/ocr/join-strips.ts";
import type { Reading } from "../../engine/tasks/reading-shapes.ts";
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrEngine, OcrLevel, OcrPage, OcrProgress, OcrUse, OcrView } from "../../ports/ocr.ts";
import { ocrOf } from "../organizations/engines.ts";
import { noteProgress } from "../runs/progress-notes.ts";
import type { StepRun } from "../runs/run-step.ts";
import type { UnreadPages } from "../runs/step-outcomes.ts";
import { chargeRound, endRound, mayChargeRound } from "./page-charges.ts";
import { isCutOff, recognitionDeadline, unreadPages } from "./recognition-time.ts";
import {
  completeReading,
  type DraftReading,
  type Recognised,
  type RecognitionSource,
  recognizePending,
  withViewFindings,
} from "./recognize-pages.ts";
import { JSON_TYPE, recognitionKey as keyOf, type SentPictures, sendPictures } from "./send-pictures.ts";

/** State of an asynchronous recognition between polls, kept by the state machine. */
export interface PendingRecognition {
  waiting: true;
  level: OcrLevel;
  /** Polls that gave pages. */
  looks: number;
  /** Position of the next poll. */
  cursor?: string;
  /** The provider's operation, once a poll gave pages. */
  use?: Omit<OcrUse, "pages">;
}

interface RecognitionTicket extends SentPictures {
  level: OcrLevel;
  /** Pages that there was no time to draw. */
  late: number[];
  /** Words of the text layers. */
  wordCount: number;
  /** Provider usage of earlier rounds, and what they did not read; a second round reads pages again. */
  earlier: EarlierRounds;
}

/** Earlier rounds of a recognition. */
export interface EarlierRounds {
  uses: OcrUse[];
  /** Absent in the first round. */
  first?: { unread: UnreadPages | undefined };
}

/** Milliseconds of the last poll, when the time for recognition is over. */
const LAST_POLL_MS = 5_000;

async function loadFile<T>(context: StepRun, level: OcrLevel, name: string): Promise<T> {
  const bytes = await context.org.blobs.get(keyOf(context, level, name));
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return parseJsonBytes<T>(bytes);
}

/**
 * Starts the recognition of a reading's pending pages and charges them; a repeated call does not start it again.
 * @returns the state for the first poll; the complete reading where there is no time for any page
 * @throws JobFailure, AppError (retryable)
 */
export async function startRecognition(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  reading: Reading,
  { level, earlier }: { level: OcrLevel; earlier: EarlierRounds },
): Promise<PendingRecognition | Recognised> {
  const { org } = context;
  const numbers = reading.pending;
  await chargeRound(context, numbers.length, level);
  const sent = await sendPictures(context, engine, source, { level, numbers });
  const draft = { ...reading, wordCount: reading.facts.wordCount };
  if (sent === undefined) return finish(context, engine, source, draft, { level, earlier, late: numbers });
  const drawn = new Set(sent.views.map(({ pageNumber }) => pageNumber));
  const { wordCount } = reading.facts;
  const late = numbers.filter((page) => !drawn.has(page));
  const ticket: RecognitionTicket = { ...sent, level, late, wordCount, earlier };
  await org.blobs.put(keyOf(context, level, "draft-layout.json"), reading.layout, JSON_TYPE);
  await org.blobs.put(keyOf(context, level, "draft-quality.json"), reading.quality, JSON_TYPE);
  await org.blobs.put(keyOf(context, level, "ticket.json"), encodeJson(ticket), JSON_TYPE);
  return { waiting: true, level, looks: 0 };
}

/** The end of a round: its pages, and those that it did not read. */
interface RoundEnd {
  level: OcrLevel;
  earlier: EarlierRounds;
  pages?: OcrPage[];
  /** The engine could not read them; there was no time for them. */
  failed?: number[];
  late: number[];
  use?: OcrUse;
}

/** Merges the pages of a round into the draft. */
async function finish(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  draft: DraftReading,
  { level, earlier, pages = [], failed = [], late, use }: RoundEnd,
): Promise<Recognised> {
  await endRound(context, { unread: late.length, used: use?.pages ?? 0 }, level);
  // What a second round does not read, the first one has read.
  const { first } = earlier;
  const missing = first === undefined ? { unread: failed, late } : { unread: [], hurried: [...failed, ...late] };
  const reading = await completeReading(context, draft, { pages, ...missing }, engine, { level, source });
  const unread = first === undefined ? unreadPages(context, { late, failed }) : first.unread;
  const uses = [...earlier.uses, ...(use === undefined || use.pages === 0 ? [] : [use])];
  return { reading, uses, ...(unread === undefined ? {} : { unread }) };
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

/** One poll; at the end of the time for recognition its failure means that there is nothing more. */
async function pollOnce(
  context: StepRun,
  { documents }: OcrEngine,
  { id, views }: RecognitionTicket,
  cursor: string | undefined,
): Promise<{ progress: OcrProgress; isLast: boolean }> {
  if (documents === undefined) throw new TypeError("The engine takes no documents");
  const { clock } = context.org.engines;
  const until = recognitionDeadline(context);
  const frames = views.map(({ frame }) => frame);
  const deadline = Math.max(until, Math.min(clock.now() + LAST_POLL_MS, context.deadline));
  try {
    const progress = await documents.poll(id, frames, { deadline }, cursor);
    return { progress, isLast: progress.status === "done" || clock.now() >= until };
  } catch (error) {
    if (!isCutOff(context, until)) throw error;
    return { progress: { status: "running" }, isLast: true };
  }
}

/** The end of a round, from the pages of all its polls. */
function endOf(
  { level, views, late, earlier }: RecognitionTicket,
  polled: readonly OcrPage[],
  progress: OcrProgress,
  use: Omit<OcrUse, "pages"> | undefined,
): RoundEnd {
  const numbers = (pictures: readonly number[]): number[] => [
    ...new Set(pictures.flatMap((picture) => views[picture - 1]?.pageNumber ?? [])),
  ];
  const end = { level, earlier, pages: documentPages(polled, views) };
  if (progress.status === "done") return { ...end, failed: numbers(progress.unread), late, use: progress.use };
  const read = new Set(polled.map(({ page }) => page.number));
  const cut = numbers(
    views
      .keys()
      .map((index) => index + 1)
      .filter((picture) => !read.has(picture))
      .toArray(),
  );
  // A long page of which a strip is missing is not read.
  const pages = end.pages.filter(({ page }) => !cut.includes(page.number));
  const ownUse = use === undefined ? {} : { use: { ...use, pages: polled.length } };
  return { ...end, pages, late: [...late, ...cut].sort((a, b) => a - b), ...ownUse };
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
  const { org } = context;
  const { level, looks, cursor } = waiting;
  const ticket = await loadFile<RecognitionTicket>(context, level, "ticket.json");
  const { views } = ticket;
  const { progress, isLast } = await pollOnce(context, engine, ticket, cursor);
  if (progress.status === "running" && !isLast) return waiting;
  let polls = looks;
  if (progress.status !== "running") {
    await org.blobs.put(keyOf(context, level, `look-${looks}.json`), encodeJson(progress.pages), JSON_TYPE);
    polls += 1;
  }
  const use = (progress.status === "reading" ? progress.use : undefined) ?? waiting.use;
  if (progress.status === "reading" && !isLast) {
    const done = new Set(views.slice(0, progress.pages.at(-1)?.page.number ?? 0).map(({ pageNumber }) => pageNumber));
    const all = new Set(views.map(({ pageNumber }) => pageNumber));
    await noteProgress(context, "recognize", all.size)(done.size);
    return { waiting: true, level, looks: polls, cursor: progress.cursor, ...(use === undefined ? {} : { use }) };
  }

  const source = await loadSource();
  const end = endOf(ticket, await loadPolledPages(context, level, polls), progress, use);
  const draft = { ...(await loadDraft(context, level)), wordCount: ticket.wordCount };
  const recognised = await finish(context, engine, source, draft, end);
  const { reading, uses, unread } = recognised;
  if (reading.pending.length === 0 || level === "PREMIUM") return recognised;
  const second = ocrOf(org.engines, "PREMIUM");
  // The first reading stays where quota or budget have no pages for a second one.
  if (second === null || !(await mayChargeRound(context, reading.pending.length, "PREMIUM"))) return recognised;
  if (second.documents === undefined) {
    const again = await recognizePending(context, second, { ...source, ocr: "PREMIUM" }, reading);
    return { reading: again.reading, uses: [...uses, ...again.uses], ...(unread === undefined ? {} : { unread }) };
  }
  return startRecognition(context, second, source, reading, { level: "PREMIUM", earlier: { uses, first: { unread } } });
}
