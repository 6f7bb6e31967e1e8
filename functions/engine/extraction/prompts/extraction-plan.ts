/** How a document's data is asked for: in one pass or in steps, and whether it fits the model at all. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import type { Json } from "../../../ports/json.ts";
import type { ModelFacts } from "../../../ports/llm.ts";
import { estimateTokens } from "../../../ports/llm-tokens.ts";
import { readCalculatedFields } from "../../schema/formulas/calculated-fields.ts";
import { isObject, own } from "../../schema/json-text.ts";
import { readSchema } from "../../schema/schema-shape.ts";
import { compileSchema } from "../../schema/validator.ts";
import { conventionsOf, type TextConventions } from "../../values/text-conventions.ts";
import type { AnswerSchema } from "../answers/answer-schema.ts";
import { GENERAL_SCHEMA } from "../answers/general-schema.ts";
import type { ListWish } from "../chunks/record-form.ts";
import { type Batch, countFields, countRowFields, groupBatches, rowTokens, wholeBatch } from "./field-batches.ts";
import type { PageContent } from "./model-content.ts";

export type ModelMode = "SIMPLE" | "STEPS";

export interface PlanRequest {
  /** A user's, calculated fields included. Absent: the prompt says what is wanted, or the general result is. */
  schema?: Json;
  prompt?: string;
  /** Chosen here when absent. */
  mode?: ModelMode;
  /** What was found in the document besides its text, such as its barcodes, for the model to read. */
  findings?: string;
  facts: Pick<ModelFacts, "contextTokens" | "answerTokens">;
  /** The model will see pictures of pages that have no text. */
  pictures?: boolean;
  /** The pages are a part of a document already. */
  part?: boolean;
  /** The data is records, however the model gives them. */
  list?: ListWish;
}

export interface ExtractionPlan {
  mode: ModelMode;
  /** Why, in a sentence for the trace. */
  reason: string;
  /** What the data must fit: without calculated fields. */
  schema: Json;
  pages: PageContent[];
  findings: string;
  conventions: TextConventions;
  /** The schema as one answer is asked for. */
  whole: AnswerSchema;
  /** One for SIMPLE. */
  batches: Batch[];
  /** Of SIMPLE: the same in parts, for an answer that gets too long. */
  parts: Batch[];
  /** Tokens of the pages. */
  tokens: number;
  list?: ListWish;
}

/** Tokens of our own words in a request, with room to spare. */
const OWN_TOKENS = 1_500;
/** Room for what an estimate may be wrong by. */
const MARGIN = 0.97;
const LEAST_ANSWER = 1_024;
/** Tokens of one field as JSON: its name, its value and what stands between them. */
const FIELD_TOKENS = 25;
/** An answer that nothing tells the length of. */
const FREE_ANSWER = 2_000;
/** Up to here one pass is as good, and one call instead of many. */
const SIMPLE_FIELDS = 60;
const SIMPLE_PAGES = 12;

const count = (value: number): string => value.toLocaleString("en-US");
const many = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? "" : "s"}`;

function tooLong(tokens: number, most: number, part: boolean): JobFailure {
  const [what, advice] = part
    ? ["This part of the document", "make the chunks smaller"]
    : ["The document", "choose pages by pageRange, or allow mapReduce"];
  const facts = `about ${count(tokens)} tokens of at most ${count(most)}`;
  return new JobFailure(`Processing failed: ${what} is too long for the model: ${facts}; ${advice}`);
}

/** A user's schema without its calculated fields. @throws JobFailure for formulas that cannot be used */
function extractedSchema(schema: Json): Json {
  const read = readCalculatedFields(schema);
  if ("schema" in read) return read.schema;
  const [first] = read.faults;
  throw new JobFailure(`Processing failed: A calculated field of the schema cannot be used: ${first?.message ?? ""}`);
}

const SILENT = new Set(["$schema", "$id", "$comment", "title", "description", "type"]);

/** A schema that says no more than that there is an object: what is wanted, the prompt says or nobody. */
const isSilent = (schema: Json): boolean =>
  schema === true ||
  (isObject(schema) &&
    (own(schema, "type") ?? "object") === "object" &&
    Object.keys(schema).every((keyword) => SILENT.has(keyword)));

interface Size {
  fields: number;
  /** Tokens of the pages, and of the longest answer to be expected. */
  tokens: number;
  answer: number;
}

function sizeOf(schema: Json, pages: readonly PageContent[], tokens: number): Size {
  const shape = readSchema(schema);
  const fields = countFields(shape);
  if (isSilent(schema)) return { fields, tokens, answer: FREE_ANSWER };
  const rowFields = countRowFields(shape);
  const rows = rowFields === 0 ? 0 : pages.reduce((sum, { text }) => sum + rowTokens(text, rowFields), 0);
  return { fields, tokens, answer: fields * FIELD_TOKENS + rows };
}

function checkLength(request: PlanRequest, schema: Json, { tokens, answer }: Size): void {
  const { contextTokens, answerTokens } = request.facts;
  const reserve = Math.min(answerTokens, Math.max(LEAST_ANSWER, answer), Math.floor(contextTokens / 2));
  // The schema stands in the request twice: in words, and as the form of the answer.
  const asked = estimateTokens(request.prompt ?? "") + 2 * estimateTokens(JSON.stringify(schema)) + OWN_TOKENS;
  const total = tokens + asked;
  const most = Math.floor(contextTokens * MARGIN) - reserve;
  if (total > most) throw tooLong(total, Math.max(0, most), request.part === true);
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
  if (size.fields > SIMPLE_FIELDS) return ["STEPS", `STEPS: more than ${SIMPLE_FIELDS} fields (${facts})`];
  if (pages > SIMPLE_PAGES) return ["STEPS", `STEPS: more than ${SIMPLE_PAGES} pages (${facts})`];
  return ["SIMPLE", `SIMPLE: ${facts} fit one pass`];
}

/**
 * Plans the requests of a run.
 * @throws JobFailure for pages without text, a document that is too long for the model, and a schema that cannot be checked against
 */
export function planExtraction(pages: PageContent[], request: PlanRequest): ExtractionPlan {
  const told = pages.some(({ text }) => text.trim() !== "") || (request.pictures === true && pages.length > 0);
  // Of nothing, a model would make something up.
  if (!told) throw new JobFailure(JOB_SENTENCES.noText);
  const open = request.prompt === undefined ? GENERAL_SCHEMA : { type: "object" };
  const given = request.schema === undefined ? undefined : extractedSchema(request.schema);
  const schema = given === undefined || isSilent(given) ? open : given;
  compileSchema(schema);
  const findings = request.findings ?? "";
  const tokens = pages.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(findings));
  const size = sizeOf(schema, pages, tokens);
  checkLength(request, schema, size);
  const parts = groupBatches(schema, pages, request.facts.answerTokens);
  const whole = wholeBatch(schema, pages);
  const [mode, reason] = chooseMode(request, size, pages.length, parts.length);
  return {
    mode,
    reason,
    schema,
    pages,
    findings,
    conventions: conventionsOf(pages.map(({ text }) => text)),
    whole: whole.answer,
    batches: mode === "SIMPLE" ? [whole] : parts,
    parts,
    tokens,
    ...(request.list === undefined ? {} : { list: request.list }),
  };
}
