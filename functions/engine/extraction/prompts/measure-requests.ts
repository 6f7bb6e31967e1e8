/** The size of the requests that an extraction would make of a model, without making them. */
import { JobFailure } from "../../../ports/errors.ts";
import { estimateTokens } from "../../../ports/llm-tokens.ts";
import { verifyPrompt } from "./check-prompt.ts";
import { fieldsPrompt, rowsPrompt, simplePrompt } from "./extract-prompt.ts";
import { type ExtractionPlan, type PlanRequest, planExtraction } from "./extraction-plan.ts";
import type { Prompt } from "./fence.ts";
import { Fence } from "./fence.ts";
import type { Batch } from "./field-batches.ts";
import type { PageContent } from "./model-content.ts";
import { MAX_PAGE_BEGINNING_CHARACTERS, planPrompt } from "./plan-prompt.ts";

export interface RequestSizes {
  /** Tokens of the pages. */
  content: number;
  /** The first round of requests, and the tokens of all their prompts. */
  requests: number;
  prompts: number;
  /** Tokens of a whole answer: as long as it may be. */
  answer: number;
  /** Tokens of the requests around those of STEPS: the plan, and the second look at doubtful values; else 0. */
  looks: number;
}

/** A word of the length of a request's own. */
const WORD = "0123456789abcdef0123456789abcdef";

const promptTokens = ({ messages }: Prompt): number =>
  messages.reduce((sum, { text }) => sum + estimateTokens(text), 0);

function promptOf(plan: ExtractionPlan, { prompt }: PlanRequest, batch: Batch): Prompt {
  const shown = new Set(batch.pages);
  const input = {
    fence: new Fence(WORD),
    pages: plan.pages.filter(({ number }) => shown.has(number)),
    findings: plan.findings,
    pictures: [],
    schema: batch.schema,
    answer: batch.answer,
    ...(prompt === undefined ? {} : { prompt }),
  };
  if (batch.kind === "fields") return fieldsPrompt({ ...input, names: batch.names, about: "" });
  if (batch.kind === "rows") return rowsPrompt({ ...input, name: batch.names.join(", "), own: batch.own, about: "" });
  return simplePrompt(input);
}

/** The plan has the beginnings of the pages; the second look has all of them. */
function looksOf({ mode, pages, tokens }: ExtractionPlan): number {
  if (mode !== "STEPS") return 0;
  const fence = new Fence(WORD);
  const beginnings = pages.map(({ number, text }) => ({ number, text: text.slice(0, MAX_PAGE_BEGINNING_CHARACTERS) }));
  const plan = planPrompt({ fence, pages: beginnings, groups: [] });
  return promptTokens(plan) + promptTokens(verifyPrompt({ fence, pages: [], pictures: [], doubts: [] })) + tokens;
}

/** @returns undefined for a document that no extraction can be planned of, such as one that is too long */
export function measureRequests(pages: PageContent[], request: PlanRequest): RequestSizes | undefined {
  let plan: ExtractionPlan;
  try {
    plan = planExtraction(pages, { ...request, pictures: true });
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
  return {
    content: plan.tokens,
    requests: plan.batches.length,
    prompts: plan.batches.reduce((sum, batch) => sum + promptTokens(promptOf(plan, request, batch)), 0),
    answer: plan.answerTokens,
    looks: looksOf(plan),
  };
}
