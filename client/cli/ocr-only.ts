import { type Command, Option } from "commander";
import type { OcrFormat, OcrMode, UploadAnswer } from "../index.ts";
import { connect } from "./connection.ts";
import { readDocument } from "./document.ts";
import type { Io, Perform } from "./io.ts";
import { isLarge } from "./large.ts";
import { DEFAULT_TIMEOUT_SECONDS, OCR_CHOICES, parseMimeType, parseOcrMode, parseSeconds } from "./options.ts";
import { type PasswordArguments, passwordOf, passwordOption } from "./password.ts";
import { startOrDiscard } from "./start-work.ts";
import { type SubmitOptions, submit } from "./submit.ts";

export interface OcrOnlyArguments extends SubmitOptions, PasswordArguments {
  file: string;
  format?: OcrFormat;
  mimeType?: string;
  ocr?: OcrMode;
}

/** Uploads a document, reads its text and prints the text. @returns the exit code */
export async function run(io: Io, args: OcrOnlyArguments): Promise<number> {
  const client = connect(io, args);
  const password = await passwordOf(io, args);
  const document = await readDocument(io, args.file, args.mimeType);
  const { bytes, fileName, mimeType } = document;
  const command = { format: args.format, ocr: args.ocr, mimeType: args.mimeType, password };
  const start = async (signal: AbortSignal): Promise<UploadAnswer> => {
    const sent = { fileName, mimeType, signal };
    const { guid } = await (isLarge(document) ? client.uploadDirect(bytes, sent) : client.upload(bytes, sent));
    return startOrDiscard(io, client, guid, args, () => client.ocr(guid, command, { signal }));
  };
  return submit(io, client, document, start, args);
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("ocr-only")
    .description("upload a document, read its text and print the text")
    .argument("<file>", "the document; - for standard input")
    .addOption(
      new Option("--format <format>", "how to write the text (default: plain; jsonl when --ocr is EXCEL)").choices([
        "plain",
        "markdown",
        "jsonl",
      ]),
    )
    .option("--mime-type <type>", "the document's type (default: by its extension)", parseMimeType)
    .option("--ocr <mode>", `how to read it: ${OCR_CHOICES}`, parseOcrMode)
    .addOption(passwordOption())
    .option("--wait", "wait for the text", true)
    .option("--no-wait", "print {guid, status} at once")
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .action((file: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<OcrOnlyArguments, "file">>(), file })),
    );
}
