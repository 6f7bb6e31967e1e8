import { expect, test } from "vitest";
import type { FormPageContent } from "../../../../../functions/engine/forms/detect/form-page.ts";
import { PageSpace } from "../../../../../functions/engine/forms/detect/page-space.ts";
import { writtenSigns } from "../../../../../functions/engine/forms/entries/written-signs.ts";
import { PICTURE_WEIGHTS } from "../../../../../functions/engine/forms/entries/written-weights.ts";

/** The signs of a run of words that stands alone on a page. */
function signsOf(text: string): Record<string, number> {
  let left = 50;
  const words = text.split(" ").map((word) => {
    const box = { left, top: 100, right: left + 5 * word.length, bottom: 110 };
    left = box.right + 3;
    return { text: word, box, size: 10, line: 1 };
  });
  const content: FormPageContent = {
    pageNumber: 1,
    width: 595,
    height: 842,
    angle: 0,
    frame: { left: 0, top: 0, right: 595, bottom: 842 },
    words,
    horizontal: [],
    vertical: [],
    fills: [],
    blanks: [],
    frames: [],
    rounds: [],
    squares: [],
    marks: [],
    underscores: [],
    leaders: [],
    widgets: [],
    isPicture: true,
  };
  const space = new PageSpace(content);
  const [run] = space.runs;
  if (run === undefined) throw new Error(`no run: ${text}`);
  return writtenSigns(run, space, 0);
}

test.each([
  ["09:45", "short value"],
  ["03/14", "short value"],
  ["6 h", "short value"],
  ["7KQ2M93", "code"],
  ["Helen Ortiz", "names"],
  ["12 rue des Chantiers, 44100 Nantes", "address"],
  ["Titova 14", "address"],
])("%s has the sign of a written value: %s", (text, sign) => {
  expect(signsOf(text)[sign]).toBe(1);
});

test.each([["3. Given name"], ["Date of birth:"], ["Please print or type"]])("%s has none of them", (text) => {
  const { "short value": short, code, names, address } = signsOf(text);
  expect([short, code, names, address]).toEqual([0, 0, 0, 0]);
});

test("a time is no number of a line, and a code no print in capitals", () => {
  expect(signsOf("09:45")["line number"]).toBe(0);
  expect(signsOf("3. Given name")["line number"]).toBe(1);
  expect(signsOf("DVV/2217/2025").capitals).toBe(0);
  expect(signsOf("FIRST PARTY").capitals).toBe(1);
});

test("every sign of a recognised page has its weight", () => {
  expect(Object.keys(PICTURE_WEIGHTS).toSorted()).toEqual(["bias", ...Object.keys(signsOf("Ines"))].toSorted());
});
