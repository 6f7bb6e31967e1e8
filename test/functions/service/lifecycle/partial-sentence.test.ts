import { expect, test } from "vitest";
import { partialSentence } from "../../../../functions/service/lifecycle/partial-sentence.ts";

const fault = (pointer: string) => ({ pointer, message: "is missing." });
const receipt = {
  expected: 9,
  returned: 7,
  missing: [],
  missingPages: "2,4",
  lists: [
    { pointer: "/lines", expected: 8, returned: 6, counted: true },
    { pointer: "/notes", expected: 1, returned: 1, counted: true },
  ],
};

test.each([
  [{}, "The result is incomplete"],
  [{ validationErrors: [{ pointer: "/a", message: "Page 2 is missing" }] }, "/a: Page 2 is missing"],
  [{ receipt }, "/lines lacks 2 of 8 rows (pages 2,4)"],
  [{ receipt, validationErrors: [fault("")] }, "/lines lacks 2 of 8 rows (pages 2,4); The result is missing"],
  [
    { validationErrors: ["/a", "/b", "/c", "/d", "/e"].map(fault) },
    "/a is missing; /b is missing; /c is missing; and 2 more",
  ],
])("partialSentence names the first shortfalls of %j", (shortfalls, sentence) => {
  expect(partialSentence(shortfalls)).toBe(sentence);
});
