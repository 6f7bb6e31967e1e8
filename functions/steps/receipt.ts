/** A result held against the rows of its pages. */

import type { Receipt } from "../engine/completeness/completeness-report.ts";
import { receiptTask } from "../engine/tasks/receipt.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";

/** What an extraction gave, whoever made it. */
export interface Made {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
  facts: { found: number; unresolved: number; confidence: number | null };
}

/**
 * The result with its receipt; `partial` where rows are missing that nobody left out on purpose.
 * @param how `declined`: rows that a model said to be none of a list; `fill`: missing rows are read from the page;
 *   `pages`: those whose rows count
 * @throws JobFailure
 */
export async function withReceipt(
  { org, deadline }: StepRun,
  { granularity, schema, prompt }: Pick<RunCommand, "granularity" | "schema" | "prompt">,
  layout: Uint8Array,
  { result, sources, facts }: Made,
  how: { declined?: number[]; fill?: boolean; pages?: readonly number[] },
): Promise<Made & { told: { receipt?: Receipt; partial?: true } }> {
  const request = {
    granularity,
    ...how,
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const { receipt, short, filled } = await org.engines.documents.run(
    receiptTask,
    { layout, result, sources, request },
    { deadline },
  );
  const told = { ...(receipt === undefined ? {} : { receipt }), ...(short ? { partial: true as const } : {}) };
  return { ...(filled ?? { result, sources, facts }), told };
}
