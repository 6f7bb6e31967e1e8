import { describe, expect, it } from "vitest";
import { pageRows, transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { readText } from "../../../../../functions/engine/readers/text/read-text.ts";
import { structureLayout } from "../../../../../functions/engine/structure/structure-layout.ts";
import type { Block } from "../../../../../functions/ports/layout.ts";
import { PLAIN_TEXT } from "../../../../../functions/ports/media-types.ts";
import { PROSE, sample } from "../../../../support/transcribed.ts";
import { setBlock, setLayout, setPage, setTable } from "../../../../support/typeset.ts";

describe("transcribe as plain text", () => {
  it("writes lines, blank lines between blocks, form feeds between pages", () => {
    expect(transcribe(sample, "plain")).toBe("Dear Sir\nthank you\n\nTotal due   12.50   EUR\n\f\n\fThe end\n");
  });

  it("reads back as the same lines", () => {
    const again = readText(new TextEncoder().encode(transcribe(sample, "plain")), PLAIN_TEXT);
    expect(again.pageCount).toBe(3);
    expect(transcribe(again, "plain")).toBe(transcribe(sample, "plain"));
  });

  it("joins hyphenated words, keeps running lines, writes tables row by row", () => {
    const table = setTable([
      ["Item", "Price"],
      ["A chair/of oak", "12.50"],
      ["", "3.00"],
    ]);
    const [footer] = setPage(["7"]);
    const layout = structureLayout(setLayout([...setPage(PROSE), table, { ...footer, kind: "footer" } as Block]));
    expect(transcribe(layout, "plain")).toBe(
      `${PROSE[0]}\nthat every change to them has to be agreed upon by both of the paying\nparties.\n\n` +
        "Item   Price\nA chair of oak   12.50\n3.00\n\n7\n",
    );
  });

  it("pageRows returns the rows of one page", () => {
    expect(sample.pages.map(pageRows)).toEqual([
      ["Dear Sir", "thank you", "", "Total due   12.50   EUR"],
      [],
      ["The end"],
    ]);
  });
});

describe("transcribe as JSON lines", () => {
  const records = (...blocks: Block[]): Record<string, unknown>[] =>
    transcribe(structureLayout(setLayout(blocks)), "jsonl")
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one) as Record<string, unknown>);

  it("writes one line per block", () => {
    const lines = transcribe(sample, "jsonl")
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one) as Record<string, unknown>);
    expect(lines).toHaveLength(3);
    const [, second] = sample.pages[0]?.blocks ?? [];
    expect(lines[1]).toEqual({ page: 1, kind: "paragraph", bbox: second?.box, text: "Total due   12.50   EUR" });
    expect(lines[2]).toMatchObject({ page: 3, text: "The end" });
  });

  it("writes levels and markers, and joins hyphenated words", () => {
    expect(records(...setPage(["1) one", "2) the pay-", { text: "ment", left: 1.21 }]))).toMatchObject([
      { kind: "list-item", level: 1, marker: "1)", text: "1) one" },
      { kind: "list-item", level: 1, marker: "2)", text: "2) the payment" },
    ]);
  });

  it("writes table cells with their places", () => {
    const table = {
      ...setTable(
        [
          ["Item", "Price"],
          ["A/B", ""],
        ],
        1,
      ),
      continued: true as const,
    };
    const [record] = records(table);
    expect(record).toMatchObject({
      kind: "table",
      rows: 2,
      columns: 2,
      headerRows: 1,
      continued: true,
      text: "Item   Price\nA B",
    });
    expect(record?.cells).toEqual([
      { row: 0, column: 0, rowSpan: 1, columnSpan: 1, header: true, bbox: table.cells[0]?.box, text: "Item" },
      { row: 0, column: 1, rowSpan: 1, columnSpan: 1, header: true, bbox: table.cells[1]?.box, text: "Price" },
      { row: 1, column: 0, rowSpan: 1, columnSpan: 1, header: false, bbox: table.cells[2]?.box, text: "A\nB" },
      { row: 1, column: 1, rowSpan: 1, columnSpan: 1, header: false, bbox: table.cells[3]?.box, text: "" },
    ]);
  });

  it("writes the mean confidence of recognised words", () => {
    const block = setBlock("sure unsure typed");
    const confidences = [1, 0.5, undefined];
    if (block.kind === "table") throw new TypeError("A block of lines is no table");
    const lines = block.lines.map((line) => ({
      ...line,
      words: line.words.map((word, at) => {
        const confidence = confidences[at];
        return confidence === undefined ? word : { ...word, confidence };
      }),
    }));
    expect(records({ ...block, lines })[0]?.confidence).toBe(0.75);
  });
});

it("transcribe returns empty text for an empty layout", () => {
  for (const format of ["plain", "jsonl"] as const) expect(transcribe(setLayout([]), format)).toBe("");
});
