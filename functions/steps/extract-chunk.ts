/** The step of a chunk: its part of the layout, its data, the records in it. */

import { chunkLayout, pagesText } from "../engine/extraction/chunks/layout-chunks.ts";
import type { ListWish, RecordForm } from "../engine/extraction/chunks/record-form.ts";
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
  counted,
  HEADER_CHUNK,
  loadTally,
} from "../service/runs/chunk-outcomes.ts";
import type { StepOutcome } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { once } from "../service/runs/once.ts";
import { findRun, loadCommand } from "../service/runs/open-run.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepFacts, type StepRun } from "../service/runs/run-step.ts";
import { INTERNAL_SENTENCE, RunClosed } from "../service/runs/step-errors.ts";
import { loadOutcomes, sentenceOfCause } from "../service/runs/step-outcomes.ts";
import { loadPlan } from "./chunk-plan.ts";
import { type ExtractedData, extractData, loadFindings } from "./extract-data.ts";
import { loadPages } from "./layout.ts";
import { LAST_MOMENT_MS } from "./model-calls.ts";
import type { Known } from "./part-wish.ts";
import { defineStep, type StepInput } from "./step.ts";

export interface Share {
  plan: ChunkPlan;
  layoutKey: string;
  command: RunCommand;
  /** Of the whole document. */
  findings: Omit<Known, "layout">;
}

const pagesOf = ({ header, chunks }: ChunkPlan, index: number): readonly number[] =>
  (index === HEADER_CHUNK ? header : chunks[index]?.pages) ?? [];

/** The chunk's part of the layout. */
async function loadPart(org: Organization, { plan, layoutKey }: Share, index: number) {
  const numbers = pagesOf(plan, index);
  const { facts, pages } = await loadPages(org, layoutKey, () => numbers);
  return chunkLayout(facts, pages, plan.chunks[index] ?? { pages: [...numbers] });
}

/** Of what was found on other pages, nothing. */
function onPages(bytes: Uint8Array | undefined, pages: readonly number[], member?: string): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  type Placed = { pageNumber?: number | null }[];
  const all = parseJsonBytes<Placed & Record<string, Placed>>(bytes);
  const keep = (list: Placed) =>
    list.filter(({ pageNumber }) => typeof pageNumber !== "number" || pages.includes(pageNumber));
  return encodeJson(member === undefined ? keep(all) : { ...all, [member]: keep(all[member] ?? []) });
}

const joined = (...texts: (string | undefined)[]): string | undefined => {
  const said = texts.filter((text) => text !== undefined);
  return said.length === 0 ? undefined : said.join("\n\n");
};

/** The run's command as it is for this chunk. */
function commandOf({ plan, command }: Share, index: number): RunCommand {
  const { schema: _, prompt, mapReduce, ...rest } = command;
  const isHeader = index === HEADER_CHUNK;
  const chunkSchema = plan.form.kind === "list" ? plan.form.chunk : undefined;
  const schema = isHeader ? plan.headerSchema : chunkSchema;
  const wish = isHeader ? mapReduce?.header?.prompt : joined(prompt, mapReduce?.header?.rowPrompt);
  return { ...rest, ...(schema === undefined ? {} : { schema }), ...(wish === undefined ? {} : { prompt: wish }) };
}

/** Data of nothing, for a chunk without a word: a model would make something up. */
const nothing = (form: RecordForm, engine: string): ExtractedData => ({
  result: encodeJson(form.kind === "list" ? { [form.list]: [] } : {}),
  sources: encodeJson({ locations: {}, unresolved: [] }),
  engine,
  confidence: null,
  found: 0,
  unresolved: 0,
});

const listOf = (form: RecordForm): ListWish | undefined =>
  form.kind === "list" ? { list: form.list, rest: form.rest, names: form.names } : undefined;

async function extractPart(context: StepRun, share: Share, index: number, known: Known): Promise<ExtractedData> {
  const { form } = share.plan;
  const isHeader = index === HEADER_CHUNK;
  const list = isHeader ? undefined : listOf(form);
  const part = {
    name: isHeader ? "header" : `chunk ${index}`,
    pages: pagesText(pagesOf(share.plan, index)),
    traceName: chunkFileName(index, "trace.json"),
    ...(list === undefined ? {} : { list }),
  };
  try {
    return await extractData(context, commandOf(share, index), known, part);
  } catch (error) {
    const isBlank = error instanceof JobFailure && error.message === JOB_SENTENCES.noText;
    if (!isBlank || isHeader) throw error;
    const { model } = context.org.engines;
    return nothing(form, model?.facts(share.command.llm ?? "DEFAULT").model ?? "offline");
  }
}

/** Chunks without a record before this one; known where they come one after the other. */
async function emptyBefore(org: Organization, { guid, run }: StepInput, index: number): Promise<number> {
  if (index === 0) return 0;
  const before = (await org.records.get<StepOutcome>(chunkKey(guid, run, index - 1)))?.value;
  return (before?.output as Partial<ChunkFacts> | undefined)?.emptyInRow ?? 0;
}

async function work(context: StepRun, input: StepInput, share: Share, index: number): Promise<ChunkFacts> {
  const { org, deadline } = context;
  const { layout, skipped } = await loadPart(org, share, index);
  const pages = pagesOf(share.plan, index);
  const { barcodes, acroForm } = share.findings;
  const known = {
    layout: writeLayout(layout),
    barcodes: onPages(barcodes, pages),
    acroForm: onPages(acroForm, pages, "fields"),
  };
  const { form } = share.plan;
  const header = index === HEADER_CHUNK;
  const read = ({ result, sources, validationErrors: faults = [] }: ExtractedData, as: RecordForm) =>
    org.engines.documents.run(
      readChunkAnswerTask,
      { result, sources, faults, form: as, header, skipped: [...skipped] },
      { deadline },
    );
  const data = await extractPart(context, share, index, known);
  let { answer, records } = await read(data, form);
  // Of a page that is one record, the offline extractor finds no rows but the fields.
  if (!header && records === 0 && data.engine === "offline" && form.kind === "list" && form.single !== undefined) {
    const single = await extractData(context, { ...commandOf(share, index), schema: form.single }, known);
    // A value here and there is what pages have in common, and no record.
    if (single.found >= single.unresolved) ({ answer, records } = await read(single, { kind: "general" }));
  }
  const answerKey = chunkFile(input.guid, input.run, index);
  await org.blobs.put(answerKey, answer, { contentType: "application/json" });
  const emptyInRow = header || records > 0 ? 0 : (await emptyBefore(org, input, index)) + 1;
  return { answerKey, records, emptyInRow, engine: data.engine };
}

/** One chunk, once. @throws what ends the whole run, or may go better at once */
async function runChunk(org: Organization, input: StepInput, share: Share, index: number): Promise<void> {
  const { guid, run, failure } = input;
  const { mapReduce } = share.command;
  const over = (deadline: number): boolean => org.engines.clock.now() >= deadline - LAST_MOMENT_MS;
  let ended = false;
  const place = { key: chunkKey(guid, run, index), failed: counted(guid, run, index, { failed: true }) };
  const one = async (context: StepRun): Promise<{ facts: StepFacts; also: ReturnType<typeof counted> }> => {
    try {
      if (failure !== undefined) throw new JobFailure(sentenceOfCause(failure.Cause) ?? INTERNAL_SENTENCE);
      const facts = await work(context, input, share, index);
      const stops = mapReduce?.stopWhenEmpty === true && facts.emptyInRow > mapReduce.grace;
      const stop = stops ? { stopAfter: facts.emptyInRow } : {};
      return { facts: { ...facts }, also: counted(guid, run, index, stop) };
    } catch (error) {
      ended = over(context.deadline);
      throw error;
    }
  };
  try {
    await runStep(org, input, `chunk/${index === HEADER_CHUNK ? "header" : index}`, one, place);
  } catch (error) {
    // A chunk that failed is missing from the result; a run whose time is over has failed itself.
    if (!(error instanceof JobFailure) || ended) throw error;
  }
}

/** The command of an open run. @throws RunClosed */
async function loadOpenCommand(org: Organization, { guid, run }: StepInput): Promise<RunCommand> {
  const found = findRun((await loadJob(org, guid)).value, run);
  if (found === undefined) throw new RunClosed();
  return loadCommand(org, found);
}

/** The chunks of one iteration, one after the other; each leaves an outcome of its own. */
export const extractChunk = defineStep(async (org, input) => {
  const { guid, run, share: [first, last] = [0, -1] } = input;
  const before = { org, readOutcomes: once(() => loadOutcomes(org, guid, run)) };
  const share = {
    ...(await loadPlan(before)),
    command: await loadOpenCommand(org, input),
    findings: await loadFindings(before),
  };
  const stopping = share.command.mapReduce?.stopWhenEmpty === true;
  for (let index = first; index <= last; index += 1) {
    const { stop = 0 } = (stopping ? await loadTally(org, guid, run) : undefined) ?? {};
    if (stop > 0 && index >= stop) break;
    await runChunk(org, input, share, index);
  }
  return {};
});
