import { type Command, InvalidArgumentError, Option } from "commander";
import type { OcrMode } from "../index.ts";
import { connect, waitCommand } from "./connection.ts";
import { readDocument, readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { OCR_CHOICES, parseMimeType, parseOcrMode, parseSeconds } from "./options.ts";
import { type OutcomeOptions, printJson, waitAndPrint } from "./outcome.ts";
import { pipelineOf, pipelineOption, schemaOf } from "./process.ts";

export interface BatchArguments extends OutcomeOptions {
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

/** Uploads documents as one batch, in order, extracts data and prints the list. @returns the exit code */
export async function run(io: Io, args: BatchArguments): Promise<number> {
  const client = connect(io, args);
  const { signal } = io;
  const { maxConcurrency } = args;
  const schema = await schemaOf(io, args);
  const prompt = args.promptFile === undefined ? args.prompt : await readText(io, args.promptFile);
  const pipeline = await pipelineOf(io, args);
  const { guid } = await client.createBatch({ maxConcurrency }, { signal });
  try {
    for (const file of args.files) {
      // One after another, so that the list keeps this order.
      const { bytes, fileName, mimeType } = await readDocument(io, file, args.mimeType);
      const { index } = await client.uploadToBatch(guid, bytes, { fileName, mimeType, signal });
      io.stderr.write(`document ${index}: ${fileName ?? "standard input"}, ${bytes.length} bytes, ${mimeType}\n`);
    }
    const { ocr, configuration } = args;
    // Repeated: options given here win over the configuration.
    await client.processBatch(guid, { prompt, schema, ocr, configuration, pipeline, maxConcurrency }, { signal });
  } catch (error) {
    // Do not leave behind a batch that was not started.
    await client.deleteJob(guid).catch(() => undefined);
    throw error;
  }
  io.stderr.write(`batch ${guid}: ${args.files.length} documents\n`);
  if (args.wait) return waitAndPrint(io, client, guid, args);
  await printJson(io, JSON.stringify({ guid, status: "PENDING" }));
  io.stderr.write(`Wait for it with: ${waitCommand(args, guid)}\n`);
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
    .addOption(pipelineOption())
    .option("--max-concurrency <number>", "documents that are worked on at once (default: 5)", parseConcurrency)
    .option("--wait", "wait for the list", true)
    .option("--no-wait", "print {guid, status} at once")
    .option("--timeout <seconds>", "longest wait", parseSeconds, BATCH_TIMEOUT_SECONDS)
    .action((files: string[], _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<BatchArguments, "files">>(), files })),
    );
}
