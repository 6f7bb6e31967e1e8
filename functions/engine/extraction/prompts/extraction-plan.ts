/** The plan of an extraction by a model: one pass, or steps, which take long documents by their pages. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { isObject, type Json, own } from "../../../ports/json.ts";
import type { ModelFacts } from "../../../ports/llm.ts";
import { estimateTokens } from "../../../ports/llm-tokens.ts";
import { type ParsedSchema, parseSchema } from "../../schema/parsed-schema.ts";
import { compileSchema } from "../../schema/validator.ts";
import { conventionsOf, type TextConventions } from "../../values/text-conventions.ts";
import { type AnswerSchema, toAnswerSchema } from "../answers/answer-schema.ts";
import { GENERAL_SCHEMA } from "../answers/general-schema.ts";
import { asksForLimits } from "../answers/stated-limits.ts";
import type { RecordListSpec } from "../chunks/record-form.ts";
import { type Batch, countFields, countRowFields, groupBatches, rowTokens, wholeBatch } from "./field-batches.ts";
import type { PageContent } from "./model-content.ts";
import { splitByPages } from "./page-windows.ts";

export type ModelMode = "SIMPLE" | "STEPS";

export interface PlanRequest {
  /** The user's schema, calculated fields included. Absent: the prompt or the general result decides. */
  schema?: Json;
  prompt?: string;
  /** Chosen by the plan when absent. */
  mode?: ModelMode;
  /** Content besides the text, such as barcodes, for the model to read. */
  findings?: string;
  facts: Pick<ModelFacts, "contextTokens" | "answerTokens">;
  /** The model will see pictures of pages that have no text. */
  pictures?: boolean;
  /** The pages are one chunk of a document. */
  part?: boolean;
  /** The data is a list of records, in whatever form the model gives them. */
  list?: RecordListSpec;
}

export interface ExtractionPlan {
  mode: ModelMode;
  /** The reason for the mode, one sentence for the trace. */
  reason: string;
  /** Schema of the data, without calculated fields. */
  schema: Json;
  pages: PageContent[];
  findings: string;
  conventions: TextConventions;
  /** The schema of one answer for everything. */
  whole: AnswerSchema;
  /** One batch for SIMPLE. */
  batches: Batch[];
  /** The same in parts, for a SIMPLE answer that gets too long. */
  parts: Batch[];
  /** Tokens of the pages. */
  tokens: number;
  /** Tokens of the longest expected answer. */
  answerTokens: number;
  list?: RecordListSpec;
}

/** Tokens of the prompt's own words, with room to spare. */
const PROMPT_TOKENS = 1_500;
/** Usable share of the context: token counts are estimates. */
const USABLE_CONTEXT_SHARE = 0.97;
const MIN_ANSWER_TOKENS = 1_024;
/** Tokens of one field as JSON: name, value and punctuation. */
const FIELD_TOKENS = 25;
/** Tokens of an answer of unknown length. */
const OPEN_ANSWER_TOKENS = 2_000;
/** Up to these sizes one pass is as good as steps, and takes one call. */
const MAX_SIMPLE_FIELDS = 60;
const MAX_SIMPLE_PAGES = 12;

const count = (value: number): string => value.toLocaleString("en-US");
const many = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? "" : "s"}`;

function tooLong(tokens: number, most: number, part: boolean): JobFailure {
  const [what, advice] = part
    ? ["This part of the document", "make the chunks smaller"]
    : ["The document", "ask for STEPS, choose pages by pageRange, or allow mapReduce"];
  const facts = `about ${count(tokens)} tokens of at most ${count(most)}`;
  return new JobFailure(`Processing failed: ${what} is too long for the model: ${facts}; ${advice}`);
}

const tooLongPage = (page: number, most: number): JobFailure =>
  new JobFailure(
    `Processing failed: Page ${page} is too long for the model, which has room for about ${count(most)} tokens of a page; use a model with a larger context, or choose other pages by pageRange`,
  );

/** A user's schema without its calculated fields. @throws JobFailure for formulas that cannot be used */
function extractedSchema(schema: Json): Json {
  const { calculated: read } = parseSchema(schema);
  if ("schema" in read) return read.schema;
  const [first] = read.faults;
  throw new JobFailure(`Processing failed: A calculated field of the schema cannot be used: ${first?.message ?? ""}`);
}

const ANNOTATION_KEYWORDS = new Set(["$schema", "$id", "$comment", "title", "description", "type"]);

/** A schema that only asks for an object, without naming its content. */
const isContentFree = (schema: Json): boolean =>
  schema === true ||
  (isObject(schema) &&
    (own(schema, "type") ?? "object") === "object" &&
    Object.keys(schema).every((keyword) => ANNOTATION_KEYWORDS.has(keyword)));

interface Size {
  fields: number;
  /** Tokens of the pages, and of the longest expected answer. */
  tokens: number;
  answer: number;
}

function sizeOf({ json: schema, shape }: ParsedSchema, pages: readonly PageContent[], tokens: number): Size {
  const fields = countFields(shape);
  if (isContentFree(schema)) return { fields, tokens, answer: OPEN_ANSWER_TOKENS };
  const rowFields = countRowFields(shape);
  const rows = rowFields === 0 ? 0 : pages.reduce((sum, { text }) => sum + rowTokens(text, rowFields), 0);
  return { fields, tokens, answer: fields * FIELD_TOKENS + rows };
}

/** Tokens of one request for all pages, and the most that the model takes beside its answer. */
interface Length {
  total: number;
  most: number;
  /** Tokens for the pages of a request, of many. */
  room: number;
}

function lengthOf(request: PlanRequest, schema: Json, findings: string, { tokens, answer }: Size): Length {
  const { contextTokens, answerTokens } = request.facts;
  const half = Math.floor(contextTokens / 2);
  const reserve = Math.min(answerTokens, Math.max(MIN_ANSWER_TOKENS, answer), half);
  // A request has the schema twice: in the prompt, and as the form of the answer.
  const asked = estimateTokens(request.prompt ?? "") + 2 * estimateTokens(JSON.stringify(schema)) + PROMPT_TOKENS;
  const usable = Math.floor(contextTokens * USABLE_CONTEXT_SHARE);
  return {
    total: tokens + asked,
    most: Math.max(0, usable - reserve),
    room: usable - Math.min(answerTokens, half) - asked - estimateTokens(findings),
  };
}

/** Batches that together ask for all pages. @throws JobFailure for SIMPLE, and for a page that is too long by itself */
function splitLongDocument(
  request: PlanRequest,
  parts: readonly Batch[],
  pages: readonly PageContent[],
  { total, most, room }: Length,
): Pick<ExtractionPlan, "mode" | "reason" | "batches"> {
  if (request.mode === "SIMPLE") throw tooLong(total, most, request.part === true);
  const split = splitByPages(parts, pages, room);
  if (split.tooLong !== undefined) throw tooLongPage(split.tooLong, Math.max(0, room));
  const requests = many(split.batches.length, "request");
  const facts = `about ${count(total)} tokens of at most ${count(most)}`;
  const reason = `STEPS: the document is too long for one request (${facts}); its pages go into ${requests}`;
  return { mode: "STEPS", reason, batches: split.batches };
}

function chooseMode(request: PlanRequest, size: Size, pages: number, parts: number): [ModelMode, string] {
  const facts = `${many(size.fields, "field")}, ${many(pages, "page")}, about ${count(size.tokens)} tokens`;
  if (request.mode !== undefined) return [request.mode, `${request.mode} was asked for (${facts})`];
  if (parts < 2) return ["SIMPLE", `SIMPLE: what is wanted cannot be parted (${facts})`];
  if (size.answer > request.facts.answerTokens) {
    return [
      "STEPS",
      `STEPS: one answer would be about ${count(size.answer)} tokens, of at most ${count(request.facts.answerTokens)} (${facts})`,
    ];
  }
  if (size.fields > MAX_SIMPLE_FIELDS) return ["STEPS", `STEPS: more than ${MAX_SIMPLE_FIELDS} fields (${facts})`];
  if (pages > MAX_SIMPLE_PAGES) return ["STEPS", `STEPS: more than ${MAX_SIMPLE_PAGES} pages (${facts})`];
  return ["SIMPLE", `SIMPLE: ${facts} fit one pass`];
}

function chooseBatches(
  request: PlanRequest,
  size: Size,
  whole: Batch,
  parts: Batch[],
): Pick<ExtractionPlan, "mode" | "reason" | "batches"> {
  const [mode, reason] = chooseMode(request, size, whole.pages.length, parts.length);
  return { mode, reason, batches: mode === "SIMPLE" ? [whole] : parts };
}

/**
 * Plans the requests of a run. A document that is too long for one request is asked for in several, by its pages.
 * @throws JobFailure for pages without text, a document or page that is too long for the model, and an unusable schema
 */
export function planExtraction(pages: PageContent[], request: PlanRequest): ExtractionPlan {
  const hasContent = pages.some(({ text }) => text.trim() !== "") || (request.pictures === true && pages.length > 0);
  // A model would invent data for empty pages.
  if (!hasContent) throw new JobFailure(JOB_SENTENCES.noText);
  const open = request.prompt === undefined ? GENERAL_SCHEMA : { type: "object" };
  const given = request.schema === undefined ? undefined : extractedSchema(request.schema);
  const schema = given === undefined || isContentFree(given) ? open : given;
  compileSchema(schema);
  const findings = request.findings ?? "";
  const tokens = pages.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(findings));
  const parsed = parseSchema(schema);
  const size = sizeOf(parsed, pages, tokens);
  const limits = asksForLimits(schema, parsed.shape, request.prompt);
  const length = lengthOf(request, schema, findings, size);
  const parts = groupBatches(parsed, pages, request.facts.answerTokens, limits);
  const whole = wholeBatch(schema, pages, limits);
  const chosen =
    length.total > length.most
      ? splitLongDocument(request, parts, pages, length)
      : chooseBatches(request, size, whole, parts);
  return {
    ...chosen,
    schema,
    pages,
    findings,
    conventions: conventionsOf(pages.map(({ text }) => text)),
    whole: limits ? toAnswerSchema(schema) : whole.answer,
    parts,
    tokens,
    answerTokens: size.answer,
    ...(request.list === undefined ? {} : { list: request.list }),
  };
}
