/** The contract of Engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLayout } from "../../functions/engine/layout/layout-file.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { SourceLocations } from "../../functions/engine/layout/source-locations.ts";
import { describeTask } from "../../functions/engine/tasks/describe.ts";
import { extractTask } from "../../functions/engine/tasks/extract.ts";
import { formDetectTask } from "../../functions/engine/tasks/form-detect.ts";
import { formRequestTask } from "../../functions/engine/tasks/form-request.ts";
import { formWriteTask } from "../../functions/engine/tasks/form-write.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import { pictureTask } from "../../functions/engine/tasks/picture.ts";
import { readTask } from "../../functions/engine/tasks/read.ts";
import { transcribeTask } from "../../functions/engine/tasks/transcribe.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import { JOB_SENTENCES, JobFailure, UnprocessableEntity } from "../../functions/ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../functions/ports/json.ts";
import { LAYOUT_VERSION, type Layout, type Word } from "../../functions/ports/layout.ts";
import { symbol, symbolsPdf } from "../functions/engine/readers/barcodes/symbols.ts";
import { drawPdf } from "../support/drawn-pdf.ts";
import { flatForm } from "../support/flat-form.ts";
import { definition } from "../support/form-definitions.ts";

export interface EngineSuiteSetup {
  clock: Clock;
  /** The job's limit that the driver was given, for its message. */
  jobTimeoutSeconds: number;
  open(): Engine | Promise<Engine>;
}

const PDF = "application/pdf";
const TEXT = "text/plain";
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const wordsOf = (layout: Layout): Word[] => layout.pages.flatMap(pageWords);

const INVOICE = [
  { text: "Invoice Number: INV-2041", x: 72, y: 700 },
  { text: "Invoice Date: 2026-01-15", x: 72, y: 680 },
  { text: "Total: 1250.75", x: 72, y: 660 },
];
const SECOND_PAGE = [{ text: "Thank you for your order", x: 72, y: 700 }];

const SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    total: { type: "number" },
    purchase_order_colour: { type: "string" },
  },
};

/** The word by its source location: `p1/w17`, pages from 1, words from 0 in reading order. */
function wordAt(layout: Layout, reference: string): string | undefined {
  const [, page, word] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
  const pages = layout.pages.filter(({ number }) => number === Number(page));
  return wordsOf({ ...layout, pages })[Number(word)]?.text;
}

export function engineSuite(name: string, { clock, jobTimeoutSeconds, open }: EngineSuiteSetup): void {
  describe(`Engine: ${name}`, () => {
    const limits = (): { deadline: number } => ({ deadline: clock.now() + 20_000 });
    let engine: Engine;
    let invoice: Uint8Array;
    beforeAll(async () => {
      engine = await open();
      invoice = await drawPdf([INVOICE, SECOND_PAGE]);
    });
    afterAll(() => engine.close());

    const failure = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => "no error",
        (error: unknown) => error,
      );

    test("Engine reads a text file", async () => {
      const text = "Größe: 12 m²\n\nSecond paragraph, naïve café";
      const { layout, facts } = await engine.run(
        readTask,
        { bytes: encode(text), options: { mimeType: TEXT } },
        limits(),
      );
      const read = parseLayout(layout);
      expect(read).toMatchObject({ v: LAYOUT_VERSION, logicalPages: true, pageCount: 1 });
      expect(wordsOf(read).map((word) => word.text)).toEqual(text.split(/\s+/));
      expect(facts).toMatchObject({ provider: read.provider, pageCount: 1, wordCount: 7 });
      expect(facts.characterCount).toBeGreaterThan(30);
    });

    test("Engine reads a PDF's words with boxes in inches from the top left corner", async () => {
      const { layout, facts } = await engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      const read = parseLayout(layout);
      expect(facts).toMatchObject({ pageCount: 2, wordCount: 13 });
      expect(read.pages.map(({ number, width, height }) => [number, width, height])).toEqual([
        [1, 8.5, 11],
        [2, 8.5, 11],
      ]);
      const words = wordsOf(read);
      expect(words.slice(0, 3).map((word) => word.text)).toEqual(["Invoice", "Number:", "INV-2041"]);
      const box = words[0]?.box ?? { left: 0, top: 0, right: 0, bottom: 0 };
      expect(box.left).toBeCloseTo(1, 1);
      expect(box.top).toBeLessThan((792 - 700) / 72);
      expect(box.bottom).toBeGreaterThan((792 - 700) / 72 - 0.03);
      expect(box.bottom - box.top).toBeLessThan(0.3);
    });

    test("Engine writes a form, and reads the definitions of a request", async () => {
      const definitions = [{ ...definition("name", [72, 72, 200, 90]), confidence: 0.4 }];
      const body = encodeJson({ fieldDefinitions: definitions, minConfidence: "0.2" });
      const request = await engine.run(formRequestTask, { body, pageCount: 2 }, limits());
      expect(parseJsonBytes(request.definitions)).toEqual(definitions);
      expect(request.parameters).toMatchObject({ minConfidence: 0.2, maxFieldsPerPage: 300 });
      const form = await engine.run(
        formWriteTask,
        {
          bytes: invoice,
          definitions: request.definitions,
          limits: { minConfidence: 0.2, maxFieldsPerPage: 300 },
          values: encodeJson({ name: "Ada" }),
        },
        limits(),
      );
      expect(parseJsonBytes(form.report)).toMatchObject({ writtenFieldCount: 1, warnings: [] });
      expect(parseJsonBytes(form.metadata)).toMatchObject({ fields: [{ name: "name", value: "Ada" }] });
      const bad = engine.run(formRequestTask, { body: encodeJson({ fieldDefinitions: [7] }), pageCount: 2 }, limits());
      expect(await failure(bad)).toMatchObject({ errors: [{ path: "/fieldDefinitions/0" }] });
    });

    test("Engine finds the places to write of a PDF", async () => {
      const flat = await flatForm();
      const { layout } = await engine.run(readTask, { bytes: flat, options: { mimeType: PDF } }, limits());
      const options = { fieldNameStyle: "camelCase", minConfidence: 0.35, maxFieldsPerPage: 300 } as const;
      const found = parseJsonBytes(await engine.run(formDetectTask, { bytes: flat, layout, options }, limits()));
      expect(found).toEqual(
        expect.arrayContaining([expect.objectContaining({ fieldName: "fullName", label: "Full name:" })]),
      );
    });

    test("Engine reads only the requested pages, and counts all", async () => {
      const { layout, facts } = await engine.run(
        readTask,
        { bytes: invoice, options: { mimeType: PDF, pageRange: [2, 99] } },
        limits(),
      );
      const read = parseLayout(layout);
      expect(read.pages.map(({ number }) => number)).toEqual([2]);
      expect(read.pageCount).toBe(2);
      expect(facts.wordCount).toBe(5);
    });

    test("Engine renders a page's picture with its barcodes", async () => {
      const modules = await symbol("https://example.org/7", { format: "QRCode" });
      const pdf = await symbolsPdf([{ modules, left: 144, top: 216, module: 3 }]);
      const options = { mimeType: PDF, pageNumber: 1, level: "DEFAULT", maxBytes: 5_000_000 } as const;
      const { barcodes } = await engine.run(pictureTask, { bytes: pdf, options }, limits());
      expect(barcodes).toMatchObject([
        { kind: "barcode", format: "QRCode", value: "https://example.org/7", lines: [] },
      ]);
      expect(barcodes?.[0]?.box.left).toBeGreaterThan(2);
      expect(barcodes?.[0]?.box.top).toBeGreaterThan(3);
    });

    test("Engine fails on a broken PDF with the contract's sentence", async () => {
      const error = await failure(
        engine.run(readTask, { bytes: encode("%PDF-1.7\nnothing else"), options: { mimeType: PDF } }, limits()),
      );
      expect(error).toBeInstanceOf(JobFailure);
      expect(error).toMatchObject({ message: JOB_SENTENCES.corrupted, retryable: false });
    });

    test("Engine fails on a document without any text with the contract's sentence", async () => {
      const blank = await drawPdf([[]]);
      const error = await failure(engine.run(readTask, { bytes: blank, options: { mimeType: PDF } }, limits()));
      expect(error).toBeInstanceOf(JobFailure);
      expect((error as JobFailure).message).toBe(JOB_SENTENCES.noText);
    });

    test("Engine fails on an unknown type with the contract's sentence", async () => {
      const error = await failure(
        engine.run(readTask, { bytes: encode("\u0000\u0001"), options: { mimeType: "video/mp4" } }, limits()),
      );
      expect(error).toBeInstanceOf(JobFailure);
      expect((error as JobFailure).message).toBe(JOB_SENTENCES.unsupported);
    });

    test("Engine transcribes in three formats", async () => {
      const { layout } = await engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      const plain = decode(await engine.run(transcribeTask, { layout, format: "plain" }, limits()));
      const markdown = decode(await engine.run(transcribeTask, { layout, format: "markdown" }, limits()));
      const jsonl = decode(await engine.run(transcribeTask, { layout, format: "jsonl" }, limits()));
      for (const text of [plain, markdown, jsonl]) {
        expect(text).toContain("INV-2041");
        expect(text.indexOf("INV-2041")).toBeLessThan(text.indexOf("Thank you"));
      }
      const rows = jsonl.trim().split("\n");
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) expect(typeof JSON.parse(row)).toBe("object");
    });

    test("Engine summarises a document, with the same words each time", async () => {
      const { layout } = await engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      const summarise = () => engine.run(describeTask, { layout, request: { kind: "summary" } }, limits());
      const summary = decode(await summarise());
      expect(JSON.parse(summary)).toMatchObject({ document_type: "invoice", key_facts: expect.any(Array) });
      expect(summary).toContain("INV-2041");
      expect(decode(await summarise())).toBe(summary);
    });

    test("Engine extracts values with source locations; every leaf is located or unresolved", async () => {
      const { layout } = await engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      const extracted = await engine.run(
        extractTask,
        { layout, request: { schema: SCHEMA, granularity: "word" } },
        limits(),
      );
      const result = JSON.parse(decode(extracted.result)) as Record<string, unknown>;
      const sources = JSON.parse(decode(extracted.sources)) as SourceLocations;
      expect(result).toMatchObject({ invoice_number: "INV-2041", total: 1250.75 });
      expect(result.purchase_order_colour ?? null).toBeNull();

      expect(sources).toMatchObject({ version: 1, granularity: "word" });
      expect(sources.pages[0]).toMatchObject({ pageNumber: 1, width: 8.5, height: 11, unit: "inch" });
      const location = sources.locations["/invoice_number"];
      expect(location?.sourceRefs.map((reference) => wordAt(parseLayout(layout), reference))).toEqual(["INV-2041"]);
      expect(location?.pageAnchors[0]).toMatchObject({ pageNumber: 1, unit: "inch" });
      expect(location?.confidence).toBeGreaterThan(0.5);
      expect(sources.locations).toHaveProperty(["/total"]);

      const leaves = Object.keys(result).map((member) => `/${member}`);
      const named = [...Object.keys(sources.locations), ...sources.unresolved.map(({ pointer }) => pointer)];
      expect(named.toSorted()).toEqual(leaves.toSorted());
      expect(extracted.facts.found).toBe(2);
      expect(extracted.facts.confidence).toBeGreaterThan(0.5);
    });

    test("Engine gives the same bytes every time", async () => {
      const read = () => engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      const [first, second] = await Promise.all([read(), read()]);
      expect(decode(second.layout)).toBe(decode(first.layout));
      const extract = () =>
        engine.run(extractTask, { layout: first.layout, request: { schema: SCHEMA, granularity: "auto" } }, limits());
      const [one, other] = await Promise.all([extract(), extract()]);
      expect(decode(other.result)).toBe(decode(one.result));
      expect(decode(other.sources)).toBe(decode(one.sources));
      const transcribe = () => engine.run(transcribeTask, { layout: first.layout, format: "markdown" }, limits());
      expect(await transcribe()).toEqual(await transcribe());
    });

    test("Engine does not change the caller's bytes", async () => {
      const before = invoice.slice();
      await engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, limits());
      expect(invoice).toEqual(before);
    });

    test("Engine inspects an upload: counts the pages, and refuses a document that does not open", async () => {
      expect(await engine.run(inspectTask, { bytes: invoice, mimeType: PDF }, limits())).toEqual({ pageCount: 2 });
      const { pageCount } = await engine.run(inspectTask, { bytes: encode("hello"), mimeType: TEXT }, limits());
      expect(pageCount === null || pageCount === 1).toBe(true);
      const error = await failure(
        engine.run(inspectTask, { bytes: encode("%PDF-1.7\nnothing else"), mimeType: PDF }, limits()),
      );
      expect(error).toBeInstanceOf(UnprocessableEntity);
      expect((error as UnprocessableEntity).message).not.toMatch(/\/|\n|Error/);
    });

    test("Engine does nothing past the deadline", async () => {
      const late = { deadline: clock.now() - 1 };
      const error = await failure(engine.run(readTask, { bytes: invoice, options: { mimeType: PDF } }, late));
      expect(error).toBeInstanceOf(JobFailure);
      expect((error as JobFailure).message).toBe(`Processing timeout after ${jobTimeoutSeconds} seconds`);
      expect(await failure(engine.run(inspectTask, { bytes: invoice, mimeType: PDF }, late))).toBeInstanceOf(
        UnprocessableEntity,
      );
    });
  });
}
