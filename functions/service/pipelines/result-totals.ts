/** The limit on the results of all nodes of a run together. */

import { shown } from "../../engine/nodes/result-size.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadNodes } from "./node-statuses.ts";

/** Of the results of all nodes of a run together. */
export const MOST_RESULTS_BYTES = 50_000_000;

/** Smaller ones are not counted together: a hundred of them are one large one. */
const SMALL_BYTES = 100_000;

/**
 * Holds all results of a run to their limit. Nodes that end in the same moment do not see each other's.
 * @throws JobFailure
 */
export async function checkTogether(
  org: Organization,
  { guid, run, node }: { guid: string; run: number; node: string },
  bytes: number,
): Promise<void> {
  if (bytes <= SMALL_BYTES) return;
  const done = (await loadNodes(org, guid, run))?.done ?? new Map();
  const others = [...done].reduce((sum, [id, { output }]) => sum + (id === node ? 0 : (output?.resultBytes ?? 0)), 0);
  if (others + bytes <= MOST_RESULTS_BYTES) return;
  throw new JobFailure(
    `Processing failed: With the node "${node}", the results of the pipeline have more than ${shown(MOST_RESULTS_BYTES)}; let its nodes take only what is needed`,
  );
}
