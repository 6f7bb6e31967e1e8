/** Jobs and commands without a route. */

import type { Organization } from "../../functions/service/organizations/organization.ts";
import { createJob } from "../../functions/service/runs/job-store.ts";
import type { RunCommand } from "../../functions/service/runs/run-command.ts";

/** The simplest command. @param more members that differ */
export const commandOf = (more: Partial<RunCommand> = {}): RunCommand => ({
  v: 1,
  mode: "SIMPLE",
  ocr: "DEFAULT",
  mimeType: "text/plain",
  sourceLocations: false,
  granularity: "auto",
  format: "plain",
  ...more,
});

/** One chunk for every page, all at once. */
export const PER_PAGE: NonNullable<RunCommand["mapReduce"]> = {
  splitType: "PAGE",
  headerLevel: 2,
  pagesPerChunk: 1,
  overlapPages: 0,
  stopWhenEmpty: false,
  grace: 0,
  parallel: true,
};

/** An unprocessed document. @returns its job's GUID */
export async function uploaded(org: Organization, text = "x", mimeType = "text/plain"): Promise<string> {
  return (await createJob(org, { bytes: Buffer.from(text), mimeType, fileName: null })).guid;
}
