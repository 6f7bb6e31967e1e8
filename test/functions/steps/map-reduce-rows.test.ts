/** Rows of chunks: requests for missing ones, and tables whose headings stand on the first page only. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../../functions/ports/json.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { openRun } from "../../../functions/service/runs/open-run.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, startModelServer } from "../../support/model-server.ts";
import { fileOf } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";
import { withoutContext } from "../../support/price-list.ts";
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
      const own = LINES.filter(({ sku }) => withoutContext(user).includes(sku));
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

describe("chunks of a table whose headings stand on the first page only, without a model", () => {
  let at: TestPlatform;
  beforeEach(() => {
    at = modelPlatform();
  });
  afterEach(() => at.close());

  const HEADED = TEXT.replace("Article no.", "SKU        ");

  /** Extracts the list in chunks of one page. @param text the document */
  async function records(mapReduce: object = {}, text = HEADED, schema: Json = SCHEMA) {
    const guid = await uploaded(at.org, text);
    const wish = { schema, sourceLocations: true, mapReduce: { ...PER_PAGE, ...mapReduce } };
    await openRun(at.org, guid, commandOf({ mode: "MAP_REDUCE", ...wish }));
    const { status, runs } = await waitForEnd(at.org, guid, 20);
    const sources = await fileOf(at, guid, "result.sources.json");
    return { status, run: runs[0], sources, result: await fileOf(at, guid, "result.json") };
  }

  it("keep all rows, as a list and as single records, with their places and one receipt", async () => {
    const list = { type: "array", items: SCHEMA };
    for (const schema of [SCHEMA, list, { type: "object", properties: { lines: list } }]) {
      const { status, run, result, sources } = await records({}, HEADED, schema);
      expect(result.records).toEqual(LINES);
      expect(status).toBe("COMPLETED");
      expect(run).toMatchObject({ receipt: { expected: 100, returned: 100 }, mapReduce: { totalChunks: 2 } });
      expect(sources.locations["/records/99/sku"].pageAnchors[0].pageNumber).toBe(2);
    }
  });

  it("keep all rows, once each, where chunks overlap", async () => {
    const { result } = await records(
      { pagesPerChunk: 2, overlapPages: 1, dedupKey: "sku" },
      [HEADED, HEADED].join("\f"),
    );
    expect(result.records).toEqual([...LINES, ...LINES]);
  });

  it("keep only the rows of their own pages where the first page is the header's", async () => {
    const header = {
      pageLimit: 1,
      includeInRows: false,
      schema: { type: "object", properties: { title: { type: "string" } } },
    };
    const { result, run } = await records({ header });
    expect(result.records.length).toBeGreaterThan(30);
    expect(result.records).toEqual(LINES.slice(-result.records.length));
    expect(run?.receipt).toMatchObject({ expected: result.records.length, returned: result.records.length });
  });

  it("end a run that stops when empty at the first page without rows only, with a receipt for the pages before", async () => {
    const text = `${HEADED}\n\fTerms of delivery\n\nGoods are sent within a week.\n\f${HEADED}`;
    const { result, run } = await records({ stopWhenEmpty: true }, text);
    expect(result.records).toEqual(LINES);
    expect(run).toMatchObject({
      receipt: { expected: 100, returned: 100 },
      mapReduce: { totalChunks: 5, earlyTerminated: true, terminationChunkIndex: 2 },
    });
  });

  it("are read one by one where the document as a whole has no rows", async () => {
    const letters = "Article no.: KD-1\nAmount: 12.50\n\fArticle no.: KD-2\nAmount: 13.00\n";
    const schema = { type: "object", properties: { article_no: { type: "string" }, amount: { type: "number" } } };
    const { result } = await records({}, letters, schema);
    expect(result.records).toEqual([
      { article_no: "KD-1", amount: 12.5 },
      { article_no: "KD-2", amount: 13 },
    ]);
  });
});

it("extract-chunk does not stop at a page with rows of which the model gave none", async () => {
  await using server = await startModelServer();
  const at = modelPlatform(server.url);
  try {
    server.play(({ body, user }) => {
      const isAgain = JSON.stringify(body).includes("missing_rows");
      const own = LINES.filter(({ sku }) => withoutContext(user).includes(sku));
      // The model gives nothing for the page in the middle.
      const given = isAgain || own.some(({ sku }) => sku === LINES[99]?.sku) ? [] : own;
      return answerJson(isAgain ? { rows: [] } : { records: given });
    });
    const guid = await uploaded(at.org, `${TEXT}\n\f${TEXT.split("\n").slice(0, 31).join("\n")}`);
    const mapReduce = { ...PER_PAGE, stopWhenEmpty: true, parallel: false };
    await openRun(at.org, guid, commandOf({ mode: "MAP_REDUCE", schema: SCHEMA, mapReduce }));
    const job = await waitForEnd(at.org, guid, 20);
    const { records } = await fileOf(at, guid, "result.json");
    expect(job.runs[0]?.mapReduce).toMatchObject({ totalChunks: 3, completedChunks: 3, earlyTerminated: false });
    expect(records.slice(-30)).toEqual(LINES.slice(0, 30));
    expect(job.status).toBe("PARTIAL");
    expect(job.runs[0]?.receipt?.expected).toBe(130);
  } finally {
    await at.close();
  }
});

it("extract-chunk gives the model the columns and the last lines before the chunk, and drops rows taken from them", async () => {
  await using server = await startModelServer();
  const at = modelPlatform(server.url);
  try {
    // Takes every row that it sees, also those of the context.
    server.play(({ user }) => answerJson({ records: LINES.filter(({ sku }) => user.includes(sku)) }));
    const guid = await uploaded(at.org, TEXT);
    await openRun(at.org, guid, commandOf({ mode: "MAP_REDUCE", schema: SCHEMA, mapReduce: PER_PAGE }));
    const job = await waitForEnd(at.org, guid, 20);
    const { records } = await fileOf(at, guid, "result.json");
    expect(records).toEqual(LINES);
    expect(job.runs[0]?.receipt).toMatchObject({ expected: 100, returned: 100 });
    const second = server.requests.find(({ user }) => user.includes("<<<page 2 "))?.user ?? "";
    const context = /<<<text before these pages .*\n([\s\S]*?)\n<<<end of text before/.exec(second)?.[1]?.split("\n");
    expect(context?.[0]).toBe("Column headings: Article no. | Name | Amount");
    expect(context).toHaveLength(7);
    expect(second).toContain("Extract nothing that stands in it alone.");
    expect(server.requests.find(({ user }) => user.includes("<<<page 1 "))?.user).not.toContain("before these pages");
  } finally {
    await at.close();
  }
});
