/**
 * Recognition of a document's pages within a run: pictures to an engine, several at once, or the whole document to a
 * service that works in its own time. What came of a page is kept as it comes, so that a step that starts again
 * asks for no page twice.
 */

import { figuresOn } from "../../engine/imaging/figure-regions/figures-on-page.ts";
import { joinStrips, type RecognisedStrip } from "../../engine/ocr/join-strips.ts";
import { completeTask } from "../../engine/tasks/complete.ts";
import { pictureTask } from "../../engine/tasks/picture.ts";
import type { Reading } from "../../engine/tasks/shapes.ts";
import { AppError, JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrEngine, OcrLevel, OcrMode, OcrPage, OcrUse, OcrView } from "../../ports/ocr.ts";
import { artifactKey } from "../runs/job-records.ts";
import { noteProgress } from "../runs/progress-notes.ts";
import type { StepRun } from "../runs/run-step.ts";

export interface Source {
  bytes: Uint8Array;
  mimeType: string;
  ocr: OcrMode;
  /** A document without a word is no failure. */
  mayBeEmpty: boolean;
}

/** A document so short is recognised while the step runs; a longer one, where the engine can, without anybody waiting. */
const SHORT = 1;
/** After so many pages it can be told whether the others will be in time. */
const MEASURED = 8;
/** At the start half as many again may yet be in time, as pages differ; the less time is left, the fewer. */
const SLACK = 0.5;

export const levelOf = (ocr: OcrMode): OcrLevel => (ocr === "LOW" || ocr === "PREMIUM" ? ocr : "DEFAULT");

/** Whether these pages are for the engine's own time. */
export const isAsyncRecognition = (engine: OcrEngine, pages: readonly number[]): boolean =>
  engine.documents !== undefined && pages.length > SHORT;

interface KeptPage {
  page: OcrPage;
  use: OcrUse;
}

const keyOf = ({ job, run }: StepRun, level: OcrLevel, page: number): string =>
  artifactKey(job.guid, run.run, `ocr/${level.toLowerCase()}/${page}.json`);

/** The page with what was seen of it when its picture was made. */
export function withSeen(page: OcrPage, { barcodes, ink }: OcrView): OcrPage {
  const seen = barcodes === undefined ? page : { ...page, barcodes };
  return { ...seen, figures: figuresOn(seen, ink) };
}

/** @throws TypeError when nothing was recognised */
function oneAnswer(answers: readonly KeptPage[], strips: readonly RecognisedStrip[]): KeptPage {
  const [first] = answers;
  if (first === undefined) throw new TypeError("A page has at least one picture");
  if (strips.length === 0) return first;
  const pages = answers.reduce((sum, { use }) => sum + use.pages, 0);
  return { page: joinStrips(strips), use: { ...first.use, pages } };
}

async function recognizePage(
  context: StepRun,
  engine: OcrEngine,
  source: Source,
  pageNumber: number,
  level: OcrLevel,
): Promise<KeptPage> {
  const { org, deadline } = context;
  const key = keyOf(context, level, pageNumber);
  const kept = await org.blobs.get(key);
  if (kept !== undefined) return parseJsonBytes<KeptPage>(kept);
  const { maxImageBytes: maxBytes, maxSide } = engine;
  const options = { mimeType: source.mimeType, pageNumber, level, maxBytes, maxSide };
  const strips: RecognisedStrip[] = [];
  const answers: KeptPage[] = [];
  // The first picture tells how many there are.
  for (let [strip, count] = [0, 1]; strip < count; strip += 1) {
    const image = await org.engines.documents.run(
      pictureTask,
      { bytes: source.bytes, options: { ...options, strip } },
      { deadline },
    );
    const { page, use } = await engine.recognize(image, level, { deadline });
    const answer = { page: withSeen(page, image), use };
    answers.push(answer);
    if (image.strip === undefined) break;
    count = image.strip.count;
    strips.push({ page: answer.page, strip: image.strip });
  }
  const answer = oneAnswer(answers, strips);
  await org.blobs.put(key, encodeJson(answer), { contentType: "application/json" });
  return answer;
}

/** @throws JobFailure once it is clear that the pages will not be done in time */
function checkPace(context: StepRun, startedAt: number, done: number, total: number): void {
  if (done < MEASURED || done === total) return;
  const now = context.org.engines.clock.now();
  const [spent, all] = [now - startedAt, context.deadline - startedAt];
  const fit = Math.floor((all * done) / spent);
  if (total <= fit * (1 + SLACK * (1 - spent / all))) return;
  throw new JobFailure(
    `Processing failed: Text recognition of ${total} pages takes longer than ${context.org.config.jobTimeoutSeconds} seconds; choose about ${fit} pages by pageRange`,
  );
}

/**
 * Recognises pages while the caller waits.
 * @param until milliseconds since 1970, after which no further page is begun; absent: all of them, or the run fails
 * @throws JobFailure, AppError (retryable)
 */
async function recognizePages(
  context: StepRun,
  engine: OcrEngine,
  source: Source,
  { numbers, level, until }: { numbers: readonly number[]; level: OcrLevel; until?: number },
): Promise<KeptPage[]> {
  const pages: KeptPage[] = [];
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

/** A document read and recognised, and what was used for it. */
export interface Recognised {
  reading: Reading;
  uses: OcrUse[];
}

/** Puts recognised pages into a reading. @throws JobFailure */
export async function completeReading(
  { org, deadline }: StepRun,
  reading: Pick<Reading, "layout" | "quality">,
  found: { pages: OcrPage[]; unread: number[]; unseen?: number[] },
  engine: OcrEngine,
  { level, source }: { level: OcrLevel; source: Source },
): Promise<Reading> {
  const { ocr, mayBeEmpty } = source;
  const recognised = { ...found, engine: engine.name, level, ocr, mayBeEmpty };
  return org.engines.documents.run(completeTask, { reading, recognised }, { deadline });
}

/** What comes after the recognition of pages that could do without it has half of the time that is left. */
function middleOf({ org, deadline }: StepRun): number {
  const now = org.engines.clock.now();
  return now + (deadline - now) / 2;
}

/**
 * Recognises the pending pages of a reading while the caller waits, and again with more care those that came out poor
 * where the mode asks for it.
 */
export async function recognizeNow(
  context: StepRun,
  engine: OcrEngine,
  source: Source,
  first: Reading,
): Promise<Recognised> {
  const uses: OcrUse[] = [];
  let reading = first;
  let level = levelOf(source.ocr);
  while (reading.pending.length > 0) {
    const spare = reading.spare ?? [];
    const numbers = reading.pending.filter((page) => !spare.includes(page));
    const kept = await recognizePages(context, engine, source, { numbers, level });
    const until = middleOf(context);
    if (spare.length > 0)
      kept.push(...(await recognizePages(context, engine, source, { numbers: spare, level, until })));
    uses.push(...kept.map(({ use }) => use));
    const pages = kept.map(({ page }) => page);
    const seen = new Set(pages.map(({ page }) => page.number));
    const found = { pages, unread: [], unseen: spare.filter((page) => !seen.has(page)) };
    reading = await completeReading(context, reading, found, engine, { level, source });
    if (level === "PREMIUM") break;
    level = "PREMIUM";
  }
  return { reading, uses };
}

/** Whether a failure is the engine's not being there, which pages with a text layer can do without. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "ServiceUnavailable";
