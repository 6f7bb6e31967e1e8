import { type Command, Option } from "commander";
import type { OcrFormat, OcrMode, UploadAnswer } from "../index.ts";
import { connect } from "./connection.ts";
import { readDocument } from "./document.ts";
import type { Io, Perform } from "./io.ts";
import { isLarge } from "./large.ts";
import { addWaitOptions, ocrOption, parseMimeType } from "./options.ts";
import { addPasswordOptions, type PasswordArguments, passwordOf } from "./password.ts";
import { startOrDiscard } from "./start-work.ts";
import { type SubmitOptions, submit } from "./submit.ts";

export interface OcrOnlyArguments extends SubmitOptions, PasswordArguments {
  file: string;
  format?: OcrFormat;
  mimeType?: string;
  ocr?: OcrMode;
  describeFigures?: boolean;
  extractFigures?: boolean;
}

/** Uploads a document, reads its text and prints the text. @returns the exit code */
export async function run(io: Io, args: OcrOnlyArguments): Promise<number> {
  const client = connect(io, args);
  const password = await passwordOf(io, args);
  const document = await readDocument(io, args.file, args.mimeType);
  const { bytes, fileName, mimeType } = document;
  const { format, ocr, describeFigures, extractFigures } = args;
  const command = { format, ocr, mimeType: args.mimeType, password, describeFigures, extractFigures };
  const start = async (signal: AbortSignal): Promise<UploadAnswer> => {
    const sent = { fileName, mimeType, signal };
    const { guid } = await (isLarge(document) ? client.uploadDirect(bytes, sent) : client.upload(bytes, sent));
    return startOrDiscard(io, client, guid, args, () => client.ocr(guid, command, { signal }));
  };
  return submit(io, client, document, start, args);
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
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
    .addOption(ocrOption())
    .option("--mime-type <type>", "the document's type (default: by its extension)", parseMimeType)
    .option("--describe-figures", "keep the figures, and describe them in the text")
    .option("--extract-figures", "keep the figures as pictures");
  addWaitOptions(addPasswordOptions(command), "the text").action((file: string) =>
    perform((io) => run(io, { ...command.optsWithGlobals<Omit<OcrOnlyArguments, "file">>(), file })),
  );
}
