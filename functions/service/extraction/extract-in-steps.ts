/** Extraction in steps: find out what the document is and where its parts are, extract them, look again at doubtful values. */

import type { CheckedData } from "../../engine/extraction/answers/check-data.ts";
import { CORRECTIONS_SCHEMA } from "../../engine/extraction/answers/corrections.ts";
import type { Doubt } from "../../engine/extraction/answers/doubts.ts";
import { verifyPrompt } from "../../engine/extraction/prompts/check-prompt.ts";
import type { Batch } from "../../engine/extraction/prompts/field-batches.ts";
import { PLAN_ANSWER, planPrompt } from "../../engine/extraction/prompts/plan-prompt.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { correctDataTask } from "../../engine/tasks/correct-data.ts";
import { isObject, type Json, own } from "../../ports/json.ts";
import { type AskedBatch, BatchCalls } from "./batch-calls.ts";
import type { ExtractionRun } from "./extraction-run.ts";

/** Shorter documents are shown whole to every group of fields. */
const WHOLE_PAGES = 8;
/** Characters of the beginnings of pages that the plan is made from: of each page, and of all. */
const PAGE_BEGINNING = 600;
const ALL_BEGINNINGS = 60_000;
const PLAN_TOKENS = 4_000;
/** Values that get a second look. */
const MOST_DOUBTS = 40;
/** Of the answer. */
const TOKENS_OF_DOUBT = 50;
const LONGEST_ABOUT = 60;

/** What planning found: words of the document, so only letters of it are kept. */
const plainWords = (value: Json | undefined): string =>
  typeof value === "string"
    ? value
        .replace(/[^\p{L}\p{N} -]/gu, " ")
        .trim()
        .slice(0, LONGEST_ABOUT)
    : "";

/** The pages on which groups stand, with their neighbours: values go over the edge. */
function pagesById(answer: Json | undefined, all: readonly number[]): Map<string, number[]> {
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

/** Tells the calls what the document is. @returns the batches with the pages that each needs */
async function classify(run: ExtractionRun, batches: BatchCalls): Promise<Batch[]> {
  const { plan, request, collaborators } = run;
  const { calls } = collaborators;
  const groups = plan.batches.filter(({ kind }) => kind === "fields").map(({ id, names }) => ({ id, names }));
  const length = Math.min(PAGE_BEGINNING, Math.ceil(ALL_BEGINNINGS / Math.max(1, plan.pages.length)));
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
    { maxTokens: PLAN_TOKENS },
  );
  const found = findJson(answer.text);
  const kind = isObject(found) ? plainWords(own(found, "document_type")) : "";
  const language = isObject(found) ? plainWords(own(found, "language")) : "";
  batches.about = [kind, language === "" ? "" : `language ${language}`].filter((part) => part !== "").join(", ");
  const pages = pagesById(
    found,
    plan.pages.map(({ number }) => number),
  );
  calls.trace.event("chain_end", "classify", { response: batches.about, since });
  if (plan.pages.length <= WHOLE_PAGES) return plan.batches;
  return plan.batches.map((batch) => {
    const chosen = batch.kind === "fields" ? pages.get(batch.id) : undefined;
    return chosen === undefined || chosen.length === 0 ? batch : { ...batch, pages: chosen };
  });
}

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.values(value).every(isEmpty));

/** A group whose values were not on the pages that it was said to be on is asked for on all pages. */
async function askElsewhere(
  run: ExtractionRun,
  batches: BatchCalls,
  asked: readonly AskedBatch[],
): Promise<AskedBatch[]> {
  const all = run.plan.pages.map(({ number }) => number);
  const elsewhere = asked.filter(({ batch, text }) => {
    if (batch.kind !== "fields" || batch.pages.length === all.length) return false;
    const found = findJson(text);
    return found !== undefined && isEmpty(found);
  });
  if (elsewhere.length === 0) return [...asked];
  const again = await batches.askAll(elsewhere.map(({ batch }) => ({ ...batch, pages: all })));
  return [...asked.filter((one) => !elsewhere.includes(one)), ...again];
}

/** A second look at values that the text does not have. */
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
  if (calls.roomFor(prompt) < doubts.length * TOKENS_OF_DOUBT) {
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
  const planned = await classify(run, batches);
  const since = calls.trace.event("chain_start", "extract");
  const asked = await askElsewhere(run, batches, await batches.askAll(planned));
  const read = await batches.read(asked, MOST_DOUBTS);
  calls.trace.event("chain_end", "extract", { since });
  return read.doubts.length === 0 ? read : verify(run, batches, read, read.doubts);
}
