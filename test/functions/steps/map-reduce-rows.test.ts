/** Requests for missing rows of chunks, each chunk for its own. */
import { expect, it } from "vitest";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { openRun } from "../../../functions/service/runs/open-run.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, startModelServer } from "../../support/model-server.ts";
import { fileOf } from "../../support/pipeline-run.ts";
import { commandOf, PER_PAGE, uploaded } from "../../support/runs.ts";

const LINES = Array.from({ length: 100 }, (_, at) => ({ sku: `KD-${1000 + at * 7}`, amount: 10.5 + at * 3 }));
const TEXT = [
  `${"Article no.".padEnd(16)}${"Name".padEnd(20)}${"Amount".padStart(12)}`,
  ...LINES.map(({ sku, amount }, at) => sku.padEnd(16) + `Pump type ${at}`.padEnd(20) + amount.toFixed(2).padStart(12)),
].join("\n");
const SCHEMA = { type: "object", properties: { sku: { type: "string" }, amount: { type: "number" } } };

it("extract-chunk requests missing rows on the chunk's pages, and inserts them in order", async () => {
  await using server = await startModelServer();
  const at = modelPlatform(server.url);
  try {
    server.play(({ body, user }) => {
      const isAgain = JSON.stringify(body).includes("missing_rows");
      const own = LINES.filter(({ sku }) => user.includes(sku));
      const lines = [...user.matchAll(/^(\d+)\. page \d+: (\S+)/gm)];
      const rows = lines.map(([, line, sku]) => ({
        line: Number(line),
        row: LINES.find((one) => one.sku === sku) ?? null,
      }));
      return answerJson(isAgain ? { rows } : { records: own.filter((_, index) => index % 3 !== 1) });
    });
    const guid = await uploaded(at.org, TEXT);
    const wish = { schema: SCHEMA, sourceLocations: true, mapReduce: PER_PAGE };
    await openRun(at.org, guid, commandOf({ mode: "MAP_REDUCE", ...wish }));
    const job = await waitForEnd(at.org, guid, 20);
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(job.runs[0]?.receipt).toMatchObject({ expected: 100, returned: 100, missing: [] });
    const result = await fileOf(at, guid, "result.json");
    expect(result.records ?? result).toEqual(LINES);
    const again = server.requests.filter(({ body }) => JSON.stringify(body).includes("missing_rows"));
    expect(again).toHaveLength(2);
  } finally {
    await at.close();
  }
});
