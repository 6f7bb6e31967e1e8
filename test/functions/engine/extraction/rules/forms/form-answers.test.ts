import { beforeAll, describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { formEntries } from "../../../../../../functions/engine/forms/entries/form-entries.ts";
import { readDocument } from "../../../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Layout } from "../../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../../functions/ports/media-types.ts";
import { APPLICATION_SCHEMA, applicationForm } from "../../../../../support/application-form.ts";

const read = async (made: { filled: boolean; flatten: boolean }): Promise<Layout> =>
  (await readDocument(await applicationForm(made), { mimeType: PDF }, formEntries)).layout;
const ask = (layout: Layout) =>
  extractOffline(layout, { schema: parseSchema(APPLICATION_SCHEMA), granularity: "word" });

const ANSWERS = {
  surname: "Marchetti",
  given_name: "Odile",
  dob: "1986-04-09",
  address: { street: "12 Quince Lane", city: "Astoria", postcode: "97103" },
  e_mail: "odile@example.org",
  income_per_month: 2450,
  profession: null,
  employer: "Harbor Clinic",
  telephone: null,
  owns_vehicle: false,
  marital_status: "married",
  needs_interpreter: true,
  is_veteran: false,
  form_number: null,
};

describe("a form with fields", () => {
  let filled: Layout;
  beforeAll(async () => {
    filled = await read({ filled: true, flatten: false });
  });

  it("answers by the print beside its fields, whatever these are named", () => {
    expect(ask(filled).result).toEqual(ANSWERS);
  });

  it("locates its values at the fields that hold them", () => {
    const { locations } = ask(filled).sources;
    expect(locations["/surname"]).toMatchObject({ resolution: "acroform-field", sourceRefs: ["f1"] });
    expect(locations["/surname"]?.pageAnchors[0]).toMatchObject({ pageNumber: 1, unit: "point" });
  });

  it("has nothing but its filled fields in the general result", () => {
    const { result } = extractOffline(filled, { granularity: "word" });
    const { key_values: pairs } = result as { key_values: Record<string, unknown> };
    expect(pairs).toMatchObject({ "Last name": "Marchetti", Employer: "Harbor Clinic", "I need an interpreter": true });
    expect(Object.keys(pairs)).not.toContain("Occupation");
  });

  it("answers nothing when it is blank, but that boxes are not ticked", async () => {
    const { result } = ask(await read({ filled: false, flatten: false }));
    expect(result).toEqual({
      ...Object.fromEntries(Object.keys(ANSWERS).map((name) => [name, null])),
      address: { street: null, city: null, postcode: null },
      needs_interpreter: false,
      is_veteran: false,
    });
  });
});

describe("a form that was flattened", () => {
  it("answers by what stands in the cells and boxes of its labels", async () => {
    const { result, sources } = ask(await read({ filled: true, flatten: true }));
    expect(result).toEqual(ANSWERS);
    expect(sources.locations["/surname"]?.resolution).toBe("word");
  });

  it("gives none of its print as a value when it is blank", async () => {
    const { result } = ask(await read({ filled: false, flatten: true }));
    expect(result).toMatchObject({ surname: null, given_name: null, dob: null, e_mail: null, form_number: null });
    expect(result).toMatchObject({ marital_status: null, owns_vehicle: null, needs_interpreter: false });
  });

  it("gives no name of a field as a value where writing is told from print by its look", async () => {
    const told = await read({ filled: true, flatten: true });
    const named = JSON.parse(JSON.stringify(told).replaceAll("Marchetti", "Nationality")) as Layout;
    expect(ask(named).result).toMatchObject({ surname: "Nationality" });
    const guessed = structuredClone(named);
    for (const entry of guessed.pages.flatMap(({ entries = [] }) => entries))
      if (entry.words.length > 0) entry.certainty = 0.9;
    expect(ask(guessed).result).toMatchObject({ surname: null, given_name: "Odile" });
  });
});
