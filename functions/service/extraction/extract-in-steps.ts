/** Extraction in steps: classify the document and locate its parts, extract them, verify doubtful values. */

import type { CheckedData } from "../../engine/extraction/answers/check-data.ts";
import { CORRECTIONS_SCHEMA } from "../../engine/extraction/answers/corrections.ts";
import type { Doubt } from "../../engine/extraction/answers/doubts.ts";
import { verifyPrompt } from "../../engine/extraction/prompts/check-prompt.ts";
import type { Batch } from "../../engine/extraction/prompts/field-batches.ts";
import { MAX_PAGE_BEGINNING_CHARACTERS, PLAN_ANSWER, planPrompt } from "../../engine/extraction/prompts/plan-prompt.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { correctDataTask } from "../../engine/tasks/correct-data.ts";
import { isObject, type Json, own } from "../../ports/json.ts";
import { type AnsweredBatch, BatchCalls } from "./batch-calls.ts";
import type { ExtractionRun } from "./extraction-run.ts";

/** Up to this many pages, every request gets the whole document. */
const MAX_WHOLE_DOCUMENT_PAGES = 8;
/** Most characters of all pages' beginnings in the planning prompt. */
const MAX_BEGINNINGS_CHARACTERS = 60_000;
/** Characters of all beginnings for each token of the model's context: a quarter of it, at three characters a token. */
const BEGINNINGS_CHARACTERS_PER_CONTEXT_TOKEN = 0.75;
const MAX_PLAN_TOKENS = 4_000;
/** Most values to verify. */
const MAX_DOUBTS = 40;
/** Tokens of the answer per value to verify. */
const TOKENS_PER_DOUBT = 50;
const MAX_DESCRIPTION_CHARACTERS = 60;

/** Text of a planning answer. It may quote the document, so only letters, digits, blanks and hyphens are kept. */
const plainWords = (value: Json | undefined): string =>
  typeof value === "string"
    ? value
        .replace(/[^\p{L}\p{N} -]/gu, " ")
        .trim()
        .slice(0, MAX_DESCRIPTION_CHARACTERS)
    : "";

/** The pages of each group of fields, with their neighbours, as values may continue there. */
function pagesByGroup(answer: Json | undefined, all: readonly number[]): Map<string, number[]> {
  const groups = isObject(answer) ? own(answer, "groups") : undefined;
  const found = new Map<string, number[]>();
  for (const group of Array.isArray(groups) ? groups : []) {
    if (!isObject(group)) continue;
    const [id, pages] = [own(group, "id"), own(group, "pages")];
    if (typeof id !== "string" || !Array.isArray(pages)) continue;
    const near = new Set(pages.flatMap((page) => (typeof page === "number" ? [page - 1, page, page + 1] : [])));
    found.set(
      id,
      all.filter((page) => near.has(page)),
    );
  }
  return found;
}

/** Classifies the document, for the later prompts. @returns the batches with the pages that each needs */
async function classify(run: ExtractionRun, batches: BatchCalls): Promise<Batch[]> {
  const { plan, request, collaborators } = run;
  const { calls } = collaborators;
  const isParted = plan.batches.some(({ partial }) => partial === true);
  const groups = isParted
    ? []
    : plan.batches.filter(({ kind }) => kind === "fields").map(({ id, names }) => ({ id, names }));
  const most = Math.min(MAX_BEGINNINGS_CHARACTERS, calls.facts.contextTokens * BEGINNINGS_CHARACTERS_PER_CONTEXT_TOKEN);
  const length = Math.min(MAX_PAGE_BEGINNING_CHARACTERS, Math.ceil(most / Math.max(1, plan.pages.length)));
  const since = calls.trace.event("chain_start", "classify");
  const prompt = planPrompt({
    fence: calls.fence(),
    pages: plan.pages.map(({ number, text }) => ({ number, text: text.slice(0, length) })),
    groups,
    ...(request.prompt === undefined ? {} : { prompt: request.prompt }),
  });
  const answer = await calls.ask(
    prompt,
    { kind: "json", name: "plan", schema: PLAN_ANSWER },
    { maxTokens: MAX_PLAN_TOKENS },
  );
  const found = findJson(answer.text);
  const kind = isObject(found) ? plainWords(own(found, "document_type")) : "";
  const language = isObject(found) ? plainWords(own(found, "language")) : "";
  batches.documentDescription = [kind, language === "" ? "" : `language ${language}`]
    .filter((part) => part !== "")
    .join(", ");
  const pages = pagesByGroup(
    found,
    plan.pages.map(({ number }) => number),
  );
  calls.trace.event("chain_end", "classify", { response: batches.documentDescription, since });
  if (isParted || plan.pages.length <= MAX_WHOLE_DOCUMENT_PAGES) return plan.batches;
  return plan.batches.map((batch) => {
    const chosen = batch.kind === "fields" ? pages.get(batch.id) : undefined;
    return chosen === undefined || chosen.length === 0 ? batch : { ...batch, pages: chosen };
  });
}

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.values(value).every(isEmpty));

/** Repeats, on all pages, the requests for groups that had no values on their planned pages. */
async function repeatOnAllPages(
  run: ExtractionRun,
  batches: BatchCalls,
  answered: readonly AnsweredBatch[],
): Promise<AnsweredBatch[]> {
  const all = run.plan.pages.map(({ number }) => number);
  const empty = answered.filter(({ batch, text }) => {
    if (batch.kind !== "fields" || batch.partial === true || batch.pages.length === all.length) return false;
    const found = findJson(text);
    return found !== undefined && isEmpty(found);
  });
  if (empty.length === 0) return [...answered];
  const wishes = empty.map(({ batch }) => ({ ...batch, pages: all }));
  const again = await run.collaborators.calls.ifPaid(() => batches.askAll(wishes), empty);
  return [...answered.filter((one) => !empty.includes(one)), ...again];
}

/** Verifies values that are not found in the text. */
async function verify(
  run: ExtractionRun,
  batches: BatchCalls,
  checked: CheckedData,
  doubts: Doubt[],
): Promise<CheckedData> {
  const { plan, collaborators, limits } = run;
  const { calls, engine } = collaborators;
  const since = calls.trace.event("chain_start", "verify");
  const pictures = await batches.picturesOf(plan.pages.map(({ number }) => number));
  const prompt = verifyPrompt({ fence: calls.fence(), pages: plan.pages, pictures, doubts });
  if (calls.roomFor(prompt) < doubts.length * TOKENS_PER_DOUBT) {
    calls.trace.event("error", prompt.id, { response: "There is no room in the model's context for a second look" });
    return checked;
  }
  const answer = await calls.ask(prompt, { kind: "json", name: "corrections", schema: CORRECTIONS_SCHEMA });
  const { schema, conventions } = plan;
  const pointers = doubts.map(({ pointer }) => pointer);
  const again =
    answer.finish === "length"
      ? undefined
      : await engine.run(
          correctDataTask,
          { schema, conventions, data: checked.data, text: answer.text, pointers, wrapped: false },
          limits,
        );
  calls.trace.event("chain_end", "verify", {
    response: again === undefined ? "no use" : `${pointers.length} values`,
    since,
  });
  return again ?? checked;
}

/** Classify and plan, extract by parts, verify. */
export async function runSteps(run: ExtractionRun): Promise<CheckedData> {
  const { calls } = run.collaborators;
  const batches = new BatchCalls(run);
  const planned = await calls.ifPaid(() => classify(run, batches), run.plan.batches);
  const since = calls.trace.event("chain_start", "extract");
  const answered = await repeatOnAllPages(run, batches, await batches.askAll(planned));
  const read = await batches.read(answered, MAX_DOUBTS);
  calls.trace.event("chain_end", "extract", { since });
  if (read.doubts.length === 0) return read;
  return calls.ifPaid<CheckedData>(() => verify(run, batches, read, read.doubts), read);
}
