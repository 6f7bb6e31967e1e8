/** Real forms, and many damaged ones: objects that are read as they are asked for are those read from front to back. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParseSpeeds, PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { corpusForms } from "../../bench/templates/corpus-forms.ts";
import { formFields } from "../../functions/engine/templates/pdf/form-fields.ts";
import { openLazily } from "../../functions/engine/templates/pdf/lazy/lazy-document.ts";
import { lazyObjectsOf } from "../../functions/engine/templates/pdf/lazy/lazy-objects.ts";
import { type OpenForm, withForm } from "../../functions/engine/templates/pdf/open-form.ts";
import { cpuSeconds } from "../support/cpu.ts";
import { compareEnds, MUTATED_FORMS, randomOf } from "../support/mutated-forms.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real form was read`);
const { forms, keptBack } = present ? await corpusForms(CORPUS) : { forms: [], keptBack: [] };
for (const name of keptBack) console.warn(`SKIPPED: ${name} is kept for an examination`);

/** Forms that are read from front to back: an encrypted one. */
const WHOLE: readonly string[] = ["dod-dd293-discharge-review.pdf"];

const fieldsOf = ({ fields }: OpenForm) =>
  formFields(fields).map(({ dict, widgets, ...field }) => ({
    ...field,
    dict: String(dict),
    widgets: widgets.map(String),
  }));

describe.skipIf(!present)("real forms", () => {
  const whole: string[] = [];
  afterAll(() => console.info(`read from front to back: ${whole.join(", ") || "none"}`));

  it.each(forms.map((form) => [form.name, form] as const))(
    "have the same objects and fields: %s",
    async (name, form) => {
      const { bytes } = form;
      const isLazy = await withForm(bytes, ({ document }) => lazyObjectsOf(document.context) !== undefined);
      if (!isLazy) whole.push(name);
      expect(isLazy).toBe(!WHOLE.includes(name));
      expect(await withForm(bytes, fieldsOf)).toEqual(await withForm(bytes, fieldsOf, { whole: true }));
      const lazy = openLazily(bytes)?.document.context;
      if (lazy === undefined) return;
      const loading = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest, preserveXFA: true };
      const read = (await PDFDocument.load(bytes, loading)).context;
      const objectsOf = (context: typeof read) =>
        new Map(context.enumerateIndirectObjects().map(([ref, object]) => [ref.tag, object.toString()]));
      const [own, all] = [objectsOf(lazy), objectsOf(read)];
      const different = [...own].filter(([tag, object]) => all.get(tag) !== object).map(([tag]) => tag);
      const missing = [...all.keys()].filter((tag) => !own.has(tag));
      expect(own.size).toBeGreaterThan(1);
      expect({ different, missing }).toEqual({ different: [], missing: [] });
    },
  );

  it("are read as they are asked for, nearly all", () => {
    expect(whole.length).toBeLessThan(0.2 * forms.length);
  });
});

const MUTATIONS = 1_000;
/** Others than those of the short test. */
const FIRST_SEED = 10_000;

describe("forms with random damage", () => {
  it.each(Object.entries(MUTATED_FORMS))(
    "end alike in both ways of reading them, listed by %s",
    async (name, make) => {
      const counts = { alike: 0, more: 0, sound: 0, other: 0, listsOther: 0 };
      let slowest = 0;
      for (let seed = 0; seed < MUTATIONS; seed += 1) {
        const { bytes, undamaged, listsOther } = await make(randomOf(FIRST_SEED + seed));
        const start = process.cpuUsage();
        const ends = await compareEnds(bytes, undamaged);
        slowest = Math.max(slowest, cpuSeconds(start));
        if (ends === undefined) continue;
        counts[listsOther ? "listsOther" : ends.kind] += 1;
        if (ends.kind === "other" && !listsOther)
          expect({ seed, ends: ends.lazily }).toEqual({ seed, ends: ends.whole });
      }
      console.info(`${name}: ${JSON.stringify(counts)} of ${MUTATIONS}, ${slowest.toFixed(2)} s at most`);
      expect(counts.alike).toBeGreaterThan(0);
      expect(counts.more + counts.sound).toBeLessThan(0.1 * counts.alike);
      expect(slowest).toBeLessThan(1);
    },
    300_000,
  );
});
