import { describe, expect, it } from "vitest";
import { isFormPage } from "../../../../../functions/engine/structure/view/printed-form-page.ts";
import type { FormEntry } from "../../../../../functions/ports/layout.ts";

const box = { left: 1, top: 1, right: 2, bottom: 1.2 };
const filledPlaces = (certainty?: number): FormEntry[] =>
  Array.from({ length: 14 }, (_, index) => ({
    kind: "text" as const,
    box,
    label: `Name ${index}`,
    context: [],
    words: [box],
    ...(certainty === undefined ? {} : { certainty }),
  }));

describe("isFormPage", () => {
  it("takes a page of filled places for a form's where the file tells the written words from the print", () => {
    expect(isFormPage(filledPlaces())).toBe(true);
    expect(isFormPage(filledPlaces(0.8))).toBe(false);
  });
});
