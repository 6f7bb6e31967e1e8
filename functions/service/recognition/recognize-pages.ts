/**
 * Recognition of a document's pages within a step: pictures are sent to an engine, several concurrently. Each
 * recognised page is stored at once, so that a repeated step recognises no page twice.
 */

import { figuresOn } from "../../engine/imaging/figure-regions/figures-on-page.ts";
import { joinStrips, type RecognisedStrip } from "../../engine/ocr/join-strips.ts";
import { completeTask } from "../../engine/tasks/complete.ts";
import { pictureTask } from "../../engine/tasks/picture.ts";
import type { Reading } from "../../engine/tasks/reading-shapes.ts";
import { AppError, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrEngine, OcrLevel, OcrMode, OcrPage, OcrUse, OcrView } from "../../ports/ocr.ts";
import { chargePages, mayCharge } from "../organizations/page-quota.ts";
import { artifactKey } from "../runs/job-records.ts";
import { noteProgress } from "../runs/progress-notes.ts";
import type { StepRun } from "../runs/run-step.ts";

export interface RecognitionSource {
  bytes: Uint8Array;
  mimeType: string;
  ocr: OcrMode;
  /** Do not fail on documents without text. */
  mayBeEmpty: boolean;
}

/** Most pages recognised within the step; more pages asynchronously, where the engine can. */
const MAX_IMMEDIATE_PAGES = 1;
/** Pages after which the pace is checked. */
const MIN_PACE_PAGES = 8;
/**
 * Tolerance of the pace check, as pages differ: half as many pages at the start, decreasing with the remaining time.
 */
const PACE_TOLERANCE = 0.5;

export const ocrLevelOf = (ocr: OcrMode): OcrLevel => (ocr === "LOW" || ocr === "PREMIUM" ? ocr : "DEFAULT");

/** True when the pages are to be recognised asynchronously. */
export const isAsyncRecognition = (engine: OcrEngine, pages: readonly number[]): boolean =>
  engine.documents !== undefined && pages.length > MAX_IMMEDIATE_PAGES;

/** Names the charge of a run's pages at a level. */
export const chargeToken = ({ job, run }: StepRun, level: OcrLevel): string => `pages/${job.guid}/${run.run}/${level}`;

interface StoredPage {
  page: OcrPage;
  use: OcrUse;
}

const keyOf = ({ job, run }: StepRun, level: OcrLevel, page: number): string =>
  artifactKey(job.guid, run.run, `ocr/${level.toLowerCase()}/${page}.json`);

/** Adds barcodes and figures of the page's picture. */
export function withViewFindings(page: OcrPage, { barcodes, ink }: OcrView): OcrPage {
  const withBarcodes = barcodes === undefined ? page : { ...page, barcodes };
  return { ...withBarcodes, figures: figuresOn(withBarcodes, ink) };
}

/** Joins the recognised strips of a page. @throws TypeError for no pictures */
function joinAnswers(answers: readonly StoredPage[], strips: readonly RecognisedStrip[]): StoredPage {
  const [first] = answers;
  if (first === undefined) throw new TypeError("A page has at least one picture");
  if (strips.length === 0) return first;
  const pages = answers.reduce((sum, { use }) => sum + use.pages, 0);
  return { page: joinStrips(strips), use: { ...first.use, pages } };
}

async function recognizePage(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  pageNumber: number,
  level: OcrLevel,
): Promise<StoredPage> {
  const { org, deadline } = context;
  const key = keyOf(context, level, pageNumber);
  const stored = await org.blobs.get(key);
  if (stored !== undefined) return parseJsonBytes<StoredPage>(stored);
  const { maxImageBytes: maxBytes, maxSide } = engine;
  const options = { mimeType: source.mimeType, pageNumber, level, maxBytes, maxSide };
  const strips: RecognisedStrip[] = [];
  const answers: StoredPage[] = [];
  // The first picture gives the number of strips.
  for (let [strip, count] = [0, 1]; strip < count; strip += 1) {
    const image = await org.engines.documents.run(
      pictureTask,
      { bytes: source.bytes, options: { ...options, strip } },
      { deadline },
    );
    const { page, use } = await engine.recognize(image, level, { deadline });
    const answer = { page: withViewFindings(page, image), use };
    answers.push(answer);
    if (image.strip === undefined) break;
    count = image.strip.count;
    strips.push({ page: answer.page, strip: image.strip });
  }
  const answer = joinAnswers(answers, strips);
  await org.blobs.put(key, encodeJson(answer), { contentType: "application/json" });
  return answer;
}

/** @throws JobFailure when the pages cannot be recognised before the deadline at the current pace */
function checkPace(context: StepRun, startedAt: number, done: number, total: number): void {
  if (done < MIN_PACE_PAGES || done === total) return;
  const now = context.org.engines.clock.now();
  const [spent, all] = [now - startedAt, context.deadline - startedAt];
  const fit = Math.floor((all * done) / spent);
  if (total <= fit * (1 + PACE_TOLERANCE * (1 - spent / all))) return;
  throw new JobFailure(
    `Processing failed: Text recognition of ${total} pages takes longer than ${context.org.config.jobTimeoutSeconds} seconds; choose about ${fit} pages by pageRange`,
  );
}

/**
 * Recognises pages within the step.
 * @param until milliseconds since 1970, after which no further page begins; absent: all pages, or the run fails
 * @throws JobFailure, AppError (retryable)
 */
async function recognizePages(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  { numbers, level, until }: { numbers: readonly number[]; level: OcrLevel; until?: number },
): Promise<StoredPage[]> {
  const pages: StoredPage[] = [];
  const queue = [...numbers];
  const { clock } = context.org.engines;
  const startedAt = clock.now();
  const progress = noteProgress(context, "recognize", numbers.length);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (until !== undefined && clock.now() >= until) return;
      pages.push(await recognizePage(context, engine, source, next, level));
      if (until === undefined) checkPace(context, startedAt, pages.length, numbers.length);
      await progress(pages.length);
    }
  };
  const workers = Array.from({ length: Math.min(engine.parallel, numbers.length) }, worker);
  try {
    await Promise.all(workers);
  } catch (error) {
    queue.length = 0;
    await Promise.allSettled(workers);
    throw error;
  }
  return pages.sort((a, b) => a.page.page.number - b.page.page.number);
}

/** A reading after recognition, with the provider usage. */
export interface Recognised {
  reading: Reading;
  uses: OcrUse[];
}

/** Merges recognised pages into a reading. @throws JobFailure */
export async function completeReading(
  { org, deadline }: StepRun,
  reading: Pick<Reading, "layout" | "quality">,
  found: { pages: OcrPage[]; unread: number[]; unseen?: number[] },
  engine: OcrEngine,
  { level, source }: { level: OcrLevel; source: RecognitionSource },
): Promise<Reading> {
  const { ocr, mayBeEmpty } = source;
  const recognised = { ...found, engine: engine.name, level, ocr, mayBeEmpty };
  return org.engines.documents.run(completeTask, { reading, recognised }, { deadline });
}

/** Deadline of optional pages: half of the remaining time is left for later steps. */
function optionalPagesDeadline({ org, deadline }: StepRun): number {
  const now = org.engines.clock.now();
  return now + (deadline - now) / 2;
}

/**
 * Recognises the pending pages of a reading within the step; pages of poor quality again at PREMIUM where the mode
 * requires it.
 */
export async function recognizePending(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  first: Reading,
): Promise<Recognised> {
  const uses: OcrUse[] = [];
  let reading = first;
  let level = ocrLevelOf(source.ocr);
  await chargePages(context.org, reading.pending.length, chargeToken(context, level));
  while (reading.pending.length > 0) {
    const spare = reading.spare ?? [];
    const numbers = reading.pending.filter((page) => !spare.includes(page));
    const recognised = await recognizePages(context, engine, source, { numbers, level });
    const until = optionalPagesDeadline(context);
    if (spare.length > 0)
      recognised.push(...(await recognizePages(context, engine, source, { numbers: spare, level, until })));
    uses.push(...recognised.map(({ use }) => use));
    const pages = recognised.map(({ page }) => page);
    const recognisedNumbers = new Set(pages.map(({ page }) => page.number));
    const found = { pages, unread: [], unseen: spare.filter((page) => !recognisedNumbers.has(page)) };
    reading = await completeReading(context, reading, found, engine, { level, source });
    if (level === "PREMIUM") break;
    level = "PREMIUM";
    // The first reading stays where the quota has no pages for a second one.
    if (!(await mayCharge(context.org, reading.pending.length, chargeToken(context, level)))) break;
  }
  return { reading, uses };
}

/** True for an error of an unavailable engine. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "ServiceUnavailable";
