/** The options of `process` and `process-map-reduce`, as the service gets them. */
import { describe, expect, it } from "vitest";
import { commandLine, files } from "./command-line.support.ts";

const { service, run, onlyJob } = commandLine();
const command = (): Record<string, unknown> | undefined => onlyJob()?.command;

describe("sheaf process", () => {
  it("sends every option of a run", async () => {
    const { exitCode, stderr } = await run(
      [
        ...["process", "/in/letter.txt", "--prompt", "the sender", "--schema", '{"from":"string"}', "--ocr", "excel"],
        ...["--llm", "HIGH", "--extraction-mode", "STEPS", "--barcodes", "--describe-figures", "--extract-figures"],
        ...["--tool", "KNOWLEDGE_BASE_SEARCH:caseId=7,topK=3", "--tool", '{"type":"KNOWLEDGE_BASE_SEARCH","caseId":8}'],
        ...["--trace", "--page-range", "1-3,7", "--configuration", "letters", "--mime-type", "text/plain"],
      ],
      { env: { SHEAF_DOCUMENT_PASSWORD: "of the environment" } },
    );
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("job ")]);
    expect(command()).toEqual({
      prompt: "the sender",
      schema: '{"from":"string"}',
      ocr: "EXCEL",
      llm: "HIGH",
      extractionMode: "STEPS",
      barcodes: true,
      describeFigures: true,
      extractFigures: true,
      tools: [
        { type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: 7, topK: 3 } },
        { type: "KNOWLEDGE_BASE_SEARCH", caseId: 8 },
      ],
      trace: true,
      pageRange: [1, 2, 3, 7],
      configuration: "letters",
      mimeType: "text/plain",
      password: "of the environment",
    });
  });

  it("takes a password as it is, or from standard input", async () => {
    const env = { SHEAF_DOCUMENT_PASSWORD: "not this" };
    await run(["process", "/in/letter.txt", "--password", "pass word"], { env });
    expect(command()).toEqual({ password: "pass word" });
    service.forget();
    await run(["process", "/in/letter.txt", "--password", "-"], { env, files: { ...files, "-": "piped\n" } });
    expect(command()).toEqual({ password: "piped" });
  });

  it("reads one thing from standard input", async () => {
    const { exitCode, stderr } = await run(["process", "-", "--password", "-"]);
    expect([exitCode, stderr, service.requests]).toEqual([
      2,
      expect.stringContaining("Only one thing can be read"),
      [],
    ]);
  });

  it.each([
    [["--page-range", "3-1"], "pages from 1"],
    [["--page-range", "0"], "pages from 1"],
    [["--page-range", "1-20000"], "up to 10000 pages"],
    [["--tool", "KNOWLEDGE_BASE_SEARCH:caseId"], "TYPE:caseId=7"],
    [["--tool", "{oops"], "TYPE:caseId=7"],
    [["--llm", "BEST"], "Allowed choices are DEFAULT, MINI, HIGH, NANO"],
    [["--extraction-mode", "FAST"], "Allowed choices are OCR, SIMPLE, STEPS, PIPELINE"],
    [["--password", "a", "--password-file", "b"], "cannot be used with option"],
  ])("refuses %j and sends nothing", async (options, sentence) => {
    const { exitCode, stderr } = await run(["process", "/in/letter.txt", ...options]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(service.requests).toEqual([]);
  });
});

describe("sheaf ocr-only", () => {
  it("sends its options", async () => {
    const options = ["--ocr", "EXCEL", "--format", "jsonl", "--describe-figures", "--extract-figures"];
    expect((await run(["ocr-only", "/in/letter.txt", ...options])).exitCode).toBe(0);
    expect(command()).toEqual({ ocr: "EXCEL", ocrFormat: "jsonl", describeFigures: true, extractFigures: true });
  });
});

describe("sheaf process-map-reduce", () => {
  const mapReduce = async (...options: string[]): Promise<unknown> => {
    service.forget();
    const { exitCode, stderr } = await run(["process-map-reduce", "/in/letter.txt", ...options], {
      files: { ...files, "/in/header.json": '{"iban":"string"}', "/in/header.txt": "the account" },
    });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("job ")]);
    return command()?.mapReduce;
  };

  it("splits by pages, one each, unless told otherwise", async () => {
    expect(await mapReduce()).toEqual({ enabled: true, splitType: "PAGE", overlapPages: 0 });
    const options = ["--pages-per-chunk", "5", "--overlap", "2", "--dedup-key", "sku", "--parallel"];
    expect(await mapReduce(...options, "--stop-when-empty", "--empty-chunk-grace", "1")).toEqual({
      enabled: true,
      splitType: "PAGE",
      pagesPerChunk: 5,
      overlapPages: 2,
      dedupKey: "sku",
      parallelProcessing: true,
      stopWhenEmpty: true,
      emptyChunkGrace: 1,
    });
    expect(await mapReduce("--split-type", "markdown-header", "--split-header-level", "2")).toEqual({
      enabled: true,
      splitType: "MARKDOWN_HEADER",
      splitHeaderLevel: 2,
      overlapPages: 0,
    });
  });

  it("asks for a header when an option names one", async () => {
    const given = ["--header-schema", '{"a":"string"}', "--header-prompt", "p", "--header-include-in-rows"];
    expect(
      await mapReduce(...given, "--header-page-index", "0", "--header-page-index", "-1", "--header-page-limit", "2"),
    ).toMatchObject({
      header: {
        enabled: true,
        pageLimit: 2,
        pageIndices: [0, -1],
        includeInRows: true,
        schema: '{"a":"string"}',
        prompt: "p",
      },
    });
    const files = ["--header-schema-file", "/in/header.json", "--header-prompt-file", "/in/header.txt"];
    expect(await mapReduce(...files, "--header-row-prompt-augmentation", "of {iban}")).toMatchObject({
      header: { schema: '{"iban":"string"}', prompt: "the account", rowPromptAugmentation: "of {iban}" },
    });
  });

  it("has the other options of process", async () => {
    await mapReduce("--prompt", "rows", "--source-locations", "--no-wait");
    expect(command()).toMatchObject({ prompt: "rows", sourceLocations: true, mapReduce: { enabled: true } });
  });

  it.each([
    [["--overlap", "1"], "--overlap must be less than --pages-per-chunk"],
    [["--overlap", "1", "--pages-per-chunk", "2"], "needs --dedup-key"],
    [["--split-type", "markdown-header", "--overlap", "1"], "only pages overlap"],
    [["--split-type", "markdown-header", "--dedup-key", "a"], "--dedup-key goes with"],
    [["--split-header-level", "1"], "needs --split-type markdown-header"],
    [["--split-header-level", "3", "--split-type", "markdown-header"], "It is 1 or 2"],
    [["--empty-chunk-grace", "1"], "needs --stop-when-empty"],
    [["--header-schema", "[]"], "The schema in --header-schema must be a JSON object"],
    [["--header-page-index", "-2"], "a page's index"],
    [["--pages-per-chunk", "0"], "a whole number from 1"],
  ])("refuses %j and sends nothing", async (options, sentence) => {
    const { exitCode, stderr } = await run(["process-map-reduce", "/in/letter.txt", ...options]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(service.requests).toEqual([]);
  });
});
