/**
 * Recognition of a document's pages within a run: pictures to an engine, several at once, or the whole document to a
 * service that works in its own time. What came of a page is kept as it comes, so that a step that starts again
 * asks for no page twice.
 */
import { AppError, JobFailure } from "../errors.ts";
import { artifactKey } from "../jobs/model.ts";
import { noteProgress } from "../jobs/progress.ts";
import type { StepRun } from "../jobs/steps.ts";
import type { OcrMode, Reading } from "../ports.ts";
import type { OcrEngine, OcrLevel, OcrPage, OcrUse } from "./ports.ts";
import { joinStrips, type RecognisedStrip } from "./strips.ts";

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

export const levelOf = (ocr: OcrMode): OcrLevel => (ocr === "LOW" || ocr === "PREMIUM" ? ocr : "DEFAULT");

/** Whether these pages are for the engine's own time. */
export const goesElsewhere = (engine: OcrEngine, pages: readonly number[]): boolean =>
  engine.documents !== undefined && pages.length > SHORT;

interface KeptPage {
  page: OcrPage;
  use: OcrUse;
}

const keyOf = ({ job, run }: StepRun, level: OcrLevel, page: number): string =>
  artifactKey(job.guid, run.run, `ocr/${level.toLowerCase()}/${page}.json`);

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
  if (kept !== undefined) return JSON.parse(Buffer.from(kept).toString("utf8")) as KeptPage;
  const { maxImageBytes: maxBytes, maxSide } = engine;
  const options = { mimeType: source.mimeType, pageNumber, level, maxBytes, maxSide };
  const strips: RecognisedStrip[] = [];
  const answers: KeptPage[] = [];
  // The first picture tells how many there are.
  for (let [strip, count] = [0, 1]; strip < count; strip += 1) {
    const image = await org.engines.documents.picture(source.bytes, { ...options, strip }, { deadline });
    const answer = await engine.recognize(image, level, { deadline });
    answers.push(answer);
    if (image.strip === undefined) break;
    count = image.strip.count;
    strips.push({ page: answer.page, strip: image.strip });
  }
  const answer = oneAnswer(answers, strips);
  await org.blobs.put(key, Buffer.from(JSON.stringify(answer)), { contentType: "application/json" });
  return answer;
}

/** @throws JobFailure once it is clear that the pages will not be done in time */
function checkPace(context: StepRun, startedAt: number, done: number, total: number): void {
  if (done < MEASURED || done === total) return;
  const now = context.org.engines.clock.now();
  const perPage = (now - startedAt) / done;
  const fit = Math.floor((context.deadline - startedAt) / perPage);
  // Half as many again may yet be in time: pages differ.
  if (total <= 1.5 * fit) return;
  throw new JobFailure(
    `Processing failed: Text recognition of ${total} pages takes longer than ${context.org.config.jobTimeoutSeconds} seconds; choose about ${fit} pages by pageRange`,
  );
}

/** Recognises pages while the caller waits. @throws JobFailure, AppError (retryable) */
async function recognizePages(
  context: StepRun,
  engine: OcrEngine,
  source: Source,
  numbers: readonly number[],
  level: OcrLevel,
): Promise<KeptPage[]> {
  const pages: KeptPage[] = [];
  const queue = [...numbers];
  const startedAt = context.org.engines.clock.now();
  const progress = noteProgress(context, "recognize", numbers.length);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      pages.push(await recognizePage(context, engine, source, next, level));
      checkPace(context, startedAt, pages.length, numbers.length);
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
  found: { pages: OcrPage[]; unread: number[] },
  engine: OcrEngine,
  { level, source }: { level: OcrLevel; source: Source },
): Promise<Reading> {
  const { ocr, mayBeEmpty } = source;
  const recognised = { ...found, engine: engine.name, level, ocr, mayBeEmpty };
  return org.engines.documents.complete(reading, recognised, { deadline });
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
    const kept = await recognizePages(context, engine, source, reading.pending, level);
    uses.push(...kept.map(({ use }) => use));
    const found = { pages: kept.map(({ page }) => page), unread: [] };
    reading = await completeReading(context, reading, found, engine, { level, source });
    if (level === "PREMIUM") break;
    level = "PREMIUM";
  }
  return { reading, uses };
}

/** Whether a failure is the engine's not being there, which pages with a text layer can do without. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.status === 503;
