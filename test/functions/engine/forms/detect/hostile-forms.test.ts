import { describe, expect, it } from "vitest";
import { acroFormMetadata } from "../../../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { findFormFields } from "../../../../../functions/engine/forms/write/find-form-fields.ts";
import { cpuSeconds } from "../../../../support/cpu.ts";
import { handForm } from "../../../../support/hand-form.ts";
import { HOSTILE_FORMS } from "../../../../support/hostile-forms.ts";

const MAX_CPU_SECONDS = 1.5;

describe("findFormFields", () => {
  it.each([
    ["a tree of fields that doubles at each level", "lists the same groups of fields again and again"],
    ["ten megabytes of opening brackets", "more than 500000 opening brackets in a row"],
  ])("refuses at once, with a sentence: %s", async (name, sentence) => {
    const bytes = HOSTILE_FORMS[name]?.() ?? new Uint8Array();
    const start = process.cpuUsage();
    await expect(findFormFields(bytes, DETECTION_DEFAULTS)).rejects.toThrow(sentence);
    expect(cpuSeconds(start)).toBeLessThan(MAX_CPU_SECONDS);
  });
});

describe("acroFormMetadata", () => {
  it("reads a form that names one group of fields twice", async () => {
    const bytes = handForm({
      widgets: ["/Parent 50 0 R /FT /Tx /T (a) /Rect [20 20 200 40]"],
      fields: "50 0 R 50 0 R",
      objects: ["50 0 obj <</T (group) /Kids [10 0 R]>> endobj"],
    });
    expect((await acroFormMetadata(bytes)).fields.map(({ name }) => name)).toEqual(["group.a"]);
  });
});
