/** The limit on the results of all nodes of a run together. */

import { describeJsonBytes } from "../../engine/nodes/result-size.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadNodes } from "./node-statuses.ts";

const MAX_RUN_RESULT_BYTES = 50_000_000;

/** Results up to this size are not checked: a hundred of them make one large one. */
const SMALL_RESULT_BYTES = 100_000;

/**
 * Checks the total size of a run's results. Nodes that end at the same moment do not see each other's results.
 * @throws JobFailure above the limit
 */
export async function checkRunTotal(
  org: Organization,
  { guid, run, node }: { guid: string; run: number; node: string },
  bytes: number,
): Promise<void> {
  if (bytes <= SMALL_RESULT_BYTES) return;
  const done = (await loadNodes(org, guid, run))?.done ?? new Map();
  const others = [...done].reduce((sum, [id, { output }]) => sum + (id === node ? 0 : (output?.resultBytes ?? 0)), 0);
  if (others + bytes <= MAX_RUN_RESULT_BYTES) return;
  throw new JobFailure(
    `Processing failed: With the node "${node}", the results of the pipeline have more than ${describeJsonBytes(MAX_RUN_RESULT_BYTES)}; let its nodes take only what is needed`,
  );
}
