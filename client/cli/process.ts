import { type Command, Option } from "commander";
import type { OcrMode, PipelineDefinition, UploadAnswer } from "../index.ts";
import { connect } from "./connection.ts";
import { readDocument, readText } from "./document.ts";
import type { Io, Perform } from "./io.ts";
import { isLarge, sendLarge } from "./large.ts";
import {
  DEFAULT_TIMEOUT_SECONDS,
  OCR_CHOICES,
  parseJsonObject,
  parseMimeType,
  parseOcrMode,
  parseSeconds,
} from "./options.ts";
import { type PasswordArguments, passwordOf, passwordOption } from "./password.ts";
import { type SubmitOptions, submit } from "./submit.ts";

export interface ProcessArguments extends SubmitOptions, PasswordArguments {
  file: string;
  prompt?: string;
  promptFile?: string;
  schema?: string;
  schemaFile?: string;
  mimeType?: string;
  ocr?: OcrMode;
  sourceLocations?: boolean;
  configuration?: string;
  pipeline?: string;
}

/** Uploads a document, extracts its data and prints the data. @returns the exit code */
export async function run(io: Io, args: ProcessArguments): Promise<number> {
  const client = connect(io, args);
  const schema = await schemaOf(io, args);
  const prompt = args.promptFile === undefined ? args.prompt : await readText(io, args.promptFile);
  const pipeline = await pipelineOf(io, args);
  const password = await passwordOf(io, args);
  const document = await readDocument(io, args.file, args.mimeType);
  const { bytes, fileName, mimeType } = document;
  const metadata = {
    prompt,
    schema,
    mimeType: args.mimeType,
    ocr: args.ocr,
    // Absent unless set: the service has its own default.
    sourceLocations: args.sourceLocations === true ? true : undefined,
    configuration: args.configuration,
    pipeline,
    password,
  };
  // One call where possible: a refused schema then leaves no document behind.
  const start = (signal: AbortSignal): Promise<UploadAnswer> =>
    isLarge(document)
      ? sendLarge(io, client, args, { bytes, fileName, mimeType, signal }, (guid) =>
          client.process(guid, metadata, { signal }),
        )
      : client.uploadFiles(bytes, { fileName, mimeType, signal, metadata });
  return submit(io, client, document, start, args);
}

/** The schema's original text. @throws UsageError when it is not a JSON object */
export async function schemaOf(
  io: Io,
  { schema, schemaFile }: Pick<ProcessArguments, "schema" | "schemaFile">,
): Promise<string | undefined> {
  const text = schemaFile === undefined ? schema : await readText(io, schemaFile);
  if (text !== undefined) parseJsonObject(text, `The schema in ${schemaFile ?? "--schema"}`);
  return text;
}

/** The definition that runs instead of a schema. @throws UsageError when it is not a JSON object */
export async function pipelineOf(
  io: Io,
  { pipeline: path }: Pick<ProcessArguments, "pipeline">,
): Promise<PipelineDefinition | undefined> {
  return path === undefined ? undefined : parseJsonObject(await readText(io, path), `The pipeline in ${path}`);
}

/** Excludes --schema and --prompt: the nodes define the extraction. */
export const pipelineOption = (): Option =>
  new Option("--pipeline <path>", "a file with the definition of a pipeline, which is run over the document").conflicts(
    ["prompt", "promptFile", "schema", "schemaFile"],
  );

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("process")
    .description("upload a document, extract data from it and print the data")
    .argument("<file>", "the document; - for standard input")
    .option("--prompt <text>", "what to extract, in words")
    .addOption(new Option("--prompt-file <path>", "a text file with the prompt").conflicts("prompt"))
    .option("--schema <json>", "JSON Schema of the data")
    .addOption(new Option("--schema-file <path>", "a file with the JSON Schema").conflicts("schema"))
    .option("--mime-type <type>", "the document's type (default: by its extension)", parseMimeType)
    .option("--ocr <mode>", `how to read it: ${OCR_CHOICES}`, parseOcrMode)
    .option("--configuration <name>", "as a saved configuration says, but for what the options here say")
    .addOption(pipelineOption())
    .addOption(passwordOption())
    .option("--source-locations", "print {result, sourceLocations}: each value's place in the document")
    .option("--wait", "wait for the result", true)
    .option("--no-wait", "print {guid, status} at once")
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS)
    .action((file: string, _options: unknown, command: Command) =>
      perform((io) => run(io, { ...command.optsWithGlobals<Omit<ProcessArguments, "file">>(), file })),
    );
}
