import { type Command, InvalidArgumentError, Option } from "commander";
import { type OcrMode, type SheafClient, SheafError } from "../index.ts";
import { connect, waitCommand } from "./connection.ts";
import { checkDocuments, readDocument, readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { OCR_CHOICES, parseMimeType, parseOcrMode, parseSeconds } from "./options.ts";
import { type OutcomeOptions, printJson, waitAndPrint } from "./outcome.ts";
import { type PasswordArguments, passwordOf, passwordOption } from "./password.ts";
import { pipelineOf, pipelineOption, schemaOf } from "./process.ts";
import { startOrDiscard, startWork } from "./start-work.ts";

export interface BatchArguments extends OutcomeOptions, PasswordArguments {
  files: string[];
  wait: boolean;
  maxConcurrency?: number;
  prompt?: string;
  promptFile?: string;
  schema?: string;
  schemaFile?: string;
  mimeType?: string;
  ocr?: OcrMode;
  configuration?: string;
  pipeline?: string;
}

/** The duration depends on the number of documents alone; each has 300 s. */
const BATCH_TIMEOUT_SECONDS = 3600;

/** Statuses that refuse a document for what it is; other refusals would hit the next documents too. */
const DOCUMENT_REFUSALS = [400, 413, 415, 422];

interface RefusedFile {
  file: string;
  message: string;
}

/**
 * Uploads documents as one batch, in order, extracts data and prints the list. A refused file is named and left out.
 * @returns the exit code: `partial` when files were refused and nothing worse happened
 */
export async function run(io: Io, args: BatchArguments): Promise<number> {
  const client = connect(io, args);
  const { maxConcurrency, prompt: givenPrompt, promptFile, files, ocr, configuration } = args;
  const schema = await schemaOf(io, args);
  const prompt = promptFile === undefined ? givenPrompt : await readText(io, promptFile);
  const pipeline = await pipelineOf(io, args);
  const password = await passwordOf(io, args);
  await checkDocuments(io, files);
  const start = (signal: AbortSignal) => client.createBatch({ maxConcurrency }, { signal });
  const { guid } = await startWork(io, "GET /job/list", start);
  const refused = await startOrDiscard(io, client, guid, args, async () => {
    const left = await uploadAll(io, client, guid, args);
    if (left.length === files.length) return left;
    // Repeated: options given here win over the configuration.
    const command = { prompt, schema, ocr, configuration, pipeline, password, maxConcurrency };
    await startWork(io, `GET /job/status/${guid}`, (signal) => client.processBatch(guid, command, { signal }));
    return left;
  });
  if (refused.length === files.length) {
    await client.deleteJob(guid, { signal: io.signal });
    io.stderr.write(
      `error: ${files.length === 1 ? "The file was" : `All ${files.length} files were`} refused, no batch was started\n`,
    );
    return EXIT_CODES.failed;
  }
  io.stderr.write(`batch ${guid}: ${files.length - refused.length} documents\n`);
  try {
    const code = await finish(io, client, guid, args);
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
async function uploadAll(io: Io, client: SheafClient, guid: string, args: BatchArguments): Promise<RefusedFile[]> {
  const refused: RefusedFile[] = [];
  for (const file of args.files) {
    try {
      const { bytes, fileName, mimeType } = await readDocument(io, file, args.mimeType);
      const { index } = await client.uploadToBatch(guid, bytes, { fileName, mimeType, signal: io.signal });
      io.stderr.write(`document ${index}: ${fileName ?? "standard input"}, ${bytes.length} bytes, ${mimeType}\n`);
    } catch (error) {
      // A file may vanish or grow after its check.
      const concernsFile =
        error instanceof UsageError || (error instanceof SheafError && DOCUMENT_REFUSALS.includes(error.status));
      if (!concernsFile) {
        io.stderr.write(`Stopped at ${file}\n`);
        throw error;
      }
      refused.push({ file, message: error.message });
      io.stderr.write(`refused: ${file}: ${error.message}\n`);
    }
  }
  return refused;
}

/** Waits for a started batch and prints its list, or prints its GUID at once. @returns the exit code */
async function finish(io: Io, client: SheafClient, guid: string, args: BatchArguments): Promise<number> {
  if (args.wait) return waitAndPrint(io, client, guid, args);
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
  program
    .command("batch")
    .description("upload documents as one batch, extract data from each and print the list, in the order of the files")
    .argument("<files...>", "the documents")
    .option("--prompt <text>", "what to extract, in words")
    .addOption(new Option("--prompt-file <path>", "a text file with the prompt").conflicts("prompt"))
    .option("--schema <json>", "JSON Schema of the data of one document")
    .addOption(new Option("--schema-file <path>", "a file with the JSON Schema").conflicts("schema"))
    .option("--mime-type <type>", "the type of every document (default: by its extension)", parseMimeType)
    .option("--ocr <mode>", `how to read them: ${OCR_CHOICES}`, parseOcrMode)
    .option("--configuration <name>", "as a saved configuration says, but for what the options here say")
    .addOption(passwordOption())
    .addOption(pipelineOption())
    .option("--max-concurrency <number>", "documents that are worked on at once (default: 5)", parseConcurrency)
    .option("--wait", "wait for the list", true)
    .option("--no-wait", "print {guid, status} at once")
    .option("--timeout <seconds>", "longest wait", parseSeconds, BATCH_TIMEOUT_SECONDS)
    .action((files: string[], _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<BatchArguments, "files">>(), files })),
    );
}
