/** `sheaf acroform` and `sheaf acroform-apply`: a flat PDF becomes a form that people can fill. */
import { type Command, Option } from "commander";
import type {
  FieldDefinition,
  FormParameters,
  OcrMode,
  OperationSubmitted,
  SheafClient,
  UploadAnswer,
} from "../index.ts";
import { isObject, type Json } from "../json.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readDocument, readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform, UsageError } from "./io.ts";
import { isLarge } from "./large.ts";
import {
  DEFAULT_TIMEOUT_SECONDS,
  ocrOption,
  parseGuid,
  parseJsonObject,
  parseSeconds,
  parseShare,
  parseWholeNumber,
} from "./options.ts";
import { printResult, waitForResult } from "./outcome.ts";
import { startOrDiscard, startWork } from "./start-work.ts";

interface SaveArguments extends ConnectionArguments {
  output: string;
  definitions?: string;
  minConfidence?: number;
  maxFields?: number;
  /** Seconds. */
  timeout: number;
}

interface MakeArguments extends SaveArguments {
  values?: string;
  pages?: string;
  nameStyle?: FormParameters["fieldNameStyle"];
  ocr?: OcrMode;
  forceOcr?: boolean;
}

interface ApplyArguments extends SaveArguments {
  guid: string;
  reviewed: string;
  sourceOperation?: string;
}

/** The options of a form made of a job. */
export interface FormArguments extends MakeArguments {
  guid: string;
  /** A file with reviewed definitions. */
  apply?: string;
  sourceOperation?: string;
}

/** Saves the files of a form, and prints what was written and left out. @returns the exit code */
async function saveForm(io: Io, client: SheafClient, operation: string, args: SaveArguments): Promise<number> {
  const ended = await waitForResult(io, client, operation, args);
  if (typeof ended === "number") return ended;
  const bytes = await client.forms.pdf(operation, { signal: io.signal });
  if (args.definitions !== undefined) {
    const definitions = await client.forms.definitions(operation, { signal: io.signal });
    await io.write(args.definitions, `${JSON.stringify(definitions, null, 2)}\n`);
  }
  if (args.output === "-") {
    await io.stdout.write(bytes);
    return EXIT_CODES.success;
  }
  await io.write(args.output, bytes);
  io.stderr.write(`form: ${args.output}, ${bytes.length} bytes\n`);
  await printResult(io, client, operation, {});
  return EXIT_CODES.success;
}

/** Reads a document, so that forms can be made of it. @returns its job; the exit code where that fails */
async function readJob(io: Io, client: SheafClient, args: MakeArguments & { file: string }): Promise<string | number> {
  const document = await readDocument(io, args.file, undefined);
  const { bytes, fileName, mimeType } = document;
  const { guid } = await startWork(io, "GET /job/list", async (signal): Promise<UploadAnswer> => {
    const sent = { fileName, mimeType, signal };
    const stored = await (isLarge(document) ? client.uploadDirect(bytes, sent) : client.upload(bytes, sent));
    return startOrDiscard(io, client, stored.guid, args, () => client.ocr(stored.guid, { ocr: args.ocr }, { signal }));
  });
  io.stderr.write(`job ${guid}: ${fileName ?? "standard input"}, ${bytes.length} bytes\n`);
  const ended = await waitForResult(io, client, guid, args);
  return typeof ended === "number" ? ended : guid;
}

/** Starts an operation that makes a form. */
async function startForm(
  io: Io,
  guid: string,
  start: (signal: AbortSignal) => Promise<OperationSubmitted>,
): Promise<string> {
  const { jobGuid, operationType } = await startWork(io, `GET /operation/${guid}`, start);
  io.stderr.write(`job ${jobGuid}: ${operationType} on ${guid}\n`);
  return jobGuid;
}

/** Reads a PDF, makes a form of it and saves it. @returns the exit code */
async function make(io: Io, args: MakeArguments & { file: string }): Promise<number> {
  const values = await valuesOf(io, args);
  const client = connect(io, args);
  const guid = await readJob(io, client, args);
  // The job is read in its mode already.
  const { ocr: _, ...rest } = args;
  return typeof guid === "number" ? guid : makeOf(io, client, { ...rest, guid }, values);
}

/** Makes a form of a finished job, or of reviewed definitions, and saves it. @returns the exit code @throws UsageError */
export async function makeOrApply(io: Io, args: FormArguments): Promise<number> {
  const { apply: reviewed } = args;
  if (reviewed === undefined) {
    if (args.sourceOperation !== undefined) throw new UsageError("--source-operation needs --apply");
    return makeOf(io, connect(io, args), args, await valuesOf(io, args));
  }
  const idle = Object.entries({
    values: "values",
    pages: "pages",
    nameStyle: "name-style",
    ocr: "ocr",
    forceOcr: "force-ocr",
  })
    .filter(([name]) => args[name as keyof FormArguments] !== undefined)
    .map(([, option]) => `--${option}`);
  if (idle.length > 0) throw new UsageError(`${idle.join(", ")} cannot go with --apply: nothing is looked for again`);
  return apply(io, { ...args, reviewed });
}

const valuesOf = async (io: Io, { values }: MakeArguments): Promise<FormParameters["values"]> =>
  values === undefined ? undefined : parseJsonObject(await readText(io, values), `The values in ${values}`);

async function makeOf(
  io: Io,
  client: SheafClient,
  args: MakeArguments & { guid: string },
  values: FormParameters["values"],
): Promise<number> {
  const { guid } = args;
  const parameters: FormParameters = {
    ocr: args.ocr,
    forceOcr: args.forceOcr,
    minConfidence: args.minConfidence,
    maxFieldsPerPage: args.maxFields,
    pageRange: args.pages,
    fieldNameStyle: args.nameStyle,
    values,
  };
  const operation = await startForm(io, guid, (signal) => client.forms.make(guid, parameters, { signal }));
  const code = await saveForm(io, client, operation, args);
  if (code === EXIT_CODES.success && args.definitions !== undefined) {
    io.stderr.write(
      `Review ${args.definitions}, then: sheaf acroform-apply ${guid} ${args.definitions} --output ${args.output}\n`,
    );
  }
  return code;
}

/** The definitions of a file: as they were saved, or their list alone. @throws UsageError */
async function readReviewed(io: Io, file: string): Promise<FieldDefinition[]> {
  const text = await readText(io, file);
  let read: Json;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The definitions in ${file} are not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const list = isObject(read) ? read.fieldDefinitions : read;
  if (!Array.isArray(list)) throw new UsageError(`${file} has no list of fieldDefinitions`);
  // The service checks each, and names the faults.
  return list as unknown as FieldDefinition[];
}

/** Writes reviewed definitions as a form and saves it. @returns the exit code */
async function apply(io: Io, args: ApplyArguments): Promise<number> {
  const { guid, minConfidence, maxFields: maxFieldsPerPage, sourceOperation: sourceOperationGuid } = args;
  const fieldDefinitions = await readReviewed(io, args.reviewed);
  const client = connect(io, args);
  const reviewed = { fieldDefinitions, minConfidence, maxFieldsPerPage, sourceOperationGuid };
  const operation = await startForm(io, guid, (signal) => client.forms.apply(guid, reviewed, { signal }));
  return saveForm(io, client, operation, args);
}

/** The options that both commands have. */
const withFormOptions = (command: Command): Command =>
  command
    .requiredOption("-o, --output <file>", "where the form goes; - for standard output, without the report")
    .option("--definitions <file>", "where the definitions of its fields go, for a review")
    .option("--min-confidence <number>", "how sure a field must be, from 0 to 1", parseShare)
    .option("--max-fields <number>", "most fields of a page (default: 300)", parseWholeNumber)
    .option("--timeout <seconds>", "longest wait", parseSeconds, DEFAULT_TIMEOUT_SECONDS);

/** Adds the options of making a form. */
export const addFormOptions = (command: Command): Command =>
  withFormOptions(command)
    .option("--values <file>", "a JSON file with values to fill in, by the names or the labels of fields")
    .option("--pages <ranges>", "only these pages, such as 1-3,7")
    .addOption(
      new Option("--name-style <style>", "the notation of names (default: source_snake_case)").choices([
        "source_snake_case",
        "snake_case",
        "camelCase",
      ]),
    )
    .addOption(ocrOption());

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  addFormOptions(program.command("acroform"))
    .description("make a form that people can fill of a flat PDF, and save it")
    .argument("<file>", "the PDF; - for standard input")
    .action((file: string, _options: unknown, command: Command) =>
      perform((io) => make(io, { ...command.optsWithGlobals<MakeArguments>(), file })),
    );
  withFormOptions(program.command("acroform-apply"))
    .description("make a form of reviewed definitions of fields, and save it")
    .argument("<guid>", "the job of the PDF", parseGuid)
    .argument("<definitions>", "a JSON file as --definitions saved it, edited; - for standard input")
    .action((guid: string, reviewed: string, _options: unknown, command: Command) =>
      perform((io) =>
        apply(io, { ...command.optsWithGlobals<Omit<ApplyArguments, "guid" | "reviewed">>(), guid, reviewed }),
      ),
    );
}
