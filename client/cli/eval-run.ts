/** Sends the documents of a golden set through the service, some at a time. */
import { join } from "node:path";
import { judge } from "../eval/judge.ts";
import type { Evaluated, Report, WorstFault } from "../eval/report.ts";
import {
  type Json,
  type SheafClient,
  SheafError,
  SheafUnreachable,
  SheafWaitTimeout,
  type SourceLocations,
} from "../index.ts";
import { type ConnectionArguments, waitCommand } from "./connection.ts";
import { checkDocuments, readDocument } from "./document.ts";
import type { GoldenDocument, GoldenSet } from "./eval-set.ts";
import type { Io } from "./io.ts";
import { isLarge, sendLarge } from "./large.ts";
import { shortfallOf } from "./outcome.ts";
import { startWork } from "./start-work.ts";

export interface EvaluationOptions {
  /** The most documents at a time. */
  concurrency: number;
  /** For each document. */
  timeout: number;
  /** Deletes the jobs at the end. */
  delete: boolean;
}

/** True for an error of this document; all other errors (no key, no tokens, no service) concern all documents. */
function concernsDocument(error: unknown): error is SheafError {
  if (!(error instanceof SheafError) || error instanceof SheafUnreachable) return false;
  return error.status >= 400 && error.status < 500 && ![401, 402, 403, 429].includes(error.status);
}

/** The common settings of a run's documents. */
interface Evaluation {
  args: EvaluationOptions & ConnectionArguments;
  /** Aborts calls that start a job, later than `Io.signal`, so that they tell its GUID. */
  begin: AbortSignal;
  /** Documents' names by the GUIDs of their jobs, from the start of a job to its end. */
  underWay: Map<string, string>;
}

/** A job's data and their source locations. */
interface DocumentOutcome extends Pick<Evaluated, "guid" | "status" | "error" | "engine" | "confidence" | "sources"> {
  /** Undefined when the job has no data. */
  data: Json | undefined;
}

const failedOutcome = (status: Evaluated["status"], error: string, guid: string | null = null): DocumentOutcome => ({
  guid,
  status,
  error,
  engine: null,
  confidence: null,
  sources: null,
  data: undefined,
});

/** @returns undefined for a 404: the run has no such result */
async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SheafError && error.status === 404) return undefined;
    throw error;
  }
}

async function process(
  io: Io,
  client: SheafClient,
  { command }: GoldenSet,
  { name, file, schema }: GoldenDocument,
  { args, begin, underWay }: Evaluation,
): Promise<DocumentOutcome> {
  const { signal } = io;
  const document = await readDocument(io, file, command.mimeType);
  const { bytes, fileName, mimeType } = document;
  const metadata = { ...command, ...(schema === undefined ? {} : { schema }) };
  let guid: string;
  try {
    const sent = { fileName, mimeType, signal: begin };
    ({ guid } = await (isLarge(document)
      ? sendLarge(io, client, args, { bytes, ...sent }, (large) => client.process(large, metadata, { signal: begin }))
      : client.uploadFiles(bytes, { ...sent, metadata })));
  } catch (error) {
    if (concernsDocument(error)) return failedOutcome("REFUSED", error.message);
    throw error;
  }
  underWay.set(guid, name);
  try {
    const job = await client.wait(guid, { timeoutSeconds: args.timeout, signal });
    underWay.delete(guid);
    const { status, engine = null, confidence = null } = job;
    const error = status === "PARTIAL" ? shortfallOf(job) : job.error;
    const result = await undefinedIfMissing(client.resultJson(guid, { signal }));
    const sources: SourceLocations | undefined = await undefinedIfMissing(client.sourceLocations(guid, { signal }));
    return { guid, status, error, engine, confidence, sources: sources ?? null, data: result?.json };
  } catch (error) {
    if (error instanceof SheafWaitTimeout) return failedOutcome("TIMEOUT", error.message, guid);
    throw error;
  }
}

async function evaluate(io: Io, client: SheafClient, set: GoldenSet, document: GoldenDocument, evaluation: Evaluation) {
  const begun = performance.now();
  const { data, ...outcome } = await process(io, client, set, document, evaluation);
  const seconds = Math.round(performance.now() - begun) / 1000;
  const { name, group, expected } = document;
  return { name, group, ...outcome, seconds, judgements: judge(expected, data, set.rules) };
}

/** Prints a line for each finished document. */
function printProgress(
  io: Io,
  { name, status, error, seconds, judgements }: Evaluated,
  done: number,
  of: number,
): void {
  const right = judgements.filter(({ verdict }) => verdict === "right").length;
  const stated = judgements.filter(({ verdict }) => verdict !== "spurious" && verdict !== "absent").length;
  const why = error === null ? "" : `, ${error}`;
  io.stderr.write(
    `${done}/${of} ${name}: ${status}${why}, ${seconds.toFixed(1)} s, ${right} of ${stated} values right\n`,
  );
}

/**
 * Evaluates every document of a set.
 * @throws SheafError for an error that concerns all documents; Interrupted
 */
export async function evaluateSet(
  io: Io,
  client: SheafClient,
  set: GoldenSet,
  args: EvaluationOptions & ConnectionArguments,
): Promise<Evaluated[]> {
  const { documents } = set;
  await checkDocuments(
    io,
    documents.map(({ file }) => file),
  );
  const evaluated: Evaluated[] = [];
  const waiting = documents.entries();
  let done = 0;
  // The end of one document ends all: nobody waits for the other results any more.
  const failure = new AbortController();
  const ended = { ...io, signal: AbortSignal.any([io.signal, failure.signal]) };
  const underWay = new Map<string, string>();
  const work = async (begin: AbortSignal): Promise<void> => {
    for (const [at, document] of waiting) {
      ended.signal.throwIfAborted();
      const one = await evaluate(ended, client, set, document, { args, begin, underWay });
      evaluated[at] = one;
      done += 1;
      printProgress(io, one, done, documents.length);
    }
  };
  const outcomes = await startWork(io, "GET /job/list", (begin) => {
    const workers = Array.from({ length: Math.min(args.concurrency, documents.length) }, () =>
      work(begin).catch((error: unknown) => {
        failure.abort(error);
        throw error;
      }),
    );
    // All, not the first failure: the others still tell their GUIDs.
    return Promise.allSettled(workers);
  });
  if (outcomes.every(({ status }) => status === "fulfilled")) return evaluated;
  io.stderr.write(`${done} of ${documents.length} documents were evaluated; there is no report\n`);
  for (const [guid, name] of underWay) io.stderr.write(`  ${name} goes on: ${waitCommand(args, guid)}\n`);
  throw failure.signal.reason;
}

/** Deletes the jobs of an evaluation. A job that cannot be deleted now is removed later by retention. */
export async function deleteJobs(io: Io, client: SheafClient, evaluated: readonly Evaluated[]): Promise<void> {
  for (const { guid, name } of evaluated) {
    if (guid === null) continue;
    await client.deleteJob(guid, { signal: io.signal }).catch((error: unknown) => {
      if (!(error instanceof SheafError)) throw error;
      io.stderr.write(`warning: the job of ${name} could not be deleted: ${error.message}\n`);
    });
  }
}

/** Saves the pages of the worst values, one file each, with boxes around the misread values. */
export async function savePictures(io: Io, client: SheafClient, report: Report, folder: string): Promise<void> {
  const guids = new Map(report.documents.map(({ name, guid }) => [name, guid]));
  const placed = report.worst.filter(({ place, gotAt }) => place !== null && gotAt !== null);
  const pages = Map.groupBy(placed, ({ document, place }) => `${document}-page-${place?.pageNumber}`);
  for (const [name, faults] of pages) {
    const [first] = faults;
    const guid = guids.get(first?.document ?? "") ?? null;
    if (guid === null || first === undefined) continue;
    const picture = await pictureOf(client, guid, faults, io.signal);
    if (picture === undefined) io.stderr.write(`warning: there is no picture of ${first.document}\n`);
    else {
      const file = join(folder, `${name}.png`);
      await io.write(file, picture);
      for (const fault of faults) fault.picture = file;
    }
  }
}

/** @returns undefined for a page without a picture: those of Office files */
async function pictureOf(client: SheafClient, guid: string, faults: readonly WorstFault[], signal: AbortSignal) {
  const pointers = faults.flatMap(({ gotAt }) => gotAt ?? []);
  const pageIndex = (faults[0]?.place?.pageNumber ?? 1) - 1;
  try {
    return await client.pageImage(guid, pageIndex, { locations: true, pointers, signal });
  } catch (error) {
    if (concernsDocument(error)) return undefined;
    throw error;
  }
}
