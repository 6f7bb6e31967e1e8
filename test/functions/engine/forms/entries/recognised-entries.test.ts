import { expect, test } from "vitest";
import { recognisedEntries } from "../../../../../functions/engine/forms/entries/recognised-entries.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import type { Box, Page, Word } from "../../../../../functions/ports/layout.ts";

const ROWS = [
  ["Surname", "Kowalczyk"],
  ["Given name", "Marta"],
  ["Occupation", "Welder"],
  ["City", "Gdynia"],
  ["Telephone", "555-0142-77"],
  ["Email", "marta@example.pl"],
  ["Reference", ""],
] as const;
const CHARACTER_INCHES = 0.08;

function wordAt(text: string, left: number, top: number): Word {
  const box = { left, top, right: left + CHARACTER_INCHES * text.length, bottom: top + 0.12 };
  return { text, box, confidence: 0.95, source: "ocr", fontSize: 10 };
}

/** A recognised page of labels with values on dotted leaders behind them. */
function scannedRows(): { page: Page; leaders: Box[] } {
  const leaders: Box[] = [];
  const lines = ROWS.map(([label, value], row) => {
    const top = 1 + 0.4 * row;
    const words: Word[] = [];
    for (const text of [...label.split(" "), ...(value === "" ? [] : [value])])
      words.push(wordAt(text, words.length === 0 ? 1 : (words.at(-1)?.box.right ?? 0) + 0.06, top));
    const from = value === "" ? (words.at(-1)?.box.right ?? 0) + 0.06 : (words.at(-1)?.box.left ?? 0);
    leaders.push({ left: from, top: top + 0.12, right: 6, bottom: top + 0.14 });
    return { box: { left: 1, top, right: 6, bottom: top + 0.12 }, words };
  });
  const page: Page = {
    number: 1,
    width: 8,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks: [{ kind: "paragraph", box: { left: 1, top: 1, right: 6, bottom: 4 }, lines }],
  };
  return { page, leaders };
}

test("recognisedEntries finds what was written on the leaders of a scan, apart from the labels before them", () => {
  const { page, leaders } = scannedRows();
  const entries = recognisedEntries(page, { rules: [], bars: [], squares: [], leaders });
  const textOf = new Map(pageWords(page).map(({ box, text }) => [box, text]));
  const found = entries.map(({ label, words }) => [label, words.map((box) => textOf.get(box)).join(" ")]);
  expect(found).toEqual(
    expect.arrayContaining([
      ["Surname", "Kowalczyk"],
      ["City", "Gdynia"],
      ["Email", "marta@example.pl"],
    ]),
  );
  expect(found).toEqual(expect.arrayContaining([["Reference", ""]]));
});

test("recognisedEntries finds none on a page with few lines", () => {
  const { page, leaders } = scannedRows();
  expect(recognisedEntries(page, { rules: [], bars: [], squares: [], leaders: leaders.slice(0, 5) })).toEqual([]);
});
