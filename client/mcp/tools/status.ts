import type { Session } from "../context.ts";
import { jobOutcome, outcomeOf } from "../outcome.ts";
import { waitFor } from "../run-job.ts";
import { jobGuid, type Tool, waitSeconds } from "./define-tool.ts";

const input = { guid: jobGuid.describe("The job"), waitSeconds: waitSeconds.default(0) };

/** Reads a job, and its result when it has one. */
export const statusTool = ({ client }: Session): Tool<typeof input> => ({
  name: "status",
  title: "Read a job",
  description:
    "Reads a job: whether it still runs, has failed or fell short, and its result with the places of its values when it has one. With `waitSeconds` it waits for the end first.",
  input,
  output: jobOutcome,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: async ({ guid, waitSeconds: seconds }, context) =>
    outcomeOf(client, await waitFor(client, guid, seconds, context), context.mcpReq.signal),
});
