/** The last part of `process`, `ocr-only`, `wait` and `result`: waits for a job and prints its result. */
import {
  type ProcessingJob,
  type SheafClient,
  SheafError,
  SheafUnreachable,
  SheafWaitTimeout,
  type SourceLocations,
} from "../index.ts";
import { paintFor, withoutControls } from "./colors.ts";
import { type ConnectionArguments, waitCommand } from "./connection.ts";
import { EXIT_CODES, Interrupted, type Io } from "./io.ts";
import { prettyJson } from "./pretty-json.ts";
import { Progress, type ProgressDisplay } from "./progress.ts";
import { report } from "./report.ts";
import { drawResult, entriesOf } from "./result-table.ts";

const NOT_FOUND = 404;

export interface PrintOptions {
  /** Print `{result, sourceLocations}` instead of the result. */
  sourceLocations?: boolean;
  /** Print a text result as a JSON string. */
  json?: boolean;
  /** The files of a batch's documents, in the order of its list. */
  names?: readonly string[];
}

export interface OutcomeOptions extends ConnectionArguments, PrintOptions {
  /** Seconds. */
  timeout: number;
}

/** Waits for a job that ends with a result. @returns the job; the exit code where it has none, or was not waited for */
export async function waitForResult(
  io: Io,
  client: SheafClient,
  guid: string,
  args: Pick<OutcomeOptions, "timeout" | keyof ConnectionArguments>,
  progress: ProgressDisplay = new Progress(io.stderr),
): Promise<ProcessingJob | number> {
  let job: ProcessingJob;
  try {
    job = await client.wait(guid, {
      timeoutSeconds: args.timeout,
      onProgress: (seen) => progress.show(seen),
      signal: io.signal,
    });
  } catch (error) {
    await progress.end();
    return reportLeft(io, error, `The job is not stopped by this; go on waiting with: ${waitCommand(args, guid)}`);
  }
  await progress.end();
  if (job.status !== "FAILED" && job.status !== "CANCELLED") return job;
  io.stderr.write(`Job ${guid} is ${job.status}${job.error === null ? "" : `: ${job.error}`}\n`);
  if (job.hint !== undefined) io.stderr.write(`${job.hint}\n`);
  return EXIT_CODES.failed;
}

/** Waits for a job and prints its result. @returns the exit code */
export async function waitAndPrint(
  io: Io,
  client: SheafClient,
  guid: string,
  args: OutcomeOptions,
  progress?: ProgressDisplay,
): Promise<number> {
  const job = await waitForResult(io, client, guid, args, progress);
  if (typeof job === "number") return job;
  try {
    await printResult(io, client, guid, args);
  } catch (error) {
    return reportLeft(io, error, `The job has ended; print its result with: ${waitCommand(args, guid)}`);
  }
  if (job.status !== "PARTIAL") return EXIT_CODES.success;
  io.stderr.write(`warning: job ${guid} is PARTIAL, its result is incomplete: ${shortfallOf(job)}\n`);
  return EXIT_CODES.partial;
}

/** Reports an error that leaves the job as it is, with the next command. @returns the exit code @throws any other error */
function reportLeft(io: Io, error: unknown, advice: string): number {
  const left = error instanceof Interrupted || error instanceof SheafWaitTimeout || error instanceof SheafUnreachable;
  if (!left) throw error;
  const code = report(io, error);
  io.stderr.write(`${advice}\n`);
  return code;
}

/** One sentence about the shortfall of a PARTIAL job. */
export function shortfallOf({ error, receipt }: ProcessingJob): string {
  if (error !== null) return error;
  if (receipt !== undefined) return `${receipt.returned} of ${receipt.expected} expected entries were returned`;
  return "`sheaf status` shows what is missing";
}

/** Prints a job's result: a table on a terminal, else JSON with indentation; a text as it is. */
export async function printResult(io: Io, client: SheafClient, guid: string, options: PrintOptions): Promise<void> {
  const { signal } = io;
  const asJson = options.json === true || options.sourceLocations === true;
  const result = asJson ? await client.resultJson(guid, { signal }) : await client.result(guid, { signal });
  if (options.sourceLocations === true) {
    const sources = JSON.stringify(await client.sourceLocations(guid, { signal }));
    return printJson(io, `{"result":${result.text},"sourceLocations":${sources}}`);
  }
  if (result.kind === "json") {
    return io.stdout.isTTY
      ? printTables(io, client, guid, { text: result.text, names: options.names })
      : printJson(io, result.text);
  }
  const text = io.stdout.isTTY ? withoutControls(result.text) : result.text;
  await io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** More tables than this at once are read by no one; each asks the service for places. */
const MAX_TABLES = 50;

/** Draws the result of a document, or that of each document of a batch. */
async function printTables(
  io: Io,
  client: SheafClient,
  guid: string,
  { text, names = [] }: { text: string; names?: readonly string[] | undefined },
): Promise<void> {
  const style = { paint: paintFor(io.stdout, io.env), columns: io.stdout.columns };
  const { isBatch } = await client.status(guid, { signal: io.signal });
  const entries = isBatch ? entriesOf(text) : undefined;
  if (entries === undefined) return io.stdout.write(drawResult(text, await placesOf(io, client, guid), style));
  if (entries.length > MAX_TABLES) return printJson(io, text);
  for (const [index, entry] of entries.entries()) {
    const title = withoutControls([`document ${index}`, ...names.slice(index, index + 1)].join(": "));
    await io.stdout.write(`${index === 0 ? "" : "\n"}${style.paint.bold(title)}\n`);
    await io.stdout.write(drawResult(entry, await placesOf(io, client, guid, index), style));
  }
}

/** The places of values; undefined where they were not asked for. */
async function placesOf(
  io: Io,
  client: SheafClient,
  guid: string,
  batchIndex?: number,
): Promise<SourceLocations | undefined> {
  try {
    return await client.sourceLocations(guid, { batchIndex, signal: io.signal });
  } catch (error) {
    // Places are an addition: values are shown without them.
    if (error instanceof SheafError && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Prints JSON text, indented. */
export async function printJson(io: Io, text: string): Promise<void> {
  await io.stdout.write(`${prettyJson(text)}\n`);
}
