/** mapReduce and tools of a command: accepted forms, and refusals by member. */

import { afterAll, describe, expect, it } from "vitest";
import { HTTP_STATUSES } from "../../../functions/api/http/reply.ts";
import { check } from "../../../functions/api/http/validate.ts";
import { runOfUploadCommand, UploadCommand } from "../../../functions/api/schemas/commands.ts";
import { withoutNulls } from "../../../functions/api/schemas/common.ts";
import { AppError } from "../../../functions/ports/errors.ts";
import { testPlatform } from "../../support/platform.ts";

const at = testPlatform();
afterAll(() => at.close());

const run = async (command: object) =>
  runOfUploadCommand(at.org, check(UploadCommand, withoutNulls(command), "body"), () => "application/pdf");
const settings = async (mapReduce: object) => (await run({ mapReduce: { enabled: true, ...mapReduce } })).mapReduce;

async function refused(command: object): Promise<{ status: number; paths: string[] }> {
  try {
    await run(command);
  } catch (error) {
    if (error instanceof AppError)
      return { status: HTTP_STATUSES[error.kind], paths: (error.errors ?? []).map(({ path }) => path) };
  }
  throw new Error("It was taken");
}

describe("mapReduceSettings", () => {
  it("reads the members of mapReduce, and is off unless enabled", async () => {
    expect(await run({ mapReduce: { pagesPerChunk: 3 } })).toMatchObject({ mode: "SIMPLE" });
    expect(await run({ mapReduce: { enabled: true } })).toMatchObject({
      mode: "MAP_REDUCE",
      mapReduce: {
        splitType: "PAGE",
        pagesPerChunk: 1,
        overlapPages: 0,
        stopWhenEmpty: false,
        grace: 0,
        parallel: false,
      },
    });
  });

  it("accepts the form that existing clients send", async () => {
    const sent = {
      splitType: "MARKDOWN_HEADER",
      splitHeaderLevel: 2,
      pagesPerChunk: 1,
      overlapPages: 0,
      dedupKey: " ",
      header: {
        enabled: true,
        pageLimit: 1,
        pageIndices: [1, -1],
        schema: "",
        prompt: "None ".slice(4),
        schemaFileName: "a.json",
      },
    };
    expect(await settings(sent)).toEqual({
      splitType: "MARKDOWN_HEADER",
      headerLevel: 2,
      pagesPerChunk: 1,
      overlapPages: 0,
      stopWhenEmpty: false,
      grace: 0,
      parallel: false,
      header: { pageLimit: 1, includeInRows: false, pageIndices: [1, -1] },
    });
    expect(
      await settings({ splitType: "markdown-header", stopWhenEmpty: true, emptyChunkGrace: 0, header: null }),
    ).toMatchObject({ headerLevel: 2 });
    expect(await settings({ header: { enabled: false, schema: "no schema" } })).not.toHaveProperty("header");
    expect(
      (await settings({ header: { enabled: true, schema: { total: "number" }, rowPromptAugmentation: "x" } }))?.header,
    ).toEqual({
      pageLimit: 1,
      includeInRows: false,
      schema: { type: "object", properties: { total: { type: "number" } } },
      rowPrompt: "x",
    });
    expect((await settings({ header: { enabled: true, schema: '{"type":"object"}' } }))?.header?.schema).toEqual({
      type: "object",
    });
  });

  it.each<[object, string[]]>([
    [{ splitType: "DOCUMENT_OUTLINE" }, ["/mapReduce/splitType"]],
    [{ splitType: "MARKDOWN_HEADER", overlapPages: 1, pagesPerChunk: 2 }, ["/mapReduce/overlapPages"]],
    [{ splitType: "MARKDOWN_HEADER", dedupKey: "sku" }, ["/mapReduce/dedupKey"]],
    [{ splitHeaderLevel: 2 }, ["/mapReduce/splitHeaderLevel"]],
    [{ splitType: "MARKDOWN_HEADER", splitHeaderLevel: 3 }, ["/mapReduce/splitHeaderLevel"]],
    [{ overlapPages: 1, pagesPerChunk: 2 }, ["/mapReduce/dedupKey"]],
    [{ overlapPages: 1, dedupKey: "sku" }, ["/mapReduce/overlapPages"]],
    [{ overlapPages: 3, pagesPerChunk: 2 }, ["/mapReduce/overlapPages", "/mapReduce/dedupKey"]],
    [{ emptyChunkGrace: 1 }, ["/mapReduce/emptyChunkGrace"]],
    [{ pagesPerChunk: 0, overlapPages: -1 }, ["/mapReduce/pagesPerChunk", "/mapReduce/overlapPages"]],
    [
      { header: { enabled: true, pageLimit: 0, pageIndices: [0.5] } },
      ["/mapReduce/header/pageLimit", "/mapReduce/header/pageIndices/0"],
    ],
    [{ parallelProcessing: "yes", stopWhenEmpty: 1 }, ["/mapReduce/parallelProcessing", "/mapReduce/stopWhenEmpty"]],
  ])("%j is a 400 for %j", async (mapReduce, paths) => {
    expect(await refused({ mapReduce: { enabled: true, ...mapReduce } })).toEqual({ status: 400, paths });
  });

  it("refuses mapReduce with a text, and an invalid header schema", async () => {
    expect((await refused({ extractionMode: "OCR", mapReduce: { enabled: true } })).paths).toEqual([
      "/mapReduce/enabled",
    ]);
    const header = (schema: unknown) => ({ mapReduce: { enabled: true, header: { enabled: true, schema } } });
    expect(await refused(header({ type: "nothing" }))).toEqual({ status: 422, paths: ["/mapReduce/header/schema"] });
    const broken = { properties: { a: { "x-calculated": { formula: "{b} +" } } } };
    expect(await refused(header(broken))).toEqual({
      status: 400,
      paths: ["/mapReduce/header/schema/properties/a/x-calculated/formula/expression"],
    });
  });
});

describe("readTools", () => {
  it.each<[object, object]>([
    [
      { type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: 7 } },
      { caseId: 7, topK: 5 },
    ],
    [
      { type: "knowledge-base-search", config: { caseId: "7", topK: "3" } },
      { caseId: 7, topK: 3 },
    ],
    [
      { type: "KNOWLEDGE_BASE_SEARCH", config: { knowledgeBaseId: 7, topK: null } },
      { caseId: 7, topK: 5 },
    ],
    [
      { type: "KNOWLEDGE_BASE_SEARCH", caseId: " 7 ", topK: 9 },
      { caseId: 7, topK: 9 },
    ],
    [
      { type: "KNOWLEDGE_BASE_SEARCH", knowledgeBaseId: "7", config: {} },
      { caseId: 7, topK: 5 },
    ],
  ])("reads %j", async (tool, wish) => {
    expect((await run({ tools: [tool] })).tools).toEqual([{ type: "KNOWLEDGE_BASE_SEARCH", ...wish }]);
  });

  it("reads no tools from a command without any", async () => {
    expect(await run({ tools: [] })).not.toHaveProperty("tools");
    expect(await run({ tools: null })).not.toHaveProperty("tools");
  });

  it.each<[unknown, string[]]>([
    [[{ type: "RECORDS_SEARCH", config: { caseId: 1 } }], ["/tools/0/type"]],
    [[{ config: { caseId: 1 } }], ["/tools/0/type"]],
    [["KNOWLEDGE_BASE_SEARCH"], ["/tools/0"]],
    [[{ type: "KNOWLEDGE_BASE_SEARCH" }], ["/tools/0/config/caseId"]],
    [[{ type: "KNOWLEDGE_BASE_SEARCH", caseId: "seven", topK: 0 }], ["/tools/0/config/caseId", "/tools/0/config/topK"]],
    [{ type: "KNOWLEDGE_BASE_SEARCH" }, ["/tools"]],
  ])("%j is a 400 for %j", async (tools, paths) => {
    expect(await refused({ tools })).toEqual({ status: 400, paths });
  });

  it("names tools of another type", async () => {
    await expect(run({ tools: [{ type: "RECORDS_SEARCH" }] })).rejects.toThrow(
      /KNOWLEDGE_BASE_SEARCH, not "RECORDS_SEARCH"/,
    );
  });
});
