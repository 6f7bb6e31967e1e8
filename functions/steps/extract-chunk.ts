/** The step of a chunk: its records, its answer, its outcome. */

import { writeLayout } from "../engine/layout/layout-file.ts";
import { unreadRowsTask } from "../engine/tasks/unread-rows.ts";
import { JobFailure } from "../ports/errors.ts";
import { LAYOUT_VERSION } from "../ports/layout.ts";
import type { Organization } from "../service/organizations/organization.ts";
import {
  type ChunkFacts,
  chunkFile,
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
import { type ChunkShare, extractRecords } from "./chunk-records.ts";
import { defineStep, type StepInput } from "./define-step.ts";
import { loadPlan } from "./load-chunk-plan.ts";
import { loadFindings } from "./load-findings.ts";
import { loadPages } from "./load-layout.ts";
import { recordsPrompt } from "./records-prompt.ts";

/** Counts the rows that stand on an empty chunk's pages and continue the list of the last chunk with records. */
async function countUnreadRows(
  { org, deadline }: StepRun,
  { guid, run }: StepInput,
  { plan, layoutKey, command }: ChunkShare,
  index: number,
  lastFilled: number | undefined,
): Promise<number> {
  const { form, chunks } = plan;
  const pages = chunks[index]?.pages ?? [];
  const wanted = [...(lastFilled === undefined ? [] : (chunks[lastFilled]?.pages ?? [])), ...pages];
  const { facts, pages: loaded } = await loadPages(org, layoutKey, () => [...new Set(wanted)]);
  const before = lastFilled === undefined ? undefined : await org.blobs.get(chunkFile(guid, run, lastFilled));
  const own = await org.blobs.get(chunkFile(guid, run, index));
  const prompt = recordsPrompt(command);
  const payload = {
    layout: writeLayout({ ...facts, v: LAYOUT_VERSION, pages: loaded }),
    form,
    pages,
    ...(before === undefined ? {} : { before }),
    ...(own === undefined ? {} : { own }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  return (await org.engines.documents.run(unreadRowsTask, payload, { deadline })).rows;
}

/** Facts of the chunk before this one; known where chunks are processed in order. */
async function factsBefore(org: Organization, { guid, run }: StepInput, index: number): Promise<Partial<ChunkFacts>> {
  if (index <= 0) return {};
  const before = (await org.records.get<StepOutcome>(chunkKey(guid, run, index - 1)))?.value;
  return (before?.output as Partial<ChunkFacts> | undefined) ?? {};
}

/** Extracts a chunk's records, stores its answer, and counts the empty chunks in a row. */
async function processRecords(
  context: StepRun,
  input: StepInput,
  share: ChunkShare,
  index: number,
): Promise<ChunkFacts> {
  const { org } = context;
  const { answer, records, engine } = await extractRecords(context, share, index);
  const answerKey = chunkFile(input.guid, input.run, index);
  if (answer !== undefined) await org.blobs.put(answerKey, answer, { contentType: "application/json" });
  const done = { answerKey, records, engine };
  if (share.command.mapReduce?.stopWhenEmpty !== true || index === HEADER_CHUNK) return { ...done, emptyInRow: 0 };
  if (records > 0) return { ...done, emptyInRow: 0, lastFilled: index };
  const { emptyInRow = 0, lastFilled } = await factsBefore(org, input, index);
  // A page that holds rows is not empty, also where none of them could be read.
  const unread = await countUnreadRows(context, input, share, index, lastFilled);
  return {
    ...done,
    emptyInRow: unread > 0 ? 0 : emptyInRow + 1,
    ...(lastFilled === undefined ? {} : { lastFilled }),
  };
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
      const facts = await processRecords(context, input, share, index);
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
