/** Completeness check of a result against the rows of its pages. */

import type { Receipt } from "../engine/completeness/completeness-report.ts";
import type { RowStatements } from "../engine/extraction/answers/stated-limits.ts";
import { receiptTask } from "../engine/tasks/receipt.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";

/** A result with its source locations, extracted offline or by a model. */
export interface LocatedResult {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
  facts: { found: number; unresolved: number; confidence: number | null };
}

/**
 * Adds the completeness receipt to a result; `partial` where rows are missing that were not left out on purpose.
 * @param options `declined`: rows that a model declared to be in no list; `stated`: limits that it states; `fill`: read missing rows from the page;
 *   `pages`: pages whose rows count
 * @throws JobFailure
 */
export async function withReceipt(
  { org, deadline }: StepRun,
  { granularity, schema, prompt }: Pick<RunCommand, "granularity" | "schema" | "prompt">,
  layout: Uint8Array,
  { result, sources, facts }: LocatedResult,
  options: RowStatements & { fill?: boolean; pages?: readonly number[] },
): Promise<LocatedResult & { report: { receipt?: Receipt; partial?: true } }> {
  const request = {
    granularity,
    ...options,
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const { receipt, short, filled } = await org.engines.documents.run(
    receiptTask,
    { layout, result, sources, request },
    { deadline },
  );
  const report = { ...(receipt === undefined ? {} : { receipt }), ...(short ? { partial: true as const } : {}) };
  return { ...(filled ?? { result, sources, facts }), report };
}
