/** UploadCommand and OcrCommand: the members of a process or OCR call, and the run they request. */
import * as z from "zod";
import { readAcceptedSchema } from "../../engine/schema/user-schema.ts";
import { BadRequest, UnprocessableEntity } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { OCR_MODES } from "../../ports/ocr.ts";
import { MAX_ENTRY_TOKENS } from "../../service/billing/entry.ts";
import type { Organization } from "../../service/organizations/organization.ts";
import { acceptPipeline } from "../../service/pipelines/check-definition.ts";
import { readPin } from "../../service/runs/configuration-use.ts";
import { checkSchema } from "../../service/runs/judge-json.ts";
import type { RunCommand } from "../../service/runs/run-command.ts";
import { MAX_PASSWORD_CHARACTERS } from "../../service/runs/run-password.ts";
import { SecretText } from "../../service/runs/secret-text.ts";
import { enumeration, integer } from "./common.ts";
import { headerSchemaOf, MapReduceCommand, mapReduceFaults, mapReduceSettings } from "./map-reduce.ts";
import { COMMAND_USES, checkPipelineUse, EXTRACTION_MODES } from "./pipeline-use.ts";
import { PipelineDefinition, runOfPipeline } from "./pipelines.ts";
import { Tools } from "./tools.ts";
import { refuseUnsupported, UNSUPPORTED } from "./unsupported-members.ts";

export const LLM_TIERS = ["DEFAULT", "NANO", "MINI", "HIGH"] as const;
export const TEXT_FORMATS = ["plain", "markdown", "jsonl"] as const;

const flag = z.boolean({ error: "must be true or false" }).optional();
const text = (max: number) =>
  z
    .string({ error: "must be a string" })
    .max(max, { error: `must be at most ${max.toLocaleString("en-US")} characters` });

/** Page numbers, from 1. */
const pageRange = z
  .array(integer("must be a page number from 1", 1), {
    error: "must be a list of page numbers",
  })
  .min(1, { error: "must name at least one page" })
  .max(10_000, { error: "must name at most 10,000 pages" });

const confidenceFault = "must be a number from 0 to 1";
const minConfidence = z
  .number({ error: confidenceFault })
  .min(0, { error: confidenceFault })
  .max(1, { error: confidenceFault })
  .describe(
    "Confidence from which a value is given: below it the value is null, and stands in the source locations as " +
      "`unresolved` with the reason `unsure` and its candidates. When absent, 0.5 for values that are read without a " +
      "model, and no threshold for a model's values",
  );

const tokenBudget = integer(
  `must be a whole number of tokens from 1 to ${MAX_ENTRY_TOKENS}`,
  1,
  MAX_ENTRY_TOKENS,
).describe(
  "Prepaid tokens that the run may use at most, its documents and operations included. Work that there are no tokens " +
    "for is not begun, and FAILS with a sentence; results up to then stay",
);

const password = text(MAX_PASSWORD_CHARACTERS)
  .optional()
  .describe(
    "Opens a PDF that is encrypted with a password, the user's or the owner's. Sealed with the run, erased when it " +
      "ends, and never returned",
  );

/** Rules that tie members together, for the OpenAPI document. */
const COMMAND_RULES = { ...COMMAND_USES, ...UNSUPPORTED };

const UploadMembers = z.looseObject({
  ocr: enumeration(OCR_MODES).optional(),
  llm: enumeration(LLM_TIERS).optional(),
  extractionMode: enumeration(EXTRACTION_MODES).optional(),
  schema: z
    .union([z.string(), z.record(z.string(), z.unknown())], {
      error: "must be a JSON Schema, as an object or as a string",
    })
    .optional(),
  prompt: text(100_000).optional(),
  mimeType: text(255).optional(),
  pageRange: pageRange.optional(),
  password,
  sourceLocations: flag,
  minConfidence: minConfidence.optional(),
  tokenBudget: tokenBudget.optional(),
  sourceLocationGranularity: enumeration(["auto", "block", "word"]).optional(),
  barcodes: flag,
  describeFigures: flag,
  extractFigures: flag,
  acroFormMetadata: flag,
  trace: flag,
  includeCurrentDate: flag,
  reasoningEffort: text(50).optional(),
  mapReduce: MapReduceCommand.optional(),
  tools: Tools.optional(),
  pipeline: PipelineDefinition.optional(),
  configuration: text(1_000).optional().meta({
    description: "A saved configuration's name. What it says counts, but for the members that stand here: these win",
  }),
});
export const UploadCommand = UploadMembers.meta(COMMAND_RULES);
export type UploadCommand = z.output<typeof UploadCommand>;

const concurrencyFault = "must be an integer from 1 to 100";
const maxConcurrency = integer(concurrencyFault, 1, 100)
  .optional()
  .describe("Documents that are worked on at once; 5 when absent");

export const NewBatch = z.looseObject({ mimeType: text(255).optional(), maxConcurrency });

export const BatchCommand = UploadCommand.extend({ maxConcurrency }).meta(COMMAND_RULES);
export type BatchCommand = z.output<typeof BatchCommand>;

const OcrMembers = z.looseObject({
  ocr: enumeration(OCR_MODES).optional(),
  ocrFormat: enumeration(TEXT_FORMATS).optional(),
  mimeType: text(255).optional(),
  password,
  describeFigures: flag,
  extractFigures: flag,
});
export const OcrCommand = OcrMembers.meta(UNSUPPORTED);
export type OcrCommand = z.output<typeof OcrCommand>;

/** @throws BadRequest for contradictory members of `mapReduce`, among themselves or with the rest */
function checkMapReduce({ mapReduce, extractionMode }: UploadCommand): void {
  if (mapReduce?.enabled !== true) return;
  const errors = mapReduceFaults(mapReduce);
  if (extractionMode === "OCR") {
    errors.push({
      path: "/mapReduce/enabled",
      message: "must not be true with extractionMode OCR: a text has no records",
    });
  }
  const [first] = errors;
  if (first !== undefined) {
    throw new BadRequest(`Invalid mapReduce: ${first.path.slice("/mapReduce/".length)} ${first.message}`, { errors });
  }
}

/** The password of a command's document. An empty one is absent; blanks may be meant. */
const passwordOf = ({ password: given = "" }: { password?: string | undefined }): Partial<RunCommand> =>
  given === "" ? {} : { password: new SecretText(given), hasPassword: true };

/** A blank text is absent. */
export const nonBlank = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value;

/**
 * Checks a command and makes its run.
 * @param mimeType resolves the media type of the document from the type the command names
 * @throws BadRequest, UnprocessableEntity (an invalid schema), UnsupportedMediaType
 */
export async function runOfUploadCommand(
  org: Organization,
  command: UploadCommand,
  mimeType: (wish: string | undefined) => string,
): Promise<RunCommand> {
  refuseUnsupported(command);
  checkMapReduce(command);
  checkPipelineUse(command);
  const schema = await acceptSchema(org, command.schema, "/schema");
  const headerSchema = await acceptSchema(org, headerSchemaOf(command.mapReduce), "/mapReduce/header/schema");
  const run = runWith(command, { schema, headerSchema, mimeType: mimeType(nonBlank(command.mimeType)) });
  if (command.pipeline === undefined) return run;
  return runOfPipeline(run, command, await acceptPipeline(org, command.pipeline));
}

/** The run of a command whose schemas are accepted. */
function runWith(
  command: UploadCommand,
  { schema, headerSchema, mimeType }: { schema: Json | undefined; headerSchema: Json | undefined; mimeType: string },
): RunCommand {
  const prompt = nonBlank(command.prompt);
  const mapReduce = mapReduceSettings(command.mapReduce, headerSchema);
  const mode = mapReduce === undefined ? "SIMPLE" : "MAP_REDUCE";
  return {
    v: 1,
    mode: command.extractionMode === "OCR" ? "OCR" : mode,
    ocr: command.ocr ?? "DEFAULT",
    mimeType,
    sourceLocations: command.sourceLocations ?? false,
    granularity: command.sourceLocationGranularity ?? "auto",
    ...(command.minConfidence === undefined ? {} : { minConfidence: command.minConfidence }),
    ...(command.tokenBudget === undefined ? {} : { tokenBudget: command.tokenBudget }),
    ...configurationOf(command),
    format: "plain",
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(command.pageRange === undefined ? {} : { pageRange: command.pageRange }),
    ...passwordOf(command),
    ...(mapReduce === undefined ? {} : { mapReduce }),
    ...modelWishes(command),
    ...(command.barcodes === true ? { barcodes: true } : {}),
    ...figuresOf(command),
    ...(command.acroFormMetadata === true ? { acroForm: true } : {}),
  };
}

/** The revision that the command was merged with. */
function configurationOf({ configuration }: UploadCommand): Pick<RunCommand, "configuration"> {
  const use = readPin(nonBlank(configuration) ?? "");
  return use === undefined ? {} : { configuration: use };
}

/** Members for the model; the offline extractor ignores them. */
function modelWishes(command: UploadCommand): Partial<RunCommand> {
  const { llm, extractionMode, includeCurrentDate, reasoningEffort, trace, tools = [] } = command;
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(llm === undefined ? {} : { llm }),
    ...(extractionMode === "SIMPLE" || extractionMode === "STEPS" ? { extraction: extractionMode } : {}),
    ...(includeCurrentDate === true ? { includeCurrentDate: true } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(trace === true ? { trace: true } : {}),
  };
}

/** True when either flag asks for figures. */
const figuresOf = (command: { describeFigures?: boolean | undefined; extractFigures?: boolean | undefined }) =>
  command.describeFigures === true
    ? { figures: true, describeFigures: true }
    : command.extractFigures === true
      ? { figures: true }
      : {};

/** ANALYZE: the document type; SCHEMA: a JSON Schema for the document. @throws UnsupportedMediaType */
export function runOfDescription(
  mode: "ANALYZE" | "SCHEMA",
  wish: {
    ocr?: (typeof OCR_MODES)[number] | undefined;
    describeFigures?: boolean | undefined;
    extractFigures?: boolean | undefined;
    instructions?: string;
    password?: string | undefined;
  },
  mimeType: (wish: string | undefined) => string,
): RunCommand {
  const prompt = nonBlank(wish.instructions);
  return {
    v: 1,
    mode,
    ocr: wish.ocr ?? "DEFAULT",
    mimeType: mimeType(undefined),
    sourceLocations: false,
    granularity: "auto",
    format: "plain",
    ...(prompt === undefined ? {} : { prompt }),
    ...passwordOf(wish),
    ...figuresOf(wish),
  };
}

/**
 * Accepts a user's schema.
 * @param place pointer of the member
 * @returns undefined for a blank one
 * @throws UnprocessableEntity naming it, BadRequest for its formulas
 */
async function acceptSchema(
  org: Organization,
  given: UploadCommand["schema"],
  place: string,
): Promise<Json | undefined> {
  if (given === undefined || (typeof given === "string" && given.trim() === "")) return undefined;
  const judgement = await checkSchema(org, given);
  if ("fault" in judgement) {
    const { fault } = judgement;
    throw new UnprocessableEntity(`The schema is not a valid JSON Schema: ${fault}`, {
      errors: [{ path: place, message: fault }],
    });
  }
  if ("formulas" in judgement) {
    const errors = judgement.formulas.map(({ path, message }) => ({ path: `${place}${path}`, message }));
    throw new BadRequest(`The schema has a formula that cannot be worked out: ${errors[0]?.message}`, { errors });
  }
  return readAcceptedSchema(given);
}

/** @param format the query's format; overrides the body's */
export function runOfOcrCommand(
  command: OcrCommand,
  format: (typeof TEXT_FORMATS)[number] | undefined,
  mimeType: (wish: string | undefined) => string,
): RunCommand {
  refuseUnsupported(command);
  const ocr = command.ocr ?? "DEFAULT";
  return {
    v: 1,
    mode: "OCR",
    ocr,
    mimeType: mimeType(nonBlank(command.mimeType)),
    sourceLocations: false,
    granularity: "auto",
    format: format ?? command.ocrFormat ?? (ocr === "EXCEL" ? "jsonl" : "plain"),
    ...passwordOf(command),
    ...figuresOf(command),
  };
}
