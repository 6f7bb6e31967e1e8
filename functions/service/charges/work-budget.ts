/** What a run's work costs, reserved in its budget: calls of models, and pages for text recognition. */

import { type LlmTier, MIN_ANSWER_TOKENS } from "../../ports/llm.ts";
import type { OcrLevel } from "../../ports/ocr.ts";
import { blendedTokens, isExempt, MILLIONTHS, providerPageRate, tierRate } from "../billing/rate.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { CallBudget } from "../extraction/model-calls.ts";
import { ocrOf } from "../organizations/engines.ts";
import type { Organization } from "../organizations/organization.ts";
import { type BudgetStore, budgetOf, type TokenBudget } from "./token-budget.ts";

/** Tokens that a call reserves for its answer, for each of its prompt: few answers are longer. */
const ANSWER_SHARE = 2;
const LEAST_ANSWER_SHARE_TOKENS = 1_000;

/** Work that waits for tokens of others must not keep them from their turn. */
function storeOf({ records, engines }: Organization): BudgetStore {
  const { clock, whileWaiting = (work) => work() } = engines;
  const sleep = (milliseconds: number): Promise<void> => whileWaiting(() => clock.sleep(milliseconds));
  return { records, clock: { now: () => clock.now(), sleep } };
}

const nowIso = ({ engines }: Organization): string => new Date(engines.clock.now()).toISOString();

/** The budget of a run's calls to a tier; undefined where it has no limit, and for a tier that costs nothing. */
export function callBudgetOf(
  org: Organization,
  billing: RunBilling | undefined,
  tier: LlmTier,
  providerKey: string,
): CallBudget | undefined {
  const budget = budgetOf(storeOf(org), billing);
  const rate = tierRate(org.config.billing.rates, tier, nowIso(org));
  if (budget === undefined || rate === 0) return undefined;
  if (isExempt({ provider_key: providerKey, billing_exempt: false })) return undefined;
  return {
    async reserve(name, prompt, maxTokens) {
      const share = Math.min(maxTokens, Math.max(LEAST_ANSWER_SHARE_TOKENS, prompt * ANSWER_SHARE));
      const cost = (answer: number): number => blendedTokens(prompt + answer, rate);
      const tokens = await budget.reserve(name, cost(MIN_ANSWER_TOKENS), cost(share));
      const payable = Math.floor((tokens * MILLIONTHS) / rate) - prompt;
      return Math.max(MIN_ANSWER_TOKENS, Math.min(maxTokens, payable));
    },
    async settle(name, tokens) {
      await budget.settle(name, tokens === undefined ? 0 : blendedTokens(tokens.prompt + tokens.completion, rate));
    },
  };
}

/** The run whose pages are recognised. */
export interface RecognisedRun {
  org: Organization;
  job: { guid: string };
  run: { run: number; billing?: RunBilling };
}

interface PageBudget {
  budget: TokenBudget;
  name: string;
  rate: number;
}

function pageBudgetOf({ org, job, run }: RecognisedRun, level: OcrLevel): PageBudget | undefined {
  const budget = budgetOf(storeOf(org), run.billing);
  const rate = providerPageRate(org.config.billing.rates, ocrOf(org.engines, level)?.name ?? "", nowIso(org));
  if (budget === undefined || rate === 0) return undefined;
  return { budget, name: `pages/${job.guid}/${run.run}/${level}`, rate };
}

/** Reserves pages that text recognition is about to read. @throws JobFailure when the budget has too few tokens */
export async function reservePages(run: RecognisedRun, pages: number, level: OcrLevel): Promise<void> {
  const found = pages === 0 ? undefined : pageBudgetOf(run, level);
  if (found === undefined) return;
  const tokens = pages * found.rate;
  await found.budget.reserve(found.name, tokens, tokens);
}

/** Ends the reservation: pages that were not recognised cost nothing. */
export async function settlePages(run: RecognisedRun, recognised: number, level: OcrLevel): Promise<void> {
  const found = pageBudgetOf(run, level);
  await found?.budget.settle(found.name, recognised * found.rate);
}
