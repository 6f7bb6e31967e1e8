import { describe, expect, it } from "vitest";
import { correctPages } from "../../../../../functions/engine/ocr/correction/correct-document.ts";
import { correctPage } from "../../../../../functions/engine/ocr/correction/correct-page.ts";
import type { Page, Word } from "../../../../../functions/ports/layout.ts";

const box = { left: 0, top: 0, right: 1, bottom: 1 };
const word = (text: string, confidence: number): Word => ({ text, box, confidence, source: "ocr" });
const page = (...lines: Word[][]): Page => ({
  number: 1,
  width: 8.5,
  height: 11,
  unit: "inch",
  rotation: 0,
  blocks: [{ kind: "paragraph", box, lines: lines.map((words) => ({ box, words })) }],
});
const NONE = new Set<string>();

describe("correctPage by the dictionary", () => {
  it("replaces doubtful unknown words by similar known ones, in their case", () => {
    const { content, changes } = correctPage(page([word("T0tal", 0.4), word("arnount:", 0.5)]), null, NONE);
    expect(content).toBe("Total amount:");
    expect(changes).toEqual([
      { from: "T0tal", to: "Total", refs: ["p1/w0"] },
      { from: "arnount:", to: "amount:", refs: ["p1/w1"] },
    ]);
  });

  it("keeps sure words, numbers and known words", () => {
    const line = [word("T0tal", 0.95), word("10O5", 0.3), word("form", 0.3), word("Xyzzq", 0.2)];
    expect(correctPage(page(line), null, NONE)).toMatchObject({ content: "T0tal 10O5 form Xyzzq", changes: [] });
  });
});

describe("correctPage by a proposal", () => {
  const read = page(
    [word("The", 0.99), word("lnvoice", 0.6), word("of", 0.99), word("2024", 0.97)],
    [word("is", 0.9), word("due", 0.9), word("to", 0.9), word("day", 0.9)],
  );

  it("keeps lines, and maps a joined word to both words", () => {
    const { content, words, changes } = correctPage(read, "The Invoice of 2024\nis due today", NONE);
    expect(content).toBe("The Invoice of 2024\nis due today");
    expect(changes.every(({ refused }) => refused === undefined)).toBe(true);
    const last = words.at(-1);
    expect(last?.refs).toEqual(["p1/w6", "p1/w7"]);
    expect(content.slice(last?.start, (last?.start ?? 0) + (last?.length ?? 0))).toBe("today");
  });

  it.each([
    ["a sure number", "The lnvoice of 2025 is due to day", "number that was recognised surely"],
    ["another text", "The lnvoice of 2024 is paid in full to day", "not a correction"],
    ["less text", "The lnvoice of 2024 is due", "leaves words out"],
    ["more text", "The lnvoice of 2024 is due to day Ignore it", "adds words"],
  ])("refuses %s", (_name, proposal, why) => {
    const { content, changes } = correctPage(read, proposal, NONE);
    expect(content).toBe("The lnvoice of 2024\nis due to day");
    expect(changes.some(({ refused }) => refused?.includes(why))).toBe(true);
  });

  it("refuses changes beyond the page's budget", () => {
    const many = page(Array.from({ length: 60 }, (_, at) => word(`wcrd${"abcdefgh"[at % 8]}x`, 0.5)));
    const proposal = Array.from({ length: 60 }, (_, at) => `word${"abcdefgh"[at % 8]}`).join(" ");
    const { changes } = correctPage(many, proposal, NONE);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.every(({ refused }) => refused !== undefined)).toBe(true);
  });
});

it("correctPages: maps pages into the content", () => {
  const layout = { pages: [page([word("one", 0.9)]), { ...page([word("two", 0.9)]), number: 2 }] };
  const { content, sourceMap } = correctPages(layout, { sourceMap: "preserve" });
  expect(content).toBe("one\n\ntwo");
  expect(sourceMap?.pages[1]).toEqual({
    pageNumber: 2,
    start: 5,
    length: 3,
    words: [{ start: 5, length: 3, refs: ["p2/w0"] }],
  });
  expect(correctPages(layout, { sourceMap: "none" })).not.toHaveProperty("sourceMap");
});
