import { describe, expect, it } from "vitest";
import { modelContent } from "../../../../../functions/engine/extraction/prompts/model-content.ts";
import { formEntries } from "../../../../../functions/engine/forms/entries/form-entries.ts";
import { locateValues } from "../../../../../functions/engine/grounding/locate-values.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { applicationForm } from "../../../../support/application-form.ts";

describe("a form for a model", () => {
  it("has its filled fields as a list of labels and values, and its values are located at them", async () => {
    const bytes = await applicationForm({ filled: true, flatten: false });
    const { layout } = await readDocument(bytes, { mimeType: PDF }, formEntries);
    const [page] = modelContent(layout);
    expect(page?.text).toContain("- Last name | f1_01: Marchetti");
    expect(page?.text).toContain("- Married | c2_01: ticked");
    expect(page?.text).not.toContain("f1_09");
    const located = locateValues(layout, { employer: "Harbor Clinic" }, { granularity: "word" });
    expect(located.sources.locations["/employer"]).toMatchObject({ resolution: "acroform-field", sourceRefs: ["f10"] });
  });

  it("has no list on a page without fields", async () => {
    const bytes = await applicationForm({ filled: true, flatten: true });
    const { layout } = await readDocument(bytes, { mimeType: PDF }, formEntries);
    expect(modelContent(layout)[0]?.text).not.toContain("Filled form fields");
  });
});
