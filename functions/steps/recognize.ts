import { completeTask } from "../engine/tasks/complete.ts";
import { readTask } from "../engine/tasks/read.ts";
import type { Reading } from "../engine/tasks/reading-shapes.ts";
import { NotFound } from "../ports/errors.ts";
import { PLAIN_TEXT } from "../ports/media-types.ts";
import type { OcrMode, OcrUse } from "../ports/ocr.ts";
import { ocrOf } from "../service/organizations/engines.ts";
import { startRecognition } from "../service/recognition/async-recognition.ts";
import {
  isAsyncRecognition,
  ocrLevelOf,
  type Recognised,
  type RecognitionSource,
  recognizePending,
} from "../service/recognition/recognize-pages.ts";
import type { RunSummary, SourceFile } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import type { ReadingOutput } from "../service/runs/step-outcomes.ts";
import { defineStep } from "./define-step.ts";
import { copyReading, loadSource, storeReading } from "./store-reading.ts";

/** OCR modes ranked by what they provide: a run reuses the layout of a run of the same rank or above. */
const OCR_RANK: Record<OcrMode, number> = { LOW: 0, NONE: 1, EXCEL: 1, DEFAULT: 2, AUTO: 3, PREMIUM: 4 };

/**
 * Reads the document into its layout, or reuses the layout of an earlier run with an equal or higher OCR mode. Pages
 * without reliable text are recognised: within the step, or asynchronously, and then `collect` ends it.
 */
export const recognize = defineStep(async (org, input) =>
  runStep(org, input, "recognize", async (context) => {
    const command = await context.readCommand();
    const extras = requestsExtras(command);
    const earlier =
      findReusableReading(context.job.runs, command, context.run.run) ??
      (await copyDependencyReading(context, command));
    if (earlier !== undefined) return { facts: { ...earlier, extras } };
    const source = await loadSource(context);
    const { mimeType, ocr, pageRange } = command;
    const options = {
      mimeType,
      ocr,
      mayBeEmpty: source.mayBeEmpty,
      ...(pageRange ? { pageRange } : {}),
    };
    const reading = await org.engines.documents.run(
      readTask,
      { bytes: source.bytes, options },
      { deadline: context.deadline, ...knownPages(context.job.source, command) },
    );
    const engine = ocrOf(context.org.engines, ocrLevelOf(source.ocr));
    if (engine !== null && isAsyncRecognition(engine, reading.pending)) {
      const start = { level: ocrLevelOf(source.ocr), earlier: { uses: textLayerUse(reading) } };
      const started = await startRecognition(context, engine, source, reading, start);
      if ("waiting" in started) return { facts: { ...started, extras } };
      const { facts } = await storeReading(context, started);
      return { facts: { ...facts, extras } };
    }
    const { facts } = await storeReading(context, await recognisePending(context, source, reading));
    return { facts: { ...facts, extras } };
  }),
);

/** Bytes of plain text that certainly fit on one page: half of its rows, of ordinary length. */
const TEXT_PAGE_BYTES = 2_000;

/** Pages that a run reads of its document, where they are known before it is read. */
function knownPages({ pageCount, mimeType, size }: SourceFile, { pageRange }: RunCommand): { pages?: number } {
  if (pageRange !== undefined) return { pages: pageRange.length };
  if (pageCount !== undefined && pageCount !== null) return { pages: pageCount };
  return mimeType === PLAIN_TEXT ? { pages: Math.ceil(size / TEXT_PAGE_BYTES) } : {};
}

const requestsExtras = ({ barcodes, figures, acroForm }: RunCommand): boolean =>
  [barcodes, figures, acroForm].includes(true);

/** The reading of text layers, as a use of the service's own machines. */
function textLayerUse({ facts: { provider, pageCount }, pending }: Reading): OcrUse[] {
  const pages = pageCount - pending.length;
  return pages > 0 ? [{ provider, operation: "", features: [], pages }] : [];
}

async function recognisePending(context: StepRun, source: RecognitionSource, reading: Reading): Promise<Recognised> {
  const uses = textLayerUse(reading);
  const { documents } = context.org.engines;
  const engine = ocrOf(context.org.engines, ocrLevelOf(source.ocr));
  if (reading.pending.length === 0) return { reading, uses };
  if (engine === null) {
    const recognised = {
      pages: [],
      engine: "",
      level: ocrLevelOf(source.ocr),
      ocr: source.ocr,
      unread: reading.pending.filter((page) => reading.spare?.includes(page) !== true),
      mayBeEmpty: source.mayBeEmpty,
    };
    return {
      reading: await documents.run(completeTask, { reading, recognised }, { deadline: context.deadline }),
      uses,
    };
  }
  const recognised = await recognizePending(context, engine, source, reading);
  return { ...recognised, uses: [...uses, ...recognised.uses] };
}

/**
 * The layout of an earlier run; only runs over the whole document share one, as a layout holds just its run's pages. A
 * layout that lacks pages is not shared: they are recognised now (recognize-pages.ts).
 */
function findReusableReading(
  runs: readonly RunSummary[],
  command: RunCommand,
  except?: number,
): ReadingOutput | undefined {
  if (command.pageRange !== undefined) return undefined;
  const found = runs.findLast(
    (one) =>
      one.run !== except &&
      one.layoutKey !== undefined &&
      one.wholeDocument === true &&
      one.unreadPages === undefined &&
      one.readAs === command.mimeType &&
      OCR_RANK[one.ocr] >= OCR_RANK[command.ocr],
  );
  const { layoutKey, qualityKey, facts } = found ?? {};
  if (layoutKey === undefined || qualityKey === undefined || facts === undefined) return undefined;
  return { layoutKey, qualityKey, facts, reused: true, uses: [] };
}

/** Copies the reading of the job that this run depended on, when both have the same document. */
async function copyDependencyReading(context: StepRun, command: RunCommand): Promise<ReadingOutput | undefined> {
  const { org, job, run } = context;
  if (run.dependsOn === undefined || run.dependsOn.guid === job.guid || job.source.sha256 === null) return undefined;
  try {
    const { source, runs } = (await loadJob(org, run.dependsOn.guid)).value;
    const reading = source.sha256 === job.source.sha256 ? findReusableReading(runs, command) : undefined;
    return reading && (await copyReading(context, reading));
  } catch (error) {
    // The other job was deleted meanwhile: read the document anew.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
