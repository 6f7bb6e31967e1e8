import { describe, expect, it } from "vitest";
import type { Block, TableBlock } from "../../../../functions/core/documents/layout.ts";
import { PLAIN_TEXT } from "../../../../functions/core/documents/media-types.ts";
import { structureLayout } from "../../../../functions/core/documents/structure/structure.ts";
import { readText } from "../../../../functions/core/documents/text.ts";
import { pageRows, transcribe } from "../../../../functions/core/documents/transcribe.ts";
import { type SetLine, setBlock, setLayout, setPage, setTable } from "../../../support/typeset.ts";

const sample = setLayout(
  [
    setBlock("Dear Sir", "thank you"),
    setBlock({ text: "Total due", top: 2 }, { text: "12.50", left: 5, top: 2 }, { text: "EUR", left: 6, top: 2 }),
  ],
  [],
  [setBlock("The end")],
);

const PROSE = [
  "The parties agree that the services are provided as described below and",
  "that every change to them has to be agreed upon by both of the pay-",
  "ing parties.",
];

/** What stands behind the page's marker. */
const markdownOf = (...blocks: Block[]): string =>
  transcribe(structureLayout(setLayout(blocks)), "markdown").replace(/^<!-- page 1 -->\n\n/, "");
/** One line as a paragraph, whatever it begins with. */
const lineOf = (line: SetLine | string): string =>
  (transcribe(setLayout([setBlock(line)]), "markdown").split("\n")[2] ?? "").trimEnd();

describe("plain", () => {
  it("lines, blank lines between blocks, form feeds between pages, rows kept", () => {
    expect(transcribe(sample, "plain")).toBe("Dear Sir\nthank you\n\nTotal due   12.50   EUR\n\f\n\fThe end\n");
  });

  it("reads back as the same lines", () => {
    const again = readText(new TextEncoder().encode(transcribe(sample, "plain")), PLAIN_TEXT);
    expect(again.pageCount).toBe(3);
    expect(transcribe(again, "plain")).toBe(transcribe(sample, "plain"));
  });

  it("words cut by a line's end are whole, running lines stay, tables row by row", () => {
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

  it("the rows of one page", () => {
    expect(sample.pages.map(pageRows)).toEqual([
      ["Dear Sir", "thank you", "", "Total due   12.50   EUR"],
      [],
      ["The end"],
    ]);
  });
});

describe("markdown", () => {
  it("page markers, rows that are no running text", () => {
    expect(transcribe(sample, "markdown")).toBe(
      "<!-- page 1 -->\n\nDear Sir\nthank you\n\nTotal due   12.50   EUR\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThe end\n",
    );
  });

  it("a paragraph without the page's line breaks", () => {
    expect(markdownOf(...setPage(PROSE))).toBe(
      "The parties agree that the services are provided as described below and that every change to them has to be " +
        "agreed upon by both of the paying parties.\n",
    );
  });

  it("headings on one line, as deep as they are", () => {
    const heading = (level: number, ...lines: string[]): Block =>
      ({ ...setBlock(...lines), kind: "heading", level }) as Block;
    expect(markdownOf(heading(1, "The whole", "title"), heading(3, "C #"), heading(6, "1. Scope"))).toBe(
      "# The whole title\n\n### C \\#\n\n###### 1. Scope\n",
    );
  });

  it("lists: nested, numbers kept, other marks as text, boxes as tasks", () => {
    const item = (marker: string, level: number, text: string): Block =>
      ({ ...setBlock(`${marker} ${text}`), kind: "list-item", level, marker }) as Block;
    const items = [
      item("9.", 1, "nine"),
      item("10.", 1, "ten"),
      item("•", 2, "a bullet"),
      item("a)", 3, "a letter"),
      item("11.", 1, "- eleven"),
      item("☐", 1, "open"),
      item("☑", 1, "done"),
      item("[ ]", 1, "open too"),
      item("•", 3, "no deeper than one below the last"),
    ];
    expect(markdownOf(...items, ...setPage(["The end of it"]), item("–", 2, "a list anew"))).toBe(
      [
        "9. nine",
        "10. ten",
        "    - a bullet",
        "      - a) a letter",
        "11. \\- eleven",
        "- [ ] open",
        "- [x] done",
        "- [ ] open too",
        "  - no deeper than one below the last",
        "",
        "The end of it",
        "",
        "- a list anew",
        "",
      ].join("\n"),
    );
  });

  it("an item's mark is not said twice, glued or not, and its lines are one", () => {
    const page = setPage(
      ["•glued to its text", "•glued as well"],
      ["1) first of the", { text: "items", left: 1.2 }, "2) second"],
    );
    expect(markdownOf(...page)).toBe("- glued to its text\n- glued as well\n1) first of the items\n2) second\n");
  });

  it("links of safe schemes, words with one link together", () => {
    const linked = (text: string, link: string): string => lineOf({ text, link });
    expect(linked("our terms", "https://example.com/a(b)?x=1&copy;=2")).toBe(
      "[our terms](https://example.com/a%28b%29?x=1&amp;copy;=2)",
    );
    expect(linked("write us", "mailto:a@example.com")).toBe("[write us](mailto:a@example.com)");
    expect(linked("call", "tel:+441")).toBe("[call](tel:+441)");
    expect(linked("a ] b", "https://example.com/a b")).toBe("[a \\] b](https://example.com/a%20b)");
    for (const link of [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      " https://x",
    ]) {
      expect(linked("harmless", link)).toBe("harmless");
    }
  });

  it("bold words, where others are not", () => {
    expect(lineOf("{{Late payment.}} Interest is due")).toBe("**Late payment.** Interest is due");
    expect(lineOf({ text: "all of it", bold: true })).toBe("all of it");
    expect(lineOf("{{a*b}} c")).toBe("**a\\*b** c");
  });

  it("captions, and figures by their text", () => {
    const figure = { ...setBlock("North", "South"), kind: "figure" } as Block;
    const [caption] = setPage(["Figure 3: The *tower*"]);
    expect(markdownOf(figure, caption ?? figure)).toBe("North\nSouth\n\n*Figure 3: The \\*tower\\**\n");
    expect(markdownOf({ kind: "figure", box: figure.box, lines: [] }, figure)).toBe("North\nSouth\n");
  });

  it("leaves running headers and footers out", () => {
    const header = { ...setBlock("Terms"), kind: "header" } as Block;
    expect(markdownOf(header, setBlock("Text"), { ...header, kind: "footer" } as Block)).toBe("Text\n");
  });
});

describe("markdown tables", () => {
  const prices = (rows: string[][], headerRows: number, continued = false): TableBlock => ({
    ...setTable(rows, headerRows),
    ...(continued ? { continued: true as const } : {}),
  });

  it("bars and lines in cells, an empty header where there is none", () => {
    expect(
      markdownOf(
        prices(
          [
            ["a|b", "c/d"],
            ["", "<b>"],
          ],
          0,
        ),
      ),
    ).toBe("|  |  |\n| --- | --- |\n| a\\|b | c<br>d |\n|  | \\<b> |\n");
  });

  it("several header rows as one", () => {
    expect(
      markdownOf(
        prices(
          [
            ["Price", ""],
            ["net", "gross"],
            ["1", "2"],
          ],
          2,
        ),
      ),
    ).toBe("| Price<br>net | gross |\n| --- | --- |\n| 1 | 2 |\n");
  });

  it("a spanning cell stands where it begins", () => {
    const table = prices(
      [
        ["A", "", "C"],
        ["1", "2", "3"],
      ],
      1,
    );
    const [first, , third, ...rest] = table.cells;
    if (first === undefined || third === undefined) throw new RangeError("The table has three columns");
    const spanning = { ...table, cells: [{ ...first, columnSpan: 2 }, third, ...rest] };
    expect(markdownOf(spanning)).toBe("| A |  | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n");
  });

  it("one that goes on says its header once", () => {
    const layout = setLayout(
      [
        prices(
          [
            ["Item", "Price"],
            ["Chair", "1"],
          ],
          1,
        ),
      ],
      [
        prices(
          [
            ["Item", "Price"],
            ["Table", "2"],
          ],
          1,
          true,
        ),
      ],
      [
        prices(
          [
            ["Other", "Price"],
            ["Lamp", "3"],
          ],
          1,
          true,
        ),
      ],
    );
    expect(transcribe(layout, "markdown")).toBe(
      [
        "<!-- page 1 -->",
        "| Item | Price |\n| --- | --- |\n| Chair | 1 |",
        "<!-- page 2 -->",
        "|  |  |\n| --- | --- |\n| Table | 2 |",
        "<!-- page 3 -->",
        "| Other | Price |\n| --- | --- |\n| Lamp | 3 |\n",
      ].join("\n\n"),
    );
  });
});

describe("markdown means the text", () => {
  it("nothing at a line's start that means something else", () => {
    expect(lineOf("# 5")).toBe("\\# 5");
    expect(lineOf("#5")).toBe("#5");
    expect(lineOf("- item")).toBe("\\- item");
    expect(lineOf("-5.00")).toBe("-5.00");
    expect(lineOf("1. item")).toBe("1\\. item");
    expect(lineOf("1.5 kg")).toBe("1.5 kg");
    expect(lineOf("> quote")).toBe("\\> quote");
    expect(lineOf("-----")).toBe("\\-----");
    expect(lineOf("=")).toBe("\\=");
    expect(lineOf("* * *")).toBe("\\* * *");
    expect(lineOf("<div> x")).toBe("\\<div> x");
    expect(lineOf("< 5")).toBe("< 5");
    expect(lineOf("| a |")).toBe("\\| a |");
    expect(lineOf("--- | :--")).toBe("\\--- | :--");
    expect(lineOf("~~~ x")).toBe("\\~~~ x");
  });

  it("nothing within a line either", () => {
    expect(lineOf("a <script>alert(1)</script> b")).toBe("a \\<script>alert(1)\\</script> b");
    expect(lineOf("a <!-- page 9 -->")).toBe("a \\<!-- page 9 -->");
    expect(lineOf("see [1](http://x.example)")).toBe("see \\[1\\](http://x.example)");
    expect(lineOf("AT&amp;T and R&D")).toBe("AT\\&amp;T and R&D");
    expect(lineOf("*note _was_ it `x` ~~y~~")).toBe("\\*note \\_was\\_ it \\`x\\` \\~\\~y\\~\\~");
    expect(lineOf("5 * 3 snake_case ____ 2 ~ 3")).toBe("5 * 3 snake_case ____ 2 ~ 3");
    expect(lineOf("C:\\*.txt C:\\temp end\\")).toBe("C:\\\\\\*.txt C:\\temp end\\\\");
  });

  /** Backslash escapes undone, as CommonMark does: before ASCII punctuation. */
  const withoutEscapes = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  /** The text without what is escaped: nothing in it may be markup. */
  const bare = (text: string): string => text.replace(/\\[!-/:-@[-`{-~]/g, "x");

  it("whatever signs meet", () => {
    const signs = ["*", "_", "`", "[", "]", "<b", "&lt;", "~", "\\", "a", "1.", "#", "-", ">", "|", "!", " ", " ", "é"];
    let seed = 7;
    for (let round = 0; round < 3000; round += 1) {
      let text = "";
      for (let at = 0; at < 9; at += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        text += signs[seed % signs.length] ?? "";
      }
      const line = text.trim().replace(/ +/g, " ");
      if (line === "") continue;
      const written = lineOf(line);
      expect([line, withoutEscapes(written)]).toEqual([line, line]);
      const left = bare(written);
      expect([line, /[`[\]]|<[a-z/!?]|&\w+;|^[>|]|^#{1,6}(?:\s|$)|^[-+*](?:\s|$)|^\d+[.)](?:\s|$)/.test(left)]).toEqual(
        [line, false],
      );
      expect([line, /(?<!\s|^)[*~]|[*~](?!\s|$|[*~])/.test(left.replace(/(?<=^|\s)[*~_]+(?=\s|$)/g, ""))]).toEqual([
        line,
        false,
      ]);
    }
  });
});

describe("jsonl", () => {
  const records = (...blocks: Block[]): Record<string, unknown>[] =>
    transcribe(structureLayout(setLayout(blocks)), "jsonl")
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one) as Record<string, unknown>);

  it("one line a block", () => {
    const lines = transcribe(sample, "jsonl")
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one) as Record<string, unknown>);
    expect(lines).toHaveLength(3);
    const [, second] = sample.pages[0]?.blocks ?? [];
    expect(lines[1]).toEqual({ page: 1, kind: "paragraph", bbox: second?.box, text: "Total due   12.50   EUR" });
    expect(lines[2]).toMatchObject({ page: 3, text: "The end" });
  });

  it("levels, marks and words cut by a line's end", () => {
    expect(records(...setPage(["1) one", "2) the pay-", { text: "ment", left: 1.21 }]))).toMatchObject([
      { kind: "list-item", level: 1, marker: "1)", text: "1) one" },
      { kind: "list-item", level: 1, marker: "2)", text: "2) the payment" },
    ]);
  });

  it("cells of tables, with their places", () => {
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

  it("the mean confidence of recognised words", () => {
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

it("an empty layout is empty text", () => {
  for (const format of ["plain", "jsonl"] as const) expect(transcribe(setLayout([]), format)).toBe("");
});
