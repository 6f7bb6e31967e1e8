/** The options of a run that extracts data: `process`, `process-map-reduce`, `batch` and `pipeline run` share them. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { OcrMode, PipelineDefinition, SearchTool, UploadCommand } from "../index.ts";
import type { Json } from "../json.ts";
import { readText } from "./document.ts";
import type { Io } from "./io.ts";
import { ocrOption, parseJsonObject, parseMimeType } from "./options.ts";
import { addPasswordOptions, type PasswordArguments, passwordOf } from "./password.ts";

export interface ExtractionArguments extends PasswordArguments {
  prompt?: string;
  promptFile?: string;
  schema?: string;
  schemaFile?: string;
  mimeType?: string;
  configuration?: string;
  ocr?: OcrMode;
  llm?: UploadCommand["llm"];
  barcodes?: boolean;
  extractionMode?: UploadCommand["extractionMode"];
  describeFigures?: boolean;
  extractFigures?: boolean;
  tool?: SearchTool[];
  trace?: boolean;
  pageRange?: number[];
  sourceLocations?: boolean;
  pipeline?: string;
}

/** The schema's original text. @throws UsageError when it is not a JSON object */
export async function schemaOf(
  io: Io,
  { schema, schemaFile }: Pick<ExtractionArguments, "schema" | "schemaFile">,
): Promise<string | undefined> {
  const text = schemaFile === undefined ? schema : await readText(io, schemaFile);
  if (text !== undefined) parseJsonObject(text, `The schema in ${schemaFile ?? "--schema"}`);
  return text;
}

/** The prompt, of a file or as given. @throws UsageError */
export const promptOf = async (
  io: Io,
  { prompt, promptFile }: Pick<ExtractionArguments, "prompt" | "promptFile">,
): Promise<string | undefined> => (promptFile === undefined ? prompt : readText(io, promptFile));

/** The definition that runs instead of a schema. @throws UsageError when it is not a JSON object */
export async function pipelineOf(
  io: Io,
  { pipeline: path }: Pick<ExtractionArguments, "pipeline">,
): Promise<PipelineDefinition | undefined> {
  return path === undefined ? undefined : parseJsonObject(await readText(io, path), `The pipeline in ${path}`);
}

const ifTrue = (flag: boolean | undefined): true | undefined => (flag === true ? true : undefined);

/** The command that the options ask for. Absent members have the service's own defaults. @throws UsageError */
export async function commandOf(io: Io, args: ExtractionArguments): Promise<UploadCommand> {
  // People at a terminal see where values stand; a pipeline says itself what it keeps.
  const shown = io.stdout.isTTY && args.pipeline === undefined;
  return {
    prompt: await promptOf(io, args),
    schema: await schemaOf(io, args),
    pipeline: await pipelineOf(io, args),
    password: await passwordOf(io, args),
    mimeType: args.mimeType,
    configuration: args.configuration,
    ocr: args.ocr,
    llm: args.llm,
    extractionMode: args.extractionMode,
    barcodes: ifTrue(args.barcodes),
    describeFigures: ifTrue(args.describeFigures),
    extractFigures: ifTrue(args.extractFigures),
    sourceLocations: ifTrue(args.sourceLocations || shown),
    trace: ifTrue(args.trace),
    pageRange: args.pageRange,
    tools: args.tool,
  };
}

/** The service takes no more pages. */
const MAX_RANGE_PAGES = 10_000;

/** Page numbers of ranges such as `1-3,7`. @throws InvalidArgumentError */
export function parsePageRange(value: string): number[] {
  const pages = value.split(",").flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part) ?? [];
    const from = Number(first);
    const length = Number(last) - from + 1;
    if (!(from >= 1 && length >= 1)) throw new InvalidArgumentError("They are pages from 1, such as 1-3,7.");
    if (length > MAX_RANGE_PAGES) throw new InvalidArgumentError(`They are up to ${MAX_RANGE_PAGES} pages.`);
    return Array.from({ length }, (_, at) => from + at);
  });
  const distinct = [...new Set(pages)];
  if (distinct.length > MAX_RANGE_PAGES) throw new InvalidArgumentError(`They are up to ${MAX_RANGE_PAGES} pages.`);
  return distinct;
}

/** A value of a setting: a number or a word of JSON, else text. */
function settingOf(value: string): Json {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(value) ? JSON.parse(value) : value;
}

/** `{"type": …}`, or `TYPE:name=value,name=value`; the service knows which types there are. @throws InvalidArgumentError */
function addTool(value: string, before: SearchTool[] = []): SearchTool[] {
  const wrong = (): never => {
    throw new InvalidArgumentError('It is TYPE:caseId=7,topK=3, or JSON such as {"type": …, "config": {…}}.');
  };
  if (value.trimStart().startsWith("{")) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch {
      return wrong();
    }
    const tool = parsed as SearchTool;
    return typeof tool.type === "string" ? [...before, tool] : wrong();
  }
  const [, type, settings = ""] = /^([\w-]+)(?::(.+))?$/.exec(value) ?? [];
  if (type === undefined) return wrong();
  const config = settings
    .split(",")
    .filter((one) => one !== "")
    .map((one): [string, Json] => {
      const at = one.indexOf("=");
      return at < 1 ? wrong() : [one.slice(0, at), settingOf(one.slice(at + 1))];
    });
  const tool = { type, ...(config.length === 0 ? {} : { config: Object.fromEntries(config) }) };
  return [...before, tool as SearchTool];
}

/** Excludes --schema and --prompt: the nodes define the extraction. */
export const pipelineOption = (): Option =>
  new Option("--pipeline <path>", "a file with the definition of a pipeline, which is run over the document").conflicts(
    ["prompt", "promptFile", "schema", "schemaFile"],
  );

/** Adds --prompt, --schema and their files. */
export const addPromptAndSchema = (command: Command): Command =>
  command
    .option("--prompt <text>", "what to extract, in words")
    .addOption(new Option("--prompt-file <path>", "a text file with the prompt").conflicts("prompt"))
    .option("--schema <json>", "JSON Schema of the data")
    .addOption(new Option("--schema-file <path>", "a file with the JSON Schema").conflicts("schema"));

/** Adds the options that say how a document is read and worked on. */
export const addReadingOptions = (command: Command): Command =>
  addPasswordOptions(
    command
      .option("--mime-type <type>", "the document's type (default: by its extension)", parseMimeType)
      .addOption(ocrOption())
      .addOption(new Option("--llm <tier>", "the model").choices(["DEFAULT", "MINI", "HIGH", "NANO"]))
      .option("--barcodes", "read barcodes and QR codes too")
      .option("--describe-figures", "keep the figures, and describe them in words")
      .option("--extract-figures", "keep the figures as pictures")
      .option("--tool <tool>", "a tool for the model, TYPE:name=value,… or JSON (may be given again)", addTool)
      .option("--trace", "keep a trace of the run, for GET /job/trace/{guid}")
      .option("--page-range <pages>", "only these pages, such as 1-3,7", parsePageRange),
  );

/** Adds the option that prints places as JSON. */
export const addSourceLocations = (command: Command): Command =>
  command.option("--source-locations", "print {result, sourceLocations}: each value's place in the document");

/** Adds all options of a run that extracts data. */
export const addExtractionOptions = (command: Command): Command =>
  addReadingOptions(
    addPromptAndSchema(command)
      .option("--configuration <name>", "as a saved configuration says, but for what the options here say")
      .addOption(
        new Option("--extraction-mode <mode>", "how to extract").choices(["OCR", "SIMPLE", "STEPS", "PIPELINE"]),
      )
      .addOption(pipelineOption()),
  );
