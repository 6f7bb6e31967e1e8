/** Real forms, filled whole and read back by programs that share no code with this project. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusForms } from "../../bench/templates/corpus-forms.ts";
import { type Fidelity, measureFidelity } from "../../bench/templates/fidelity.ts";
import { FORM_READERS } from "../../bench/templates/form-readers.ts";
import { hasQpdf } from "../../bench/templates/qpdf.ts";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import { countManifestTypes } from "../support/manifest-types.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real form was filled`);

/** Share of all values that are to be read back. */
const LEAST_STORED = 0.995;

const { forms, keptBack } = present ? await corpusForms(CORPUS) : { forms: [], keptBack: [] };
for (const name of keptBack) console.warn(`SKIPPED: ${name} is kept for an examination`);
const readsBack = present && hasQpdf();
if (!readsBack) console.warn("SKIPPED: qpdf is not installed; no value is read back");
const readers = FORM_READERS.filter((reader) => {
  const isThere = reader.isThere();
  if (!isThere) console.warn(`SKIPPED: ${reader.name} is not installed; it draws no form`);
  return isThere;
});

/** Share of a form's dark pixels that may differ once it is flattened. */
const MOST_FLATTENED_DIFFERENCE = 0.005;

describe.skipIf(!present)("real forms", () => {
  it("are at hand", () => expect(forms.length).toBeGreaterThan(20));

  it.each(forms.map((form) => [form.name, form] as const))(
    "are listed as the manifest counts them: %s",
    async (_, form) => {
      const { fields } = await describeForm(form.bytes);
      // Fields of orphan widgets are in no list, and so in no other program's count.
      expect(fields).toHaveLength(form.facts.fields + form.facts.orphan_widgets);
      if (form.facts.orphan_widgets === 0) expect(countManifestTypes(fields)).toEqual(form.facts.types);
    },
  );

  const measured: Fidelity[] = [];
  it.each(forms.map((form) => [form.name, form] as const))(
    "show every value in its box, change nothing else, and look the same once flattened: %s",
    async (_, form) => {
      const fidelity = await measureFidelity(form, readers, readsBack);
      measured.push(fidelity);
      expect(fidelity.filled).toBeGreaterThan(0);
      for (const [reader, { shown, unchanged, strayPixels }] of fidelity.drawn) {
        expect([reader, unchanged, strayPixels]).toEqual([reader, [], 0]);
        expect(shown).toBeGreaterThan(0);
        // Some readers leave out buttons that have no value.
        expect(fidelity.flattened.get(reader)).toBeLessThan(MOST_FLATTENED_DIFFERENCE);
      }
    },
  );

  it.each(forms.map((form) => [form.name, form] as const))(
    "have no field once they are flattened: %s",
    async (_, { bytes }) => {
      const request = { fields: {}, images: new Map(), flatten: true, missingIsError: false, ignoreUnknown: false };
      const { fields } = await describeForm((await fillForm(bytes, request)).bytes);
      expect(fields).toEqual([]);
    },
  );

  it.skipIf(!readsBack)("store every value as it is to be stored", () => {
    const filled = measured.reduce((sum, one) => sum + one.filled, 0);
    const stored = measured.reduce((sum, one) => sum + (one.stored ?? 0), 0);
    expect(filled).toBeGreaterThan(2_000);
    expect(stored / filled, measured.flatMap(({ wrong }) => wrong).join("\n")).toBeGreaterThanOrEqual(LEAST_STORED);
  });
});
