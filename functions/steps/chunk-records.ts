/** The records of one chunk: shared from the whole document, or extracted from its part of the layout. */

import { chunkLayout, pagesText } from "../engine/extraction/chunks/layout-chunks.ts";
import type { RecordForm, RecordListSpec } from "../engine/extraction/chunks/record-form.ts";
import { writeLayout } from "../engine/layout/layout-file.ts";
import type { ChunkPlan } from "../engine/tasks/plan-chunks.ts";
import { readChunkAnswerTask } from "../engine/tasks/read-chunk-answer.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../ports/json.ts";
import { modelOf } from "../service/organizations/engines.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { chunkFileName, HEADER_CHUNK } from "../service/runs/chunk-outcomes.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { extractData } from "./extract-data.ts";
import type { ExtractedData, ExtractionInput } from "./extraction-part.ts";
import { loadPages } from "./load-layout.ts";
import { recordsPrompt } from "./records-prompt.ts";

export interface ChunkShare {
  plan: ChunkPlan;
  layoutKey: string;
  command: RunCommand;
  /** Findings of the whole document. */
  findings: Omit<ExtractionInput, "layout">;
}

const chunkPages = ({ header, chunks }: ChunkPlan, index: number): readonly number[] =>
  (index === HEADER_CHUNK ? header : chunks[index]?.pages) ?? [];

/** Loads the chunk's part of the layout. */
async function loadChunkLayout(org: Organization, { plan, layoutKey }: ChunkShare, index: number) {
  const numbers = chunkPages(plan, index);
  const { facts, pages } = await loadPages(org, layoutKey, () => numbers);
  return chunkLayout(facts, pages, plan.chunks[index] ?? { pages: [...numbers] });
}

/** Keeps the findings of the given pages, and those without a page. */
function keepPages(bytes: Uint8Array | undefined, pages: readonly number[], member?: string): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  type Placed = { pageNumber?: number | null }[];
  const all = parseJsonBytes<Placed & Record<string, Placed>>(bytes);
  const keep = (list: Placed) =>
    list.filter(({ pageNumber }) => typeof pageNumber !== "number" || pages.includes(pageNumber));
  return encodeJson(member === undefined ? keep(all) : { ...all, [member]: keep(all[member] ?? []) });
}

/** The run's command adapted to this chunk. */
function chunkCommand({ plan, command }: ChunkShare, index: number): RunCommand {
  const { schema: _, prompt: __, mapReduce, ...rest } = command;
  const isHeader = index === HEADER_CHUNK;
  const chunkSchema = plan.form.kind === "list" ? plan.form.chunk : undefined;
  const schema = isHeader ? plan.headerSchema : chunkSchema;
  const chunkPrompt = isHeader ? mapReduce?.header?.prompt : recordsPrompt(command);
  return {
    ...rest,
    ...(schema === undefined ? {} : { schema }),
    ...(chunkPrompt === undefined ? {} : { prompt: chunkPrompt }),
  };
}

/** Empty data for a chunk without words: a model would invent some. */
const emptyData = (form: RecordForm, engine: string): ExtractedData => ({
  result: encodeJson(form.kind === "list" ? { [form.list]: [] } : {}),
  sources: encodeJson({ locations: {}, unresolved: [] }),
  engine,
  confidence: null,
  found: 0,
  unresolved: 0,
});

const recordListOf = (form: RecordForm): RecordListSpec | undefined =>
  form.kind === "list" ? { list: form.list, rest: form.rest, names: form.names } : undefined;

async function extractPart(
  context: StepRun,
  share: ChunkShare,
  index: number,
  extractionInput: ExtractionInput,
): Promise<ExtractedData> {
  const { form } = share.plan;
  const isHeader = index === HEADER_CHUNK;
  const list = isHeader ? undefined : recordListOf(form);
  const before = isHeader ? undefined : share.plan.chunks[index]?.before;
  const part = {
    ...(before === undefined ? {} : { before }),
    name: isHeader ? "header" : `chunk ${index}`,
    pages: pagesText(chunkPages(share.plan, index)),
    traceName: chunkFileName(index, "trace.json"),
    ...(list === undefined ? {} : { list }),
  };
  try {
    return await extractData(context, chunkCommand(share, index), extractionInput, part);
  } catch (error) {
    const isBlank = error instanceof JobFailure && error.message === JOB_SENTENCES.noText;
    if (!isBlank || isHeader) throw error;
    const model = modelOf(context.org.engines, share.command.llm);
    return emptyData(form, model?.facts(share.command.llm ?? "DEFAULT").model ?? "offline");
  }
}

/** A chunk's records, before they are counted. */
interface ChunkRecords {
  /** Absent where the answer was stored when the document was cut. */
  answer?: Uint8Array;
  records: number;
  engine: string;
}

/** Extracts the one record that a chunk's pages are; undefined where too few of its fields are found. */
async function extractSingle(
  context: StepRun,
  share: ChunkShare,
  index: number,
  { input, skipped }: ChunkInput,
): Promise<ChunkRecords | undefined> {
  const { form } = share.plan;
  if (form.kind !== "list" || form.single === undefined) return undefined;
  // All chunks together are held to the threshold.
  const open = { ...chunkCommand(share, index), schema: form.single, minConfidence: 0, trace: false };
  const single = await extractData(context, open, input);
  // Few found fields are a coincidence, not a record.
  if (single.found < single.unresolved) return undefined;
  return { ...(await readAnswer(context, single, { kind: "general" }, { index, skipped })), engine: single.engine };
}

/** A chunk's layout and findings. */
interface ChunkInput {
  input: ExtractionInput;
  skipped: ReadonlyMap<number, number>;
}

async function loadChunkInput(org: Organization, share: ChunkShare, index: number): Promise<ChunkInput> {
  const { layout, skipped } = await loadChunkLayout(org, share, index);
  const pages = chunkPages(share.plan, index);
  const { barcodes, acroForm } = share.findings;
  const input = {
    layout: writeLayout(layout),
    barcodes: keepPages(barcodes, pages),
    acroForm: keepPages(acroForm, pages, "fields"),
  };
  return { input, skipped };
}

/** The place of a chunk, with the text that a model was given as context. */
interface AnswerPlace {
  index: number;
  skipped: ReadonlyMap<number, number>;
  before?: string;
}

const readAnswer = (
  { org, deadline }: StepRun,
  { result, sources, validationErrors: faults = [], statements = {} }: ExtractedData,
  form: RecordForm,
  { index, skipped, ...before }: AnswerPlace,
): Promise<{ answer: Uint8Array; records: number }> => {
  const header = index === HEADER_CHUNK;
  const payload = { result, sources, faults, form, header, skipped: [...skipped], statements, ...before };
  return org.engines.documents.run(readChunkAnswerTask, payload, { deadline });
};

/** True for a document most of whose chunks have rows: its other chunks are no records. */
const isListOfRows = (records: readonly number[]): boolean =>
  records.filter((count) => count > 0).length * 2 >= records.length;

/** Extracts a chunk's records, or the header. @throws JobFailure; retryable errors */
export async function extractRecords(context: StepRun, share: ChunkShare, index: number): Promise<ChunkRecords> {
  const { form, records: shared } = share.plan;
  const header = index === HEADER_CHUNK;
  const known = header ? undefined : shared?.[index];
  if (known !== undefined && shared !== undefined) {
    const read = { records: known, engine: "offline" };
    if (known > 0 || isListOfRows(shared)) return read;
    return (await extractSingle(context, share, index, await loadChunkInput(context.org, share, index))) ?? read;
  }
  const chunk = await loadChunkInput(context.org, share, index);
  const data = await extractPart(context, share, index, chunk.input);
  const before = header || data.engine === "offline" ? undefined : share.plan.chunks[index]?.before;
  const place = { index, skipped: chunk.skipped, ...(before === undefined ? {} : { before }) };
  const read = await readAnswer(context, data, form, place);
  // On a page that is a single record, the offline extractor finds fields but no rows.
  const single =
    header || read.records > 0 || data.engine !== "offline"
      ? undefined
      : await extractSingle(context, share, index, chunk);
  return single ?? { ...read, engine: data.engine };
}
