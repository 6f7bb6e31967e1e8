/**
 * Recognition of a document's pages within a step: pictures are sent to an engine, several concurrently. Each
 * recognised page is stored at once, so that a repeated step recognises no page twice. Recognition ends early enough
 * for a result of what was read.
 */

import { figuresOn } from "../../engine/imaging/figure-regions/figures-on-page.ts";
import { textInkOf } from "../../engine/imaging/figure-regions/unread-ink.ts";
import { joinStrips, type RecognisedStrip } from "../../engine/ocr/join-strips.ts";
import { completeTask } from "../../engine/tasks/complete.ts";
import { pictureTask } from "../../engine/tasks/picture.ts";
import type { Reading } from "../../engine/tasks/reading-shapes.ts";
import { AppError, JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { OcrEngine, OcrLevel, OcrMode, OcrPage, OcrUse, OcrView } from "../../ports/ocr.ts";
import { ocrOf } from "../organizations/engines.ts";
import { noteProgress } from "../runs/progress-notes.ts";
import type { StepRun } from "../runs/run-step.ts";
import type { UnreadPages } from "../runs/step-outcomes.ts";
import { chargeRound, endRound, mayChargeRound } from "./page-charges.ts";
import { isCutOff, recognitionDeadline, unreadPages } from "./recognition-time.ts";
import { openStoredPages, type StoredPage, type StoredPages } from "./stored-pages.ts";

export interface RecognitionSource {
  bytes: Uint8Array;
  mimeType: string;
  ocr: OcrMode;
  /** Do not fail on documents without text. */
  mayBeEmpty: boolean;
}

/** Most pages recognised within the step; more pages asynchronously, where the engine can. */
const MAX_IMMEDIATE_PAGES = 1;

export const ocrLevelOf = (ocr: OcrMode): OcrLevel => (ocr === "LOW" || ocr === "PREMIUM" ? ocr : "DEFAULT");

/** True when the pages are to be recognised asynchronously. */
export const isAsyncRecognition = (engine: OcrEngine, pages: readonly number[]): boolean =>
  engine.documents !== undefined && pages.length > MAX_IMMEDIATE_PAGES;

/** Adds barcodes, figures and unread ink of the page's picture. */
export function withViewFindings(page: OcrPage, { barcodes, ink }: OcrView): OcrPage {
  const withBarcodes = barcodes === undefined ? page : { ...page, barcodes };
  const found = { ...withBarcodes, figures: figuresOn(withBarcodes, ink) };
  const textInk = textInkOf(found, ink);
  return textInk === undefined ? found : { ...found, textInk };
}

/** Joins the recognised strips of a page. @throws TypeError for no pictures */
function joinAnswers(answers: readonly StoredPage[], strips: readonly RecognisedStrip[]): StoredPage {
  const [first] = answers;
  if (first === undefined) throw new TypeError("A page has at least one picture");
  if (strips.length === 0) return first;
  const pages = answers.reduce((sum, { use }) => sum + use.pages, 0);
  return { page: joinStrips(strips), use: { ...first.use, pages } };
}

/** One round over pages: their level, and the time after which none begins and each is cut off. */
interface Round {
  numbers: readonly number[];
  level: OcrLevel;
  /** Milliseconds since 1970. */
  until: number;
  stored: StoredPages;
}

async function recognizePage(
  { org }: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  pageNumber: number,
  { level, until }: Round,
): Promise<StoredPage> {
  const limits = { deadline: until };
  const { maxImageBytes: maxBytes, maxSide } = engine;
  const options = { mimeType: source.mimeType, pageNumber, level, maxBytes, maxSide };
  const strips: RecognisedStrip[] = [];
  const answers: StoredPage[] = [];
  // The first picture gives the number of strips.
  for (let [strip, count] = [0, 1]; strip < count; strip += 1) {
    const picture = { bytes: source.bytes, options: { ...options, strip } };
    const image = await org.engines.documents.run(pictureTask, picture, limits);
    const { page, use } = await engine.recognize(image, level, limits);
    const answer = { page: withViewFindings(page, image), use };
    answers.push(answer);
    if (image.strip === undefined) break;
    count = image.strip.count;
    strips.push({ page: answer.page, strip: image.strip });
  }
  return joinAnswers(answers, strips);
}

/** @returns undefined for a page that there is no time for */
async function recognizeInTime(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  page: number,
  round: Round,
): Promise<StoredPage | undefined> {
  const { clock } = context.org.engines;
  const known = await round.stored.find(page);
  if (known !== undefined) return known;
  if (clock.now() >= round.until) return undefined;
  try {
    const recognised = await recognizePage(context, engine, source, page, round);
    await round.stored.keep(page, recognised);
    return recognised;
  } catch (error) {
    // Whatever a page that was cut off throws, the pages before it are good.
    if (isCutOff(context, round.until)) return undefined;
    throw error;
  }
}

/**
 * Recognises pages within the step, as many as there is time for.
 * @throws JobFailure, AppError (retryable)
 */
async function recognizePages(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  round: Round,
): Promise<StoredPage[]> {
  const { numbers } = round;
  const pages: StoredPage[] = [];
  const queue = [...numbers];
  const progress = noteProgress(context, "recognize", numbers.length);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const recognised = await recognizeInTime(context, engine, source, next, round);
      if (recognised === undefined) continue;
      pages.push(recognised);
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
  unread?: UnreadPages;
}

/** Pages that a recognition gave, and the numbers of those that it did not. */
export interface FoundPages {
  pages: OcrPage[];
  /** The engine could not read them. */
  unread: number[];
  /** There was no time for them. */
  late?: number[];
  /** There was no time for them, but they have a text layer. */
  unseen?: number[];
  /** There was no time to recognise them again with more care. */
  hurried?: number[];
}

/** A reading to which recognised pages are added, and the words of its text layers. */
export interface DraftReading extends Pick<Reading, "layout" | "quality"> {
  wordCount: number;
}

/**
 * Merges recognised pages into a reading.
 * @throws JobFailure, with the timeout's sentence where there was time for no page of a document without text
 */
export async function completeReading(
  { org, deadline }: StepRun,
  { layout, quality, wordCount }: DraftReading,
  { late = [], ...found }: FoundPages,
  engine: OcrEngine,
  { level, source }: { level: OcrLevel; source: RecognitionSource },
): Promise<Reading> {
  const { ocr, mayBeEmpty } = source;
  if (late.length > 0 && found.pages.length === 0 && wordCount === 0 && !mayBeEmpty)
    throw new JobFailure(timeoutSentence(org.config.jobTimeoutSeconds));
  const recognised = { ...found, late, engine: engine.name, level, ocr, mayBeEmpty: mayBeEmpty || late.length > 0 };
  return org.engines.documents.run(completeTask, { reading: { layout, quality }, recognised }, { deadline });
}

/** Deadline of optional pages: half of the remaining time is left for later steps. */
function optionalPagesDeadline(context: StepRun): number {
  const now = context.org.engines.clock.now();
  return Math.min(now + (context.deadline - now) / 2, recognitionDeadline(context));
}

const without = (pages: readonly number[], others: ReadonlySet<number>): number[] =>
  pages.filter((page) => !others.has(page));

/** Recognises the pending pages of a reading at one level; those with a sufficient text layer last. */
async function recognizeRound(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  { pending, spare = [] }: Reading,
  level: OcrLevel,
) {
  const stored = await openStoredPages(context, level);
  const spared = new Set(spare);
  const round = { numbers: without(pending, spared), level, until: recognitionDeadline(context), stored };
  const recognised = await recognizePages(context, engine, source, round);
  const optional = { ...round, numbers: spare, until: optionalPagesDeadline(context) };
  if (spare.length > 0) recognised.push(...(await recognizePages(context, engine, source, optional)));
  const done = new Set(recognised.map(({ page }) => page.page.number));
  const used = recognised.reduce((sum, { use }) => sum + use.pages, 0);
  await endRound(context, { unread: without(pending, done).length, used }, level);
  return { recognised, late: without(round.numbers, done), unseen: without(spare, done) };
}

/**
 * Recognises the pending pages of a reading within the step, as many as there is time for; pages of poor quality again
 * at PREMIUM where the mode requires it.
 */
export async function recognizePending(
  context: StepRun,
  asked: OcrEngine,
  source: RecognitionSource,
  first: Reading,
): Promise<Recognised> {
  let engine = asked;
  const uses: OcrUse[] = [];
  let unread: UnreadPages | undefined;
  let reading = first;
  let level = ocrLevelOf(source.ocr);
  const { earlier } = await openStoredPages(context, level);
  const unknown = without(reading.pending, earlier).length;
  await chargeRound(context, unknown, level);
  // The engine starts while the first picture is drawn.
  if (unknown > 0) engine.warm?.();
  while (reading.pending.length > 0) {
    const { recognised, late, unseen } = await recognizeRound(context, engine, source, reading, level);
    uses.push(...recognised.map(({ use }) => use).filter(({ pages }) => pages > 0));
    // A second look that there was no time for loses nothing: the first one stays.
    const isFirst = reading === first;
    if (isFirst) unread = unreadPages(context, { late, failed: [] });
    const found = {
      pages: recognised.map(({ page }) => page),
      unread: [],
      unseen,
      ...(isFirst ? { late } : { hurried: late }),
    };
    const draft = { ...reading, wordCount: reading.facts.wordCount };
    reading = await completeReading(context, draft, found, engine, { level, source });
    if (level === "PREMIUM") break;
    level = "PREMIUM";
    const second = ocrOf(context.org.engines, level);
    if (second === null) break;
    engine = second;
    // The first reading stays where quota or budget have no pages for a second one.
    if (!(await mayChargeRound(context, reading.pending.length, level))) break;
  }
  return { reading, uses, ...(unread === undefined ? {} : { unread }) };
}

/** True for an error of an unavailable engine. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "ServiceUnavailable";
