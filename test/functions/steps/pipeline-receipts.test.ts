/** Missing rows of extract nodes, in the node, the job and the public result. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes, viewPipeline, viewResults } from "../../../functions/service/pipelines/node-statuses.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, type ModelServer, startModelServer } from "../../support/model-server.ts";
import { startPipeline } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";

const LINES = Array.from({ length: 12 }, (_, at) => ({ sku: `KD-${1000 + at * 7}`, amount: 10.5 + at * 3 }));
const TEXT = {
  bytes: Buffer.from(
    [
      "STOCK",
      "",
      `${"Article no.".padEnd(16)}${"Name".padEnd(20)}${"Amount".padStart(12)}`,
      ...LINES.map(
        ({ sku, amount }, at) => `${sku.padEnd(16)}${`Pump type ${at}`.padEnd(20)}${amount.toFixed(2).padStart(12)}`,
      ),
    ].join("\n"),
  ),
  mimeType: "text/plain",
};
const SCHEMA = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: { type: "object", properties: { sku: { type: "string" }, amount: { type: "number" } } },
    },
  },
};
const read = (id: string, more: object = {}) => ({ id, type: "extract", schema: SCHEMA, ...more });
const final = (output: unknown) => ({ id: "out", type: "final", output });

let server: ModelServer;
let at: TestPlatform;

beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  at = modelPlatform(server.url);
  // The model does not give the missing rows on request either.
  server.play(({ body }) =>
    answerJson(JSON.stringify(body).includes("missing_rows") ? { rows: [] } : { lines: LINES.slice(0, 3) }),
  );
});
afterEach(() => at.close());
afterAll(() => server.close());

async function ended(nodes: object[]) {
  const guid = await startPipeline(at, TEXT, { nodes });
  const job = await waitForEnd(at.org, guid, 20);
  const run = await loadNodes(at.org, guid, 1);
  if (run === undefined) throw new Error("The run has no nodes");
  const { nodes: told } = viewPipeline(run, job.status) as { nodes: { id: string; warnings: string[] }[] };
  return { job, told, results: viewResults(run, job.status) };
}

const SHORT = { expected: 12, returned: 3, missingPages: "1" };

describe("a node whose list lacks rows", () => {
  it("reports it, as do the job and its public result", async () => {
    const { job, told, results } = await ended([read("stock"), final({ data: "$nodes.stock.result" })]);
    expect(job.status).toBe("PARTIAL");
    expect(job.runs[0]?.receipt).toMatchObject({ ...SHORT, lists: [{ pointer: "/lines", counted: true }] });
    expect(told[0]).toMatchObject({ id: "stock", warnings: ["/lines lacks 9 of 12 rows (pages 1)"] });
    expect(results[0]).toMatchObject({ id: "stock", status: "COMPLETED", receipt: SHORT });
  });

  it("passes its shortfall on to results of several nodes", async () => {
    const { job } = await ended([
      read("one"),
      read("two"),
      final({ first: "$nodes.one.result", second: "$nodes.two.result" }),
    ]);
    expect(job.runs[0]?.receipt).toMatchObject({ expected: 24, returned: 6, missingPages: "1" });
    expect(job.runs[0]?.receipt?.lists).toHaveLength(2);
  });

  it("does not affect results of other nodes", async () => {
    const { job, told } = await ended([read("stock"), final("fixed")]);
    expect(job).toMatchObject({ status: "COMPLETED", error: null });
    expect(job.runs[0]?.receipt).toBeUndefined();
    expect(told[0]?.warnings).toHaveLength(1);
  });

  it("requests the rows again; a complete list has a receipt without a warning", async () => {
    server.play(({ body, user }) =>
      answerJson(
        JSON.stringify(body).includes("missing_rows")
          ? {
              rows: [...user.matchAll(/^(\d+)\. page \d+: (\S+)/gm)].map(([, line, sku]) => ({
                line: Number(line),
                row: LINES.find((one) => one.sku === sku) ?? null,
              })),
            }
          : { lines: LINES.slice(0, 3) },
      ),
    );
    const { job, told } = await ended([read("stock"), final("$nodes.stock.result")]);
    expect(job.status).toBe("COMPLETED");
    expect(job.runs[0]?.receipt).toMatchObject({ expected: 12, returned: 12, missing: [] });
    expect(told[0]?.warnings).toEqual([]);
  });
});
