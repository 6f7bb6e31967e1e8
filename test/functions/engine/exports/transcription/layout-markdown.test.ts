import { describe, expect, it } from "vitest";
import { transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { structureLayout } from "../../../../../functions/engine/structure/structure-layout.ts";
import type { Block, TableBlock } from "../../../../../functions/ports/layout.ts";
import { PROSE, sample } from "../../../../support/transcribed.ts";
import { type SetLine, setBlock, setLayout, setPage, setTable } from "../../../../support/typeset.ts";

/** The text behind the page's marker. */
const markdownOf = (...blocks: Block[]): string =>
  transcribe(structureLayout(setLayout(blocks)), "markdown").replace(/^<!-- page 1 -->\n\n/, "");
/** One line as a paragraph, whatever it begins with. */
const lineOf = (line: SetLine | string): string =>
  (transcribe(setLayout([setBlock(line)]), "markdown").split("\n")[2] ?? "").trimEnd();

describe("transcribe as Markdown", () => {
  it("writes page markers, and keeps rows that are no running text", () => {
    expect(transcribe(sample, "markdown")).toBe(
      "<!-- page 1 -->\n\nDear Sir\nthank you\n\nTotal due   12.50   EUR\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThe end\n",
    );
  });

  it("joins the page's line breaks in paragraphs", () => {
    expect(markdownOf(...setPage(PROSE))).toBe(
      "The parties agree that the services are provided as described below and that every change to them has to be " +
        "agreed upon by both of the paying parties.\n",
    );
  });

  it("writes headings on one line, by level", () => {
    const heading = (level: number, ...lines: string[]): Block =>
      ({ ...setBlock(...lines), kind: "heading", level }) as Block;
    expect(markdownOf(heading(1, "The whole", "title"), heading(3, "C #"), heading(6, "1. Scope"))).toBe(
      "# The whole title\n\n### C \\#\n\n###### 1. Scope\n",
    );
  });

  it("writes nested lists: numbers kept, other markers as text, checkboxes as tasks", () => {
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

  it("drops the marker from the text of an item, and joins its lines", () => {
    const page = setPage(
      ["•glued to its text", "•glued as well"],
      ["1) first of the", { text: "items", left: 1.2 }, "2) second"],
    );
    expect(markdownOf(...page)).toBe("- glued to its text\n- glued as well\n1) first of the items\n2) second\n");
  });

  it("writes links of safe schemes, one per run of words", () => {
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

  it("marks bold words beside regular ones", () => {
    expect(lineOf("{{Late payment.}} Interest is due")).toBe("**Late payment.** Interest is due");
    expect(lineOf({ text: "all of it", bold: true })).toBe("all of it");
    expect(lineOf("{{a*b}} c")).toBe("**a\\*b** c");
  });

  it("writes captions, and the text of figures", () => {
    const figure = { ...setBlock("North", "South"), kind: "figure" } as Block;
    const [caption] = setPage(["Figure 3: The *tower*"]);
    const seen = "<!-- figure -->\n\n";
    expect(markdownOf(figure, caption ?? figure)).toBe(`${seen}North\nSouth\n\n*Figure 3: The \\*tower\\**\n`);
    expect(markdownOf({ kind: "figure", box: figure.box, lines: [] }, figure)).toBe(`${seen}${seen}North\nSouth\n`);
  });

  it("leaves out running headers and footers", () => {
    const header = { ...setBlock("Terms"), kind: "header" } as Block;
    expect(markdownOf(header, setBlock("Text"), { ...header, kind: "footer" } as Block)).toBe("Text\n");
  });
});

describe("transcribe: Markdown tables", () => {
  const prices = (rows: string[][], headerRows: number, continued = false): TableBlock => ({
    ...setTable(rows, headerRows),
    ...(continued ? { continued: true as const } : {}),
  });

  it("escapes bars and line breaks in cells, and adds an empty header if there is none", () => {
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

  it("joins several header rows", () => {
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

  it("puts a spanning cell where it begins", () => {
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

  it("writes the header of a continued table once", () => {
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

describe("Markdown escapes", () => {
  it("cover line starts", () => {
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

  it("cover inline marks", () => {
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

  it("cover random combinations of signs", () => {
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
