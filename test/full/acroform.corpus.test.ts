/** Metadata of real forms, compared with the counts of independent programs. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../functions/engine/forms/acroform/acroform-metadata.ts";
import { AppError } from "../../functions/ports/errors.ts";
import { cpuSeconds } from "../support/cpu.ts";
import { countManifestTypes } from "../support/manifest-types.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real form was read`);

interface Facts {
  fields: number;
  types: Record<string, number>;
  widgets_on_pages: number;
  widgets_per_page: number[];
  widgets_with_maxlen: number;
  orphan_widgets: number;
}
const manifest: { files: { path: string; pages: number; facts: Facts }[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const forms = manifest.files.filter(({ path }) => path.startsWith("acroforms/"));
const hostile = manifest.files.filter(({ path }) => /^hostile\/.*\.(?:pdf|png)$/.test(path));

const load = (path: string): Uint8Array => new Uint8Array(readFileSync(join(CORPUS, path)));

describe.skipIf(!present)("describeForm on real forms", () => {
  it("has the corpus at hand", () => expect(forms.length).toBeGreaterThan(20));

  it.each(forms.map((entry) => [entry.path, entry] as const))("describes %s", async (path, { pages, facts }) => {
    const metadata = await acroFormMetadata(load(path));
    const { fields } = metadata;
    const widgets = fields.flatMap((field) => field.widgets);
    expect(metadata.pages).toHaveLength(pages);
    // Fields of orphan widgets are in no list, and so in no other program's count.
    expect(fields).toHaveLength(facts.fields + facts.orphan_widgets);
    if (facts.orphan_widgets === 0) expect(countManifestTypes(fields)).toEqual(facts.types);
    const onPages = facts.widgets_per_page.map(
      (_, index) => widgets.filter(({ pageNumber }) => pageNumber === index + 1).length,
    );
    expect(onPages).toEqual(facts.widgets_per_page);
    const limited = fields.filter(({ maxLength }) => maxLength !== null).flatMap((field) => field.widgets);
    expect(limited).toHaveLength(facts.widgets_with_maxlen);
    expect(new Set(widgets.map(({ id }) => id)).size).toBe(widgets.length);
    expect(fields.filter(({ name }) => name === "")).toEqual([]);
  });

  it.each(hostile.map(({ path }) => path))("ends within ten seconds on %s, at worst with a sentence", async (path) => {
    const start = process.cpuUsage();
    try {
      await acroFormMetadata(load(path));
    } catch (error) {
      expect(error, String(error)).toBeInstanceOf(AppError);
    }
    expect(cpuSeconds(start)).toBeLessThan(10);
  });
});
