/** `sheaf quote`: what processing documents would cost. */
import type { Command } from "commander";
import type { OcrMode, Quote, SheafClient, UploadCommand } from "../index.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readDocument } from "./document.ts";
import {
  addPromptAndSchema,
  type ExtractionArguments,
  pipelineOf,
  pipelineOption,
  promptOf,
  schemaOf,
} from "./extraction-options.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { isLarge } from "./large.ts";
import { ocrOption, parseMimeType } from "./options.ts";
import { printJson } from "./outcome.ts";

interface QuoteArguments
  extends ConnectionArguments,
    Pick<ExtractionArguments, "schema" | "schemaFile" | "pipeline" | "prompt" | "promptFile" | "configuration"> {
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
  const command: UploadCommand = {
    prompt: await promptOf(io, args),
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
  const command = program
    .command("quote")
    .description("print what processing documents would cost; nothing is spent, and nothing is kept")
    .argument("<files...>", "the documents");
  addPromptAndSchema(command)
    .option("--mime-type <type>", "the documents' type (default: by their extensions)", parseMimeType)
    .addOption(ocrOption())
    .option("--configuration <name>", "as a saved configuration says")
    .addOption(pipelineOption())
    .action((files: string[]) => perform((io) => run(io, files, command.optsWithGlobals<QuoteArguments>())));
}
