/** Hostile Office templates and values in the process pool: a filled document or a sentence, within time and memory. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { templateFieldsTask } from "../../functions/engine/tasks/template-fields.ts";
import { templateFillTask } from "../../functions/engine/tasks/template-fill.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { encodeJson, type JsonObject } from "../../functions/ports/json.ts";
import { DOCX, PPTX, XLSX } from "../../functions/ports/media-types.ts";
import { chartFrame, chartParts, table, textBox } from "../support/deck-template.ts";
import { type MemoryWatch, watchDescendants } from "../support/descendants.ts";
import { openBundledEngine } from "../support/engine-bundle.ts";
import { workbookOf } from "../support/excel-workbook.ts";
import { docx, wordParagraph, wordTable } from "../support/office.ts";
import { presentation } from "../support/office-parts.ts";

const MEGABYTE = 2 ** 20;
const MAX_MEMORY_BYTES = 512 * MEGABYTE;
const MAX_SECONDS = 10;
/** Before the limit: the answer needs time too. */
const DEADLINE_MS = 9_000;

const clock = systemClock();
const engine = await openBundledEngine({ jobTimeoutSeconds: MAX_SECONDS, memoryLimitBytes: MAX_MEMORY_BYTES }, clock);
const options = { images: [], flatten: false, missingIsError: false, ignoreUnknown: true };

interface Hostile {
  mimeType: string;
  bytes: () => Uint8Array;
  fields?: () => JsonObject;
  refused?: RegExp;
}

const listOf = (items: number): JsonObject => ({ a: Array.from({ length: items }, () => ({ x: "text" })) });
const CUBE = "{#a}{#b}{#c}{x}{/c}{/b}{/a}";
/** 450 items that loops in each other make 3,375,000 of, as the inner lists stand around the loops. */
const cubed = (): JsonObject => {
  const list = Array.from({ length: 150 }, () => ({ x: "text" }));
  return { a: list, b: list, c: list };
};
const paragraphsOf = (texts: readonly string[]): string => texts.map((text) => wordParagraph(text)).join("");
const deep = (levels: number): string => `${"<a:x>".repeat(levels)}${"</a:x>".repeat(levels)}`;
const repeated = (text: string, times: number): string[] => Array.from({ length: times }, () => text);

const HOSTILE: Record<string, Hostile> = {
  "150³ items in Word": { mimeType: DOCX, bytes: () => docx(wordParagraph(CUBE)), fields: cubed, refused: /100,000/ },
  "150³ items in PowerPoint": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox(CUBE) }]),
    fields: cubed,
    refused: /100,000/,
  },
  "150³ rows of PowerPoint": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: table([["{#a}"], ["{#b}"], ["{#c}{x}{/}"], ["{/}"], ["{/}"]]) }]),
    fields: cubed,
    refused: /100,000/,
  },
  "150³ rows of Excel": {
    mimeType: XLSX,
    bytes: () =>
      workbookOf({
        sheets: [{ name: "S", cells: { A1: "{#a}", A2: "{#b}", A3: "{#c}{x}{/c}", A4: "{/b}", A5: "{/a}" } }],
      }),
    fields: cubed,
    refused: /100,000|rows/,
  },
  "20,000 rows of Word": {
    mimeType: DOCX,
    bytes: () => docx(wordTable([["{#a}{x}{/a}"]])),
    fields: () => listOf(20_000),
  },
  "20,000 rows of PowerPoint": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: table([["{#a}{x}", "{/a}"]]) }]),
    fields: () => listOf(20_000),
  },
  "a long text in many items": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox("{#a}{long}{/a}") }]),
    fields: () => ({ ...listOf(10_000), long: "x".repeat(100_000) }),
    refused: /characters/,
  },
  "200 slides with a chart each": {
    mimeType: PPTX,
    bytes: () =>
      presentation(
        [
          {
            shapes: textBox("{#a}{x}") + chartFrame("chart") + textBox("{/a}"),
            relationships: { chart: ["chart", "../charts/chart1.xml"] },
          },
        ],
        "",
        "",
        "",
        chartParts({ A2: "{{x}}", B2: "{{y}}" }, ["Sheet1!$A$2", "Sheet1!$B$2"]),
      ),
    fields: () => listOf(200),
  },
  "100,000 tags in one paragraph": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox("{x}".repeat(100_000)) }]),
    refused: /more than 10,000 tags/,
  },
  "50,000 paragraphs that open a section": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox(...repeated("{#x}", 50_000)) }]),
    refused: /more than 10,000 tags/,
  },
  "4,000 sections in each other": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox("{#x}".repeat(4_000) + "{/}".repeat(4_000)) }]),
    fields: () => ({ x: true }),
    refused: /in each other/,
  },
  "deep elements": {
    mimeType: PPTX,
    bytes: () => presentation([{ shapes: textBox("{x}") + deep(5_000) }]),
    refused: /./,
  },
  "a slide that inflates to 180 MB": {
    mimeType: PPTX,
    bytes: () =>
      presentation([{ shapes: textBox("{x}", " ".repeat(60_000_000)) }, { shapes: textBox(" ".repeat(60_000_000)) }]),
    refused: /more text than can be processed/,
  },
  "1,000,000 braces": { mimeType: DOCX, bytes: () => docx(paragraphsOf(["{".repeat(1_000_000)])), refused: /./ },
};

const run = (mimeType: string, bytes: Uint8Array, fields: JsonObject = { x: "text" }) =>
  engine.run(
    templateFillTask,
    { bytes, mimeType, request: { ...options, fields: encodeJson(fields) } },
    { deadline: clock.now() + DEADLINE_MS },
  );

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus/hostile");
const TYPES: Record<string, string> = { docx: DOCX, xlsx: XLSX, zip: PPTX };
const files = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => /\.(?:docx|xlsx|zip)$/.test(name)) : [];
if (files.length === 0) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no hostile file of it was filled`);

describe("hostile Office templates", () => {
  let memory: MemoryWatch;
  beforeAll(async () => {
    await engine.ready();
    memory = watchDescendants();
  });
  afterAll(async () => {
    memory.close();
    console.info(`hostile Office templates: at most ${Math.round(memory.peak() / MEGABYTE)} MB in any one process`);
    await engine.close();
  });

  async function endOf(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const started = performance.now();
    const end = await work().catch((error: unknown) => error);
    const seconds = (performance.now() - started) / 1000;
    const refused = end instanceof AppError;
    console.info(`${name}: ${refused ? end.message.slice(0, 200) : "done"} in ${seconds.toFixed(1)} s`);
    if (!refused && end instanceof Error) throw end;
    if (refused) {
      expect(end.retryable).toBe(false);
      expect(end.message).not.toMatch(/\n|\bat \S+:\d+|\w+Error\b|undefined/);
    }
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(memory.peak()).toBeLessThanOrEqual(MAX_MEMORY_BYTES);
    return end;
  }

  it.each(Object.entries(HOSTILE))("end with a document or a sentence: %s", async (name, hostile) => {
    const bytes = hostile.bytes();
    const end = await endOf(name, () => run(hostile.mimeType, bytes, hostile.fields?.()));
    if (hostile.refused === undefined) expect(end).toMatchObject({ bytes: expect.anything() });
    else expect((end as Error).message).toMatch(hostile.refused);
  });

  it.each(files)("of the corpus are listed or refused: %s", async (name) => {
    const bytes = new Uint8Array(readFileSync(join(CORPUS, name)));
    const mimeType = TYPES[name.split(".").at(-1) ?? ""] ?? DOCX;
    const end = await endOf(name, () =>
      engine.run(templateFieldsTask, { bytes, mimeType, templateName: "x" }, { deadline: clock.now() + DEADLINE_MS }),
    );
    expect(end).toBeDefined();
  });

  it("leave an engine that fills the next template", async () => {
    const { bytes } = await run(PPTX, presentation([{ shapes: textBox("{x}") }]));
    expect(bytes.length).toBeGreaterThan(0);
  });
});
