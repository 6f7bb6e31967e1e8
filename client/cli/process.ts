/** `sheaf process`: data out of one document. */
import type { Command } from "commander";
import type { SheafClient, UploadAnswer, UploadCommand } from "../index.ts";
import { connect } from "./connection.ts";
import { type LocalDocument, readDocument } from "./document.ts";
import { addExtractionOptions, addSourceLocations, commandOf, type ExtractionArguments } from "./extraction-options.ts";
import type { Io, Perform } from "./io.ts";
import { isLarge, sendLarge } from "./large.ts";
import { addWaitOptions } from "./options.ts";
import { type SubmitOptions, submit } from "./submit.ts";

export interface ProcessArguments extends SubmitOptions, ExtractionArguments {
  file: string;
}

/** Uploads a document, extracts its data and prints the data. @returns the exit code */
async function run(io: Io, args: ProcessArguments): Promise<number> {
  const client = connect(io, args);
  return processDocument(io, client, await commandOf(io, args), args);
}

/** Sends a document with its command, and prints its result. @returns the exit code */
export async function processDocument(
  io: Io,
  client: SheafClient,
  metadata: UploadCommand,
  args: Pick<ProcessArguments, "file" | "mimeType"> & SubmitOptions,
): Promise<number> {
  const document = await readDocument(io, args.file, args.mimeType);
  return submit(io, client, document, (signal) => start(io, client, { document, metadata, signal, args }), args);
}

/** One call where possible: a refused schema then leaves no document behind. */
function start(
  io: Io,
  client: SheafClient,
  work: { document: LocalDocument; metadata: UploadCommand; signal: AbortSignal; args: SubmitOptions },
): Promise<UploadAnswer> {
  const { document, metadata, signal, args } = work;
  const { bytes, fileName, mimeType } = document;
  if (!isLarge(document)) return client.uploadFiles(bytes, { fileName, mimeType, signal, metadata });
  return sendLarge(io, client, args, { bytes, fileName, mimeType, signal }, (guid) =>
    client.process(guid, metadata, { signal }),
  );
}

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  const command = program
    .command("process")
    .description("upload a document, extract data from it and print the data")
    .argument("<file>", "the document; - for standard input");
  addWaitOptions(addSourceLocations(addExtractionOptions(command)), "the result").action((file: string) =>
    perform((io) => run(io, { ...command.optsWithGlobals<Omit<ProcessArguments, "file">>(), file })),
  );
}
