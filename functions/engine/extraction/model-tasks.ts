/**
 * The work on documents, schemas and answers that an extraction with a model needs besides the model: bytes in and bytes
 * out, to be run where it is contained. Nothing here asks a model.
 */

import { JobFailure } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { type DataFault, messageOf, placeOf, stepsOf } from "../schema/data-faults.ts";
import { fillCalculated, readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { findJson, isObject, own } from "../schema/json-text.ts";
import { normalizeData } from "../schema/normalize-data.ts";
import { blame } from "../schema/primary-errors.ts";
import { parseUserSchema } from "../schema/user-schema.ts";
import { validPart } from "../schema/valid-part.ts";
import { compileSchema } from "../schema/validator.ts";
import { applyCorrections, readCorrections } from "./answers/corrections.ts";
import { type Doubt, findDoubts } from "./answers/doubts.ts";
import { mergeAnswers, type PartAnswer } from "./answers/merge-answers.ts";
import { asRecords } from "./chunks/chunk-answer.ts";
import type { ListWish } from "./chunks/record-form.ts";
import { type ExtractionPlan, type PlanRequest, planExtraction } from "./prompts/extraction-plan.ts";
import { type Batch, halveBatch } from "./prompts/field-batches.ts";
import { modelContent, type PageContent } from "./prompts/model-content.ts";
import type { TextConventions } from "./prompts/text-conventions.ts";

interface PlanTask {
  layout: Uint8Array;
  request: PlanRequest & { pageRange?: number[] };
}

interface ReadAnswersTask {
  /** Without calculated fields, as the plan has it. */
  schema: Json;
  conventions: TextConventions;
  parts: PartAnswer[];
  list?: ListWish;
  /** Text in which values are looked for; absent: none is doubted. */
  printed?: { texts: string[]; most: number };
}

interface CorrectTask {
  schema: Json;
  conventions: TextConventions;
  /** UTF-8 JSON. */
  data: Uint8Array;
  text: string;
  /** The answer is corrections of these pointers; absent: it is the whole data again. */
  asked?: string[];
  wrapped: boolean;
  list?: ListWish;
  /** Of the data, where the answer is to mend them: one that does not is no use. */
  before?: { faultCount: number; ofWhole: boolean };
}

interface ConcludeTask {
  data: Uint8Array;
  schema: Json;
  /** The user's, with its calculated fields. */
  userSchema?: Json;
}

interface PagesTask {
  layout: Uint8Array;
  mostTokens: number;
}

export interface ModelPages {
  /** From the first, as many as there is room for. */
  pages: PageContent[];
  /** Of the document. */
  pageCount: number;
}

/** Data, and what is wrong with it. */
export interface CheckedData {
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** The first of them. */
  faults: DataFault[];
  faultCount: number;
  /** The values that the faults are about, as JSON text. */
  values: string;
}

export interface ReadAnswers extends CheckedData {
  /** Ids of the parts whose answer could not be read; where there are some, the data is not whole. */
  unread: string[];
  doubts: Doubt[];
}

/** The end of a run; no faults: the data fits its schema. */
type ConcludedData = Omit<CheckedData, "values">;

/** Listed of what is wrong: a record holds them, and a model reads them. */
const MOST_FAULTS = 100;
const LONGEST_VALUES = 50_000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const parse = (bytes: Uint8Array): Json => JSON.parse(decoder.decode(bytes)) as Json;
const write = (data: Json): Uint8Array => encoder.encode(JSON.stringify(data));

function valueAt(data: Json, pointer: string): Json {
  let value: Json | undefined = data;
  for (const step of stepsOf(pointer)) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? own(value, step) : undefined;
  }
  return value ?? null;
}

/** Leaves that say something. */
function countValues(data: Json): number {
  if (data === null || data === "") return 0;
  return typeof data === "object" ? Object.values(data).reduce((sum: number, one) => sum + countValues(one), 0) : 1;
}

type Checked = Omit<CheckedData, "data"> & { data: Json };

/** What fits is left as it is; else it is brought into the schema's shape and looked at again. */
function check(data: Json, schema: Json, conventions: TextConventions): Checked {
  const validator = compileSchema(schema);
  if (validator.check(data).length === 0) return { data, faults: [], faultCount: 0, values: "[]" };
  const normal = normalizeData(data, schema, conventions);
  const errors = blame(validator.check(normal), validator.schema);
  const faults = errors.slice(0, MOST_FAULTS).map((error) => ({ pointer: placeOf(error), message: messageOf(error) }));
  const values = faults.map(({ pointer }) => ({ pointer, value: valueAt(normal, pointer) }));
  return { data: normal, faults, faultCount: errors.length, values: JSON.stringify(values).slice(0, LONGEST_VALUES) };
}

/**
 * Whether a second answer is better than the first. One that gives up values that nobody found fault with would fit its
 * schema all the more easily.
 */
function isBetter(
  again: Checked,
  data: Json,
  { faultCount, ofWhole }: { faultCount: number; ofWhole: boolean },
): boolean {
  if (again.faultCount > faultCount) return false;
  return ofWhole || countValues(again.data) + faultCount >= countValues(data);
}

/** The data that a second answer gives; undefined where it cannot be read. */
function dataOf({ asked, text, wrapped, data, list }: CorrectTask): Json | undefined {
  if (asked !== undefined) {
    const corrections = readCorrections(text, new Set(asked));
    return corrections && applyCorrections(parse(data), corrections);
  }
  const batch = { id: "all", kind: "whole" as const, path: [], pages: [], own: [], answer: { wrapped } };
  const merged = mergeAnswers([{ batch, text }]);
  if (merged.unread.length > 0) return undefined;
  return list === undefined ? merged.data : asRecords(merged.data, list);
}

/** The tasks: functions of one payload, repeatable. */
export const modelTasks = {
  async planModel({ layout, request }: PlanTask): Promise<ExtractionPlan> {
    const { pageRange, ...rest } = request;
    return planExtraction(modelContent(parseLayout(layout), pageRange === undefined ? {} : { pageRange }), rest);
  },

  async halveModelBatch({ batch }: { batch: Batch }): Promise<Batch[]> {
    return halveBatch(batch) ?? [];
  },

  async readModelAnswers(task: ReadAnswersTask): Promise<ReadAnswers> {
    const { schema, conventions, parts, printed, list } = task;
    const { data: given, unread } = mergeAnswers(parts);
    const merged = list === undefined ? given : asRecords(given, list);
    if (unread.length > 0) {
      return { data: write(null), faults: [], faultCount: 0, values: "[]", unread, doubts: [] };
    }
    const checked = check(merged, schema, conventions);
    const texts = printed?.texts.map((text) => ({ text })) ?? [];
    const doubts = printed === undefined ? [] : findDoubts(checked.data, schema, texts, conventions, printed.most);
    return { ...checked, data: write(checked.data), unread, doubts };
  },

  /** A second answer put in the place of the first; undefined where it is no use. */
  async correctModelData(task: CorrectTask): Promise<CheckedData | undefined> {
    const data = dataOf(task);
    if (data === undefined) return undefined;
    const again = check(data, task.schema, task.conventions);
    if (task.before !== undefined && !isBetter(again, parse(task.data), task.before)) return undefined;
    return { ...again, data: write(again.data) };
  },

  /** The leading pages that a model's context holds. */
  async readModelPages({ layout, mostTokens }: PagesTask): Promise<ModelPages> {
    const whole = parseLayout(layout);
    const pages: PageContent[] = [];
    let room = mostTokens;
    for (const page of modelContent(whole)) {
      room -= estimateTokens(page.text);
      if (room < 0) break;
      pages.push(page);
    }
    return { pages, pageCount: whole.pageCount };
  },

  /** A JSON Schema that a model wrote. */
  async readModelSchema({ text }: { text: string }): Promise<{ schema: Json } | { fault: string }> {
    const found = findJson(text);
    const parsed = isObject(found) ? parseUserSchema(found) : { fault: "it is not one JSON object" };
    if ("fault" in parsed) return parsed;
    try {
      compileSchema(parsed.schema);
      return parsed;
    } catch (error) {
      if (error instanceof JobFailure) return { fault: error.message.replace(/^Processing failed: /, "") };
      throw error;
    }
  },

  /**
   * The end: what does not fit goes, calculated fields come in.
   * @throws JobFailure where nothing of the data fits
   */
  async concludeModelData({ data, schema, userSchema }: ConcludeTask): Promise<ConcludedData> {
    const part = validPart(parse(data), compileSchema(schema));
    if ("fault" in part) {
      throw new JobFailure(
        `Processing failed: The model's answer does not fit the schema: the result ${part.fault.message}`,
      );
    }
    const calculated = userSchema === undefined ? undefined : readCalculatedFields(userSchema);
    if (calculated !== undefined && "fields" in calculated) fillCalculated(part.data, calculated);
    return { data: write(part.data), faults: part.faults.slice(0, MOST_FAULTS), faultCount: part.faults.length };
  },
};

/** The tasks behind their limits, as an extraction asks for them. */
export interface ModelWork {
  plan(task: PlanTask, limits: WorkLimits): Promise<ExtractionPlan>;
  halve(batch: Batch, limits: WorkLimits): Promise<Batch[]>;
  readAnswers(task: ReadAnswersTask, limits: WorkLimits): Promise<ReadAnswers>;
  correct(task: CorrectTask, limits: WorkLimits): Promise<CheckedData | undefined>;
  conclude(task: ConcludeTask, limits: WorkLimits): Promise<ConcludedData>;
  readPages(task: PagesTask, limits: WorkLimits): Promise<ModelPages>;
  readSchema(task: { text: string }, limits: WorkLimits): Promise<{ schema: Json } | { fault: string }>;
}
