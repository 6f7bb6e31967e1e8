/** Hostile and large PDFs in the process pool: a form or a sentence, within time and memory. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import type { FieldDefinition } from "../../functions/engine/forms/field-definition.ts";
import { formDetectTask } from "../../functions/engine/tasks/form-detect.ts";
import { formWriteTask } from "../../functions/engine/tasks/form-write.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../functions/ports/json.ts";
import { type MemoryWatch, watchDescendants } from "../support/descendants.ts";
import { openBundledEngine } from "../support/engine-bundle.ts";
import { flatForm } from "../support/flat-form.ts";
import { definition } from "../support/form-definitions.ts";
import { HOSTILE_FORMS } from "../support/hostile-forms.ts";

const MEGABYTE = 2 ** 20;
const MAX_MEMORY_BYTES = 768 * MEGABYTE;
/** Time for one piece of work; what takes longer is ended with a sentence. */
const MAX_SECONDS = 20;
/** Time of that end itself. */
const GRACE_SECONDS = 5;
const LIMITS = { minConfidence: 0.35, maxFieldsPerPage: 400 };
const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus/hostile");

const files: Record<string, () => Uint8Array> = { ...HOSTILE_FORMS };
if (existsSync(CORPUS)) {
  for (const name of readdirSync(CORPUS).filter((one) => one.endsWith(".pdf"))) {
    files[name] = () => new Uint8Array(readFileSync(join(CORPUS, name)));
  }
} else console.warn(`SKIPPED: the corpus is not at ${CORPUS}; only forms of this project are tried`);

const clock = systemClock();
const engine = await openBundledEngine({ jobTimeoutSeconds: MAX_SECONDS, memoryLimitBytes: MAX_MEMORY_BYTES }, clock);
const limits = () => ({ deadline: clock.now() + MAX_SECONDS * 1_000 });
const ended = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

const detect = async (bytes: Uint8Array): Promise<FieldDefinition[]> => {
  const options = { ...LIMITS, fieldNameStyle: "source_snake_case" } as const;
  return parseJsonBytes(await engine.run(formDetectTask, { bytes, options }, limits()));
};
const write = (bytes: Uint8Array, definitions: readonly FieldDefinition[]) =>
  engine.run(formWriteTask, { bytes, definitions: encodeJson(definitions), limits: LIMITS }, limits());

let memory: MemoryWatch;
beforeAll(async () => {
  await engine.ready();
  memory = watchDescendants();
});
afterAll(async () => {
  memory.close();
  console.info(`forms: at most ${Math.round(memory.peak() / MEGABYTE)} MB in any one process`);
  await engine.close();
});

describe("hostile PDFs", () => {
  it.each(Object.keys(files))("end with a form or a sentence: %s", async (name) => {
    const bytes = files[name]?.() ?? new Uint8Array();
    const ends: unknown[] = [];
    for (const work of [() => detect(bytes), () => write(bytes, [definition("added", [20, 20, 90, 40])])]) {
      const started = performance.now();
      ends.push(await ended(work()));
      expect((performance.now() - started) / 1_000).toBeLessThan(MAX_SECONDS + GRACE_SECONDS);
    }
    for (const end of ends) {
      if (end instanceof Error) {
        expect(end).toBeInstanceOf(AppError);
        expect(end.message).not.toMatch(/\n|\bat \S+:\d+|\w+Error\b|undefined/);
      }
    }
    console.info(`${name}: ${ends.map((end) => (end instanceof Error ? end.message : "done")).join("; ")}`);
    expect(memory.peak()).toBeLessThan(1.1 * MAX_MEMORY_BYTES);
  });
});

describe("large PDFs", () => {
  it("of 50 pages, with as many fields as a form may have, become forms in time", async () => {
    const bytes = await flatForm({ pages: 50 });
    const definitions = Array.from({ length: 20_000 }, (_, index) => {
      const [x, y] = [index % 20, Math.floor(index / 20) % 20];
      const at = [10 + 28 * x, 10 + 36 * y, 34 + 28 * x, 30 + 36 * y] as const;
      return definition(`field_${index}`, at, { pageNumber: 1 + Math.floor(index / 400) });
    });
    const started = performance.now();
    const report = parseJsonBytes<Record<string, unknown>>((await write(bytes, definitions)).report);
    console.info(`20,000 definitions on 50 pages: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    expect(report.writtenFieldCount).toBe(10_000);
    const [cut] = report.skippedFields as { reason: string }[];
    expect(cut?.reason).toBe("The form has more than 10,000 fields; name fewer pages by pageRange");
  });

  it("of 50 pages have their fields found in time, and a page of 100 × 100 inches its checkbox", async () => {
    const started = performance.now();
    expect((await detect(await flatForm({ pages: 50 }))).length).toBeGreaterThanOrEqual(250);
    const found = await detect(await flatForm({ size: [7_200, 7_200] }));
    expect(found.map(({ fieldType }) => fieldType)).toContain("checkbox");
    console.info(`51 pages searched: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  });
});
