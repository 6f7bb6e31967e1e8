/** `sheaf batch`: data out of many documents. */
import { type Command, InvalidArgumentError } from "commander";
import { type SheafClient, SheafError } from "../index.ts";
import { BatchBars } from "./batch-bars.ts";
import { expandFiles } from "./batch-files.ts";
import { connect, waitCommand } from "./connection.ts";
import { checkDocuments, readDocument } from "./document.ts";
import { addExtractionOptions, commandOf, type ExtractionArguments } from "./extraction-options.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { addWaitOptions } from "./options.ts";
import { type OutcomeOptions, printJson, waitAndPrint } from "./outcome.ts";
import { startOrDiscard, startWork } from "./start-work.ts";

export interface BatchArguments extends OutcomeOptions, ExtractionArguments {
  files: string[];
  wait: boolean;
  maxConcurrency?: number;
}

/** The duration depends on the number of documents alone; each has 300 s. */
const BATCH_TIMEOUT_SECONDS = 3600;

/** Statuses that refuse a document for what it is; other refusals would hit the next documents too. */
const DOCUMENT_REFUSALS = [400, 413, 415, 422];

interface RefusedFile {
  /** Its place among the files. */
  at: number;
  file: string;
  message: string;
}

/**
 * Uploads documents as one batch, in order, extracts data and prints the list. A refused file is named and left out.
 * @returns the exit code: `partial` when files were refused and nothing worse happened
 */
async function run(given: Io, args: BatchArguments): Promise<number> {
  const client = connect(given, args);
  const { maxConcurrency } = args;
  // Each document has its own type.
  const { mimeType: _, ...command } = await commandOf(given, args);
  const files = await expandFiles(given, args.files);
  await checkDocuments(given, files);
  const bars = BatchBars.for(given, files);
  const io = bars === undefined ? given : { ...given, stderr: bars.stderr };
  const start = (signal: AbortSignal) => client.createBatch({ maxConcurrency }, { signal });
  const { guid } = await startWork(io, "GET /job/list", start);
  const refused = await startOrDiscard(io, client, guid, args, async () => {
    const left = await uploadAll(io, client, guid, { files, mimeType: args.mimeType, bars });
    if (left.length === files.length) return left;
    // Repeated: options given here win over the configuration.
    await startWork(io, `GET /job/status/${guid}`, (signal) =>
      client.processBatch(guid, { ...command, maxConcurrency }, { signal }),
    );
    return left;
  }).catch(async (error) => {
    await bars?.end();
    throw error;
  });
  if (refused.length === files.length) {
    await bars?.end();
    await client.deleteJob(guid, { signal: io.signal });
    io.stderr.write(
      `error: ${files.length === 1 ? "The file was" : `All ${files.length} files were`} refused, no batch was started\n`,
    );
    return EXIT_CODES.failed;
  }
  io.stderr.write(`batch ${guid}: ${files.length - refused.length} documents\n`);
  try {
    const names = files.filter((_, at) => refused.every((one) => one.at !== at));
    const code = await finish(io, client, guid, { ...args, names, bars });
    return code === EXIT_CODES.success && refused.length > 0 ? EXIT_CODES.partial : code;
  } finally {
    printRefused(io, refused, files.length);
  }
}

function printRefused(io: Io, refused: readonly RefusedFile[], total: number): void {
  if (refused.length === 0) return;
  const verbs = refused.length === 1 ? ["was", "is"] : ["were", "are"];
  io.stderr.write(
    `warning: ${refused.length} of ${total} files ${verbs[0]} refused and ${verbs[1]} not in the list:\n`,
  );
  for (const { file, message } of refused) io.stderr.write(`  ${file}: ${message}\n`);
}

/** Uploads the files one after another, so that the list keeps their order. @returns the refused ones */
async function uploadAll(
  io: Io,
  client: SheafClient,
  guid: string,
  given: { files: readonly string[]; mimeType: string | undefined; bars: BatchBars | undefined },
): Promise<RefusedFile[]> {
  const { files, bars } = given;
  const refused: RefusedFile[] = [];
  for (const [at, file] of files.entries()) {
    bars?.set(at, "uploading");
    try {
      const { bytes, fileName, mimeType } = await readDocument(io, file, given.mimeType);
      const { index } = await client.uploadToBatch(guid, bytes, { fileName, mimeType, signal: io.signal });
      bars?.uploaded(at, index);
      if (bars === undefined) {
        io.stderr.write(`document ${index}: ${fileName ?? "standard input"}, ${bytes.length} bytes, ${mimeType}\n`);
      }
    } catch (error) {
      // A file may vanish or grow after its check.
      const concernsFile =
        error instanceof UsageError || (error instanceof SheafError && DOCUMENT_REFUSALS.includes(error.status));
      if (!concernsFile) {
        io.stderr.write(`Stopped at ${file}\n`);
        throw error;
      }
      refused.push({ at, file, message: error.message });
      bars?.set(at, "refused");
      io.stderr.write(`refused: ${file}: ${error.message}\n`);
    }
  }
  return refused;
}

/** Waits for a started batch and prints its list, or prints its GUID at once. @returns the exit code */
async function finish(
  io: Io,
  client: SheafClient,
  guid: string,
  { bars, ...args }: BatchArguments & { bars: BatchBars | undefined },
): Promise<number> {
  if (args.wait) return waitAndPrint(io, client, guid, args, bars?.waitingFor(client, guid, io.signal));
  await bars?.end();
  await printJson(io, JSON.stringify({ guid, status: "PENDING" }));
  io.stderr.write(`Wait for it with: ${waitCommand(args, guid)}\n`);
  // The batch was started all the same; a script still learns of Ctrl-C.
  io.signal.throwIfAborted();
  return EXIT_CODES.success;
}

/** @throws InvalidArgumentError */
function parseConcurrency(value: string): number {
  const number = Number(value);
  if (!/^\d{1,3}$/.test(value) || number < 1 || number > 100) throw new InvalidArgumentError("It is from 1 to 100.");
  return number;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("batch")
    .description("upload documents as one batch, extract data from each and print the list, in the order of the files")
    .argument("<files...>", "the documents: files, folders, or quoted patterns such as 'scans/**/*.pdf'");
  addWaitOptions(addExtractionOptions(command), "the list", { seconds: BATCH_TIMEOUT_SECONDS })
    .option("--max-concurrency <number>", "documents that are worked on at once (default: 5)", parseConcurrency)
    .action((files: string[]) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<BatchArguments, "files">>(), files })),
    );
}
