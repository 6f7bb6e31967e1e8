/** The step of a chunk: its pages of the layout, its data, its records. */

import { chunkLayout, pagesText } from "../engine/extraction/chunks/layout-chunks.ts";
import type { RecordForm, RecordListSpec } from "../engine/extraction/chunks/record-form.ts";
import { writeLayout } from "../engine/layout/layout-file.ts";
import type { ChunkPlan } from "../engine/tasks/plan-chunks.ts";
import { readChunkAnswerTask } from "../engine/tasks/read-chunk-answer.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../ports/json.ts";
import type { Organization } from "../service/organizations/organization.ts";
import {
  type ChunkFacts,
  chunkFile,
  chunkFileName,
  chunkKey,
  countChunk,
  HEADER_CHUNK,
  loadTally,
} from "../service/runs/chunk-outcomes.ts";
import type { StepOutcome } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { memoize } from "../service/runs/once.ts";
import { findRun, loadCommand } from "../service/runs/open-run.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepFacts, type StepRun } from "../service/runs/run-step.ts";
import { INTERNAL_SENTENCE, RunClosed } from "../service/runs/step-errors.ts";
import { loadOutcomes, sentenceOfCause } from "../service/runs/step-outcomes.ts";
import { MODEL_GIVE_UP_MS } from "./ask-model.ts";
import { defineStep, type StepInput } from "./define-step.ts";
import { type ExtractedData, extractData, loadFindings } from "./extract-data.ts";
import type { ExtractionInput } from "./extraction-part.ts";
import { loadPlan } from "./load-chunk-plan.ts";
import { loadPages } from "./load-layout.ts";

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

const joinPrompts = (...texts: (string | undefined)[]): string | undefined => {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join("\n\n");
};

/** The run's command adapted to this chunk. */
function chunkCommand({ plan, command }: ChunkShare, index: number): RunCommand {
  const { schema: _, prompt, mapReduce, ...rest } = command;
  const isHeader = index === HEADER_CHUNK;
  const chunkSchema = plan.form.kind === "list" ? plan.form.chunk : undefined;
  const schema = isHeader ? plan.headerSchema : chunkSchema;
  const chunkPrompt = isHeader ? mapReduce?.header?.prompt : joinPrompts(prompt, mapReduce?.header?.rowPrompt);
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
  const part = {
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
    const { model } = context.org.engines;
    return emptyData(form, model?.facts(share.command.llm ?? "DEFAULT").model ?? "offline");
  }
}

/** Number of consecutive empty chunks before this one; known where chunks are processed in order. */
async function emptyChunksBefore(org: Organization, { guid, run }: StepInput, index: number): Promise<number> {
  if (index === 0) return 0;
  const before = (await org.records.get<StepOutcome>(chunkKey(guid, run, index - 1)))?.value;
  return (before?.output as Partial<ChunkFacts> | undefined)?.emptyInRow ?? 0;
}

async function extractRecords(
  context: StepRun,
  input: StepInput,
  share: ChunkShare,
  index: number,
): Promise<ChunkFacts> {
  const { org, deadline } = context;
  const { layout, skipped } = await loadChunkLayout(org, share, index);
  const pages = chunkPages(share.plan, index);
  const { barcodes, acroForm } = share.findings;
  const extractionInput = {
    layout: writeLayout(layout),
    barcodes: keepPages(barcodes, pages),
    acroForm: keepPages(acroForm, pages, "fields"),
  };
  const { form } = share.plan;
  const header = index === HEADER_CHUNK;
  const read = ({ result, sources, validationErrors: faults = [] }: ExtractedData, as: RecordForm) =>
    org.engines.documents.run(
      readChunkAnswerTask,
      { result, sources, faults, form: as, header, skipped: [...skipped] },
      { deadline },
    );
  const data = await extractPart(context, share, index, extractionInput);
  let { answer, records } = await read(data, form);
  // On a page that is a single record, the offline extractor finds fields but no rows.
  if (!header && records === 0 && data.engine === "offline" && form.kind === "list" && form.single !== undefined) {
    const single = await extractData(context, { ...chunkCommand(share, index), schema: form.single }, extractionInput);
    // Few found fields are a coincidence, not a record.
    if (single.found >= single.unresolved) ({ answer, records } = await read(single, { kind: "general" }));
  }
  const answerKey = chunkFile(input.guid, input.run, index);
  await org.blobs.put(answerKey, answer, { contentType: "application/json" });
  const emptyInRow = header || records > 0 ? 0 : (await emptyChunksBefore(org, input, index)) + 1;
  return { answerKey, records, emptyInRow, engine: data.engine };
}

/** Processes one chunk. @throws what ends the whole run; retryable errors */
async function runChunk(org: Organization, input: StepInput, share: ChunkShare, index: number): Promise<void> {
  const { guid, run, failure } = input;
  const { mapReduce } = share.command;
  const isOver = (deadline: number): boolean => org.engines.clock.now() >= deadline - MODEL_GIVE_UP_MS;
  let runIsOver = false;
  const place = { key: chunkKey(guid, run, index), onFailure: countChunk(guid, run, index, { failed: true }) };
  const processChunk = async (context: StepRun): Promise<{ facts: StepFacts; also: ReturnType<typeof countChunk> }> => {
    try {
      if (failure !== undefined) throw new JobFailure(sentenceOfCause(failure.Cause) ?? INTERNAL_SENTENCE);
      const facts = await extractRecords(context, input, share, index);
      const stops = mapReduce?.stopWhenEmpty === true && facts.emptyInRow > mapReduce.grace;
      const stop = stops ? { stopAfter: facts.emptyInRow } : {};
      return { facts: { ...facts }, also: countChunk(guid, run, index, stop) };
    } catch (error) {
      runIsOver = isOver(context.deadline);
      throw error;
    }
  };
  try {
    await runStep(org, input, `chunk/${index === HEADER_CHUNK ? "header" : index}`, processChunk, place);
  } catch (error) {
    // A failed chunk is missing from the result; past the run's deadline the run itself fails.
    if (!(error instanceof JobFailure) || runIsOver) throw error;
  }
}

/** Loads the command of an open run. @throws RunClosed */
async function loadOpenCommand(org: Organization, { guid, run }: StepInput): Promise<RunCommand> {
  const found = findRun((await loadJob(org, guid)).value, run);
  if (found === undefined) throw new RunClosed();
  return loadCommand(org, found);
}

/** Processes the chunks of one iteration, one after the other; each records its own outcome. */
export const extractChunk = defineStep(async (org, input) => {
  const { guid, run, share: [first, last] = [0, -1] } = input;
  const loader = { org, readOutcomes: memoize(() => loadOutcomes(org, guid, run)) };
  const share = {
    ...(await loadPlan(loader)),
    command: await loadOpenCommand(org, input),
    findings: await loadFindings(loader),
  };
  const stopping = share.command.mapReduce?.stopWhenEmpty === true;
  for (let index = first; index <= last; index += 1) {
    const { stop = 0 } = (stopping ? await loadTally(org, guid, run) : undefined) ?? {};
    if (stop > 0 && index >= stop) break;
    await runChunk(org, input, share, index);
  }
  return {};
});
