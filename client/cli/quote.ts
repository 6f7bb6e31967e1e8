/** `sheaf quote`: what processing documents would cost. */
import { type Command, Option } from "commander";
import type { OcrMode, Quote, SheafClient, UploadCommand } from "../index.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readDocument, readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { isLarge } from "./large.ts";
import { OCR_CHOICES, parseMimeType, parseOcrMode } from "./options.ts";
import { printJson } from "./outcome.ts";
import { type ProcessArguments, pipelineOf, pipelineOption, schemaOf } from "./process.ts";

interface QuoteArguments
  extends ConnectionArguments,
    Pick<ProcessArguments, "schema" | "schemaFile" | "pipeline" | "prompt" | "promptFile" | "configuration"> {
  mimeType?: string;
  ocr?: OcrMode;
}

/** Quotes a file: uploaded for that, and deleted again; a large one by its size. */
async function quoteFile(
  io: Io,
  client: SheafClient,
  file: string,
  { command, mimeType: wished }: { command: UploadCommand; mimeType: string | undefined },
): Promise<Quote> {
  const document = await readDocument(io, file, wished);
  const { bytes, fileName, mimeType } = document;
  const { signal } = io;
  if (isLarge(document)) return client.billing.quote({ size: bytes.length, mimeType }, command, { signal });
  const { guid } = await client.upload(bytes, { fileName, mimeType, signal });
  try {
    return await client.billing.quote({ guid }, command, { signal });
  } finally {
    await client.deleteJob(guid);
  }
}

async function run(io: Io, files: readonly string[], args: QuoteArguments): Promise<number> {
  const client = connect(io, args);
  const prompt = args.promptFile === undefined ? args.prompt : await readText(io, args.promptFile);
  const command: UploadCommand = {
    prompt,
    schema: await schemaOf(io, args),
    mimeType: args.mimeType,
    ocr: args.ocr,
    configuration: args.configuration,
    pipeline: await pipelineOf(io, args),
  };
  const quotes: (Quote & { file: string })[] = [];
  for (const file of files)
    quotes.push({ file, ...(await quoteFile(io, client, file, { command, mimeType: args.mimeType })) });
  const [only] = quotes;
  const sum = (of: (quote: Quote) => number): number => quotes.reduce((all, quote) => all + of(quote), 0);
  const shown =
    quotes.length === 1 && only !== undefined
      ? { tokens: only.tokens, upperBound: only.upperBound, lines: only.lines }
      : { tokens: sum(({ tokens }) => tokens), upperBound: sum(({ upperBound }) => upperBound), files: quotes };
  await printJson(io, JSON.stringify(shown));
  return EXIT_CODES.success;
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("quote")
    .description("print what processing documents would cost; nothing is spent, and nothing is kept")
    .argument("<files...>", "the documents")
    .option("--prompt <text>", "what to extract, in words")
    .addOption(new Option("--prompt-file <path>", "a text file with the prompt").conflicts("prompt"))
    .option("--schema <json>", "JSON Schema of the data")
    .addOption(new Option("--schema-file <path>", "a file with the JSON Schema").conflicts("schema"))
    .option("--mime-type <type>", "the documents' type (default: by their extensions)", parseMimeType)
    .option("--ocr <mode>", `how to read them: ${OCR_CHOICES}`, parseOcrMode)
    .option("--configuration <name>", "as a saved configuration says")
    .addOption(pipelineOption())
    .action((files: string[], _options: unknown, command: Command) =>
      perform((io) => run(io, files, command.optsWithGlobals<QuoteArguments>())),
    );
}
