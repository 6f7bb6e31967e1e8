import { completeTask } from "../engine/tasks/complete.ts";
import { readTask } from "../engine/tasks/read.ts";
import type { Reading } from "../engine/tasks/shapes.ts";
import { NotFound } from "../ports/errors.ts";
import type { OcrMode, OcrUse } from "../ports/ocr.ts";
import { startRecognition } from "../service/recognition/async-recognition.ts";
import {
  isAsyncRecognition,
  levelOf,
  type Recognised,
  recognizeNow,
  type Source,
} from "../service/recognition/recognize-pages.ts";
import type { RunSummary } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import type { ReadingOutput } from "../service/runs/step-outcomes.ts";
import { copyReading, keepReading, loadSource } from "./reading.ts";
import { defineStep } from "./step.ts";

/** The OCR options in the order of what they give: a run reuses the layout of one that asked for as much or more. */
const OCR_RANK: Record<OcrMode, number> = { LOW: 0, NONE: 1, EXCEL: 1, DEFAULT: 2, AUTO: 3, PREMIUM: 4 };

/**
 * Reads the document into its layout, or takes the layout of an earlier run that asked for no less. Pages without text
 * that can be trusted are recognised: while it runs, or elsewhere, and then `collect` ends it.
 */
export const recognize = defineStep(async (org, input) =>
  runStep(org, input, "recognize", async (context) => {
    const command = await context.readCommand();
    const extras = asksForExtras(command);
    const earlier = reusable(context.job.runs, command, context.run.run) ?? (await borrowed(context, command));
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
      { deadline: context.deadline },
    );
    const engine = org.engines.ocr;
    if (engine !== null && isAsyncRecognition(engine, reading.pending)) {
      const start = { level: levelOf(source.ocr), uses: ownUse(reading) };
      return { facts: { ...(await startRecognition(context, engine, source, reading, start)), extras } };
    }
    const { facts } = await keepReading(context, await recognise(context, source, reading));
    return { facts: { ...facts, extras } };
  }),
);

const asksForExtras = ({ barcodes, figures, acroForm }: RunCommand): boolean =>
  [barcodes, figures, acroForm].includes(true);

/** Reading a text layer is a use of our own machines. */
function ownUse({ facts: { provider, pageCount }, pending }: Reading): OcrUse[] {
  const pages = pageCount - pending.length;
  return pages > 0 ? [{ provider, operation: "", features: [], pages }] : [];
}

async function recognise(context: StepRun, source: Source, reading: Reading): Promise<Recognised> {
  const uses = ownUse(reading);
  const { ocr: engine, documents } = context.org.engines;
  if (reading.pending.length === 0) return { reading, uses };
  if (engine === null) {
    const nothing = {
      pages: [],
      engine: "",
      level: levelOf(source.ocr),
      ocr: source.ocr,
      unread: reading.pending.filter((page) => reading.spare?.includes(page) !== true),
      mayBeEmpty: source.mayBeEmpty,
    };
    return {
      reading: await documents.run(completeTask, { reading, recognised: nothing }, { deadline: context.deadline }),
      uses,
    };
  }
  const recognised = await recognizeNow(context, engine, source, reading);
  return { reading: recognised.reading, uses: [...uses, ...recognised.uses] };
}

/** A layout holds the pages that its run asked for, so only runs over the whole document share one. */
function reusable(runs: readonly RunSummary[], command: RunCommand, except?: number): ReadingOutput | undefined {
  if (command.pageRange !== undefined) return undefined;
  const found = runs.findLast(
    (one) =>
      one.run !== except &&
      one.layoutKey !== undefined &&
      one.wholeDocument === true &&
      one.readAs === command.mimeType &&
      OCR_RANK[one.ocr] >= OCR_RANK[command.ocr],
  );
  const { layoutKey, qualityKey, facts } = found ?? {};
  if (layoutKey === undefined || qualityKey === undefined || facts === undefined) return undefined;
  return { layoutKey, qualityKey, facts, reused: true, uses: [] };
}

/** A copy of what was read of the job that this run waited for, when that is the same document. */
async function borrowed(context: StepRun, command: RunCommand): Promise<ReadingOutput | undefined> {
  const { org, job, run } = context;
  if (run.dependsOn === undefined || run.dependsOn.guid === job.guid || job.source.sha256 === null) return undefined;
  try {
    const { source, runs } = (await loadJob(org, run.dependsOn.guid)).value;
    const reading = source.sha256 === job.source.sha256 ? reusable(runs, command) : undefined;
    return reading && (await copyReading(context, reading));
  } catch (error) {
    // Deleted meanwhile: the document is read as if nobody had before.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
