/** Repeated steps of runs other than pipelines, with recorded answers, and the deletion of those. */
import { describe, expect, it } from "vitest";
import type { RecordOperation } from "../../../functions/ports/records.ts";
import { deleteJob, finishDeletion } from "../../../functions/service/lifecycle/delete-job.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { openRun } from "../../../functions/service/runs/open-run.ts";
import type { RunCommand } from "../../../functions/service/runs/run-command.ts";
import { withMethods } from "../../support/changed.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, startModelServer } from "../../support/model-server.ts";
import type { TestPlatform } from "../../support/platform.ts";
import { commandOf, PER_PAGE, uploaded } from "../../support/runs.ts";

const SCHEMA = { type: "object", properties: { total: { type: "number", minimum: 10 } }, required: ["total"] };
const DAY = 86_400;

/**
 * Lets the function die once while it writes a step's outcome; Lambda calls it again a day later.
 * @returns the number of deaths
 */
function dieAt(at: TestPlatform, sort: string): () => number {
  const { records, config } = at.platform;
  let deaths = 0;
  const transact: typeof records.transact = async (operations, options) => {
    const own = operations.some((one: RecordOperation) => "key" in one && one.key.sort.includes(sort));
    if (own && deaths === 0) {
      deaths += 1;
      at.pass(DAY);
      throw Object.assign(new Error("It ended"), { name: "Lambda.ServiceException" });
    }
    await records.transact(operations, options);
  };
  Object.assign(at.platform, {
    records: withMethods(records, { transact }),
    config: { ...config, jobTimeoutSeconds: 2 * DAY },
  });
  return () => deaths;
}

describe.concurrent("a repeated step", () => {
  it.each<[string, Partial<RunCommand>, string, number]>([
    // The first answer does not fit the schema, so that there is a second request.
    ["SIMPLE", { schema: SCHEMA, includeCurrentDate: true }, "/step/extract", 2],
    ["ANALYZE", { mode: "ANALYZE" }, "/step/describe", 1],
    ["MAP_REDUCE", { mode: "MAP_REDUCE", schema: SCHEMA, mapReduce: PER_PAGE }, "/chunk/0", 2],
  ])(
    "of %s repeats no request, is charged once, and leaves nothing after its job's deletion",
    async (_, more, sort, calls) => {
      await using server = await startModelServer([answerJson({ total: 3 }), answerJson({ total: 12 })]);
      const at = modelPlatform(server.url);
      try {
        const deaths = dieAt(at, sort);
        const guid = await uploaded(at.org, "Invoice 7\nTotal: 12\n");
        await openRun(at.org, guid, commandOf(more));
        const job = await waitForEnd(at.org, guid, 20 + DAY);
        expect(job).toMatchObject({ error: null, llmTokens: 120 * calls });
        expect([deaths(), server.requests.length]).toEqual([1, calls]);
        const date = `Today's date is ${job.createdAt.slice(0, 10)}.`;
        expect(server.requests[0]?.system.includes(date)).toBe(more.includeCurrentDate === true);
        const files = () => at.org.blobs.list(`jobs/${guid}/`);
        const answers = (await files()).blobs.filter(({ key }) => key.startsWith(`jobs/${guid}/1/answers/`));
        expect(answers).toHaveLength(calls);
        await deleteJob(at.org, guid);
        await finishDeletion(at.org, guid);
        expect((await files()).blobs).toEqual([]);
      } finally {
        await at.close();
      }
    },
  );
});
