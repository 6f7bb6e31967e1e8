/** Limits of document work that a caller waits for. */
import type { WorkLimits } from "../../ports/limits.ts";
import type { Organization } from "./organization.ts";

/**
 * Longest time that such work waits for its start, in milliseconds; then the caller is told to come again. Most clients
 * give a call 60 s, of which the work itself takes up to 25.
 */
const MAX_START_WAIT_MS = 20_000;

/**
 * Limits from now on: the clock of the work starts with the work.
 * @param workMs most milliseconds of the work @param pages that it reads, where they are known
 */
export const callLimits = (org: Organization, workMs: number, pages?: number): WorkLimits => ({
  deadline: org.engines.clock.now() + MAX_START_WAIT_MS + workMs,
  workMs,
  ...(pages === undefined ? {} : { pages }),
});
