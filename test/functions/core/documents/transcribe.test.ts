import { expect, it } from "vitest";
import type { Block, Layout, Line } from "../../../../functions/core/documents/layout.ts";
import { LAYOUT_VERSION, unionBox } from "../../../../functions/core/documents/layout.ts";
import { PLAIN_TEXT } from "../../../../functions/core/documents/media-types.ts";
import { readText } from "../../../../functions/core/documents/text.ts";
import { transcribe } from "../../../../functions/core/documents/transcribe.ts";

const line = (text: string, left: number, top: number): Line => {
  const words = text.split(" ").map((word, at) => ({
    text: word,
    box: { left: left + at * 0.5, top, right: left + at * 0.5 + 0.4, bottom: top + 0.15 },
  }));
  return { box: unionBox(words.map((word) => word.box)), words };
};

const block = (...lines: Line[]): Block => ({ kind: "paragraph", box: unionBox(lines.map((one) => one.box)), lines });

const layoutOf = (...pages: Block[][]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: pages.length,
  pages: pages.map((blocks, index) => ({
    number: index + 1,
    width: 8.5,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks,
  })),
});

const sample = layoutOf(
  [
    block(line("Dear Sir", 1, 1), line("thank you", 1, 1.2)),
    block(line("Total due", 1, 2), line("12.50", 5, 2), line("EUR", 6, 2)),
  ],
  [],
  [block(line("The end", 1, 1))],
);

it("plain: lines, blank lines between blocks, form feeds between pages, rows kept", () => {
  expect(transcribe(sample, "plain")).toBe("Dear Sir\nthank you\n\nTotal due   12.50   EUR\n\f\n\fThe end\n");
});

it("plain text reads back as the same lines", () => {
  const again = readText(new TextEncoder().encode(transcribe(sample, "plain")), PLAIN_TEXT);
  expect(again.pageCount).toBe(3);
  expect(transcribe(again, "plain")).toBe(transcribe(sample, "plain"));
});

it("markdown: page markers, and nothing at a line's start that means something else", () => {
  expect(transcribe(sample, "markdown")).toBe(
    "<!-- page 1 -->\n\nDear Sir\nthank you\n\nTotal due   12.50   EUR\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThe end\n",
  );
  const escaped = (text: string): string =>
    transcribe(layoutOf([block(line(text, 1, 1))]), "markdown").split("\n")[2] ?? "";
  expect(escaped("# 5")).toBe("\\# 5");
  expect(escaped("#5")).toBe("#5");
  expect(escaped("- item")).toBe("\\- item");
  expect(escaped("-5.00")).toBe("-5.00");
  expect(escaped("1. item")).toBe("1\\. item");
  expect(escaped("1.5 kg")).toBe("1.5 kg");
  expect(escaped("> quote")).toBe("\\> quote");
  expect(escaped("-----")).toBe("\\-----");
  expect(escaped("* * *")).toBe("\\* * *");
  expect(escaped("<div> x")).toBe("\\<div> x");
  expect(escaped("< 5")).toBe("< 5");
  expect(escaped("| a |")).toBe("\\| a |");
});

it("jsonl: one line a block", () => {
  const lines = transcribe(sample, "jsonl")
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one) as Record<string, unknown>);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toEqual({
    page: 1,
    kind: "paragraph",
    bbox: { left: 1, top: 2, right: 6.4, bottom: 2.15 },
    text: "Total due   12.50   EUR",
  });
  expect(lines[2]).toMatchObject({ page: 3, text: "The end" });
});

it("an empty layout is empty text", () => {
  for (const format of ["plain", "jsonl"] as const) expect(transcribe(layoutOf([]), format)).toBe("");
});
