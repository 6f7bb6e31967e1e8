import { describe, expect, it } from "vitest";
import { pageWords } from "../../../../functions/engine/layout/page-words.ts";
import { blockText } from "../../../../functions/engine/structure/layout-text.ts";
import { structureLayout } from "../../../../functions/engine/structure/structure-layout.ts";
import type { Block, Layout } from "../../../../functions/ports/layout.ts";
import { setLayout, setPage, setTable } from "../../../support/typeset.ts";

/** `heading 2: Scope`, `list-item 1 «a)»: a) first`; rows by `/`. */
const outline = (layout: Layout): string[] =>
  layout.pages.flatMap((page) =>
    page.blocks.map((block) => `${nameOf(block)}: ${blockText(block).replaceAll("\n", " / ")}`),
  );

function nameOf(block: Block): string {
  if (block.kind === "table" || block.kind === "figure" || block.kind === "barcode") return block.kind;
  const level = block.level === undefined ? "" : ` ${block.level}`;
  return `${block.kind}${level}${block.marker === undefined ? "" : ` «${block.marker}»`}`;
}

const structured = (...pages: Block[][]): string[] => outline(structureLayout(setLayout(...pages)));

const PROSE = [
  "The parties agree that the services are provided as described below and",
  "that every change to them has to be agreed upon by both of the parties in",
  "writing before it takes effect.",
];

it("structureLayout: keeps words, their order and the given layout", () => {
  const layout = setLayout(
    setPage([{ text: "Contract", size: 20 }], PROSE, ["• one thing", "• another thing"], [{ text: "3", top: 10.5 }]),
    setPage(PROSE, [{ text: "4", top: 10.5 }]),
  );
  const before = structuredClone(layout);
  const after = structureLayout(layout);
  expect(layout).toEqual(before);
  expect(after.pages.map(pageWords)).toEqual(layout.pages.map(pageWords));
  expect(structureLayout(after)).toEqual(after);
});

it("structureLayout: keeps tables, figures and blocks that a reader has told apart", () => {
  const table = setTable([["• one", "1."]], 0);
  const figure: Block = { kind: "figure", box: { left: 1, top: 6, right: 3, bottom: 8 }, lines: [] };
  const [block] = setPage(["• not an item here"]);
  const known = { ...block, kind: "note" } as Block;
  const after = structureLayout(setLayout([table, figure, known]));
  expect(after.pages[0]?.blocks).toEqual([table, figure, known]);
});

describe("structureLayout: headings", () => {
  it("are found by size, with levels that are the same over all pages", () => {
    const page = (chapter: string, part: string): Block[] =>
      setPage([{ text: chapter, size: 16, bold: true }], PROSE, [{ text: part, size: 13 }], PROSE);
    const found = structured(
      [...setPage([{ text: "Service Agreement", size: 24 }]), ...page("Scope", "Hours").map(lower)],
      page("Prices", "Discounts"),
    ).filter((line) => line.startsWith("heading"));
    expect(found).toEqual([
      "heading 1: Service Agreement",
      "heading 2: Scope",
      "heading 3: Hours",
      "heading 2: Prices",
      "heading 3: Discounts",
    ]);
  });

  it("are found by weight, capitals and numbers above running text", () => {
    const found = structured(
      setPage(
        [{ text: "Liability", bold: true }],
        PROSE,
        ["GOVERNING LAW"],
        PROSE,
        ["3. Term and termination"],
        PROSE,
        ["Annex B"],
        PROSE,
      ),
    ).filter((line) => !line.startsWith("paragraph"));
    expect(found.map((line) => line.replace(/ \d/, ""))).toEqual([
      "heading: Liability",
      "heading: GOVERNING LAW",
      "heading: 3. Term and termination",
      "heading: Annex B",
    ]);
  });

  it("are deeper with more parts in their numbers", () => {
    const found = structured(
      setPage(
        [{ text: "1 Scope", bold: true }],
        PROSE,
        [{ text: "1.1 Hours", bold: true }],
        PROSE,
        [{ text: "2 Prices", bold: true }],
        PROSE,
      ),
    ).filter((line) => line.startsWith("heading"));
    expect(found).toEqual(["heading 1: 1 Scope", "heading 2: 1.1 Hours", "heading 1: 2 Prices"]);
  });

  it("are cut from the text right below them", () => {
    expect(structured(setPage([{ text: "Payment terms", bold: true }, ...PROSE]))).toEqual([
      "heading 1: Payment terms",
      `paragraph: ${PROSE.join(" / ")}`,
    ]);
  });

  it("are not labels with values, amounts, sentences that run in, or continued text", () => {
    const found = structured(
      setPage(
        [{ text: "Bill to:", bold: true }, "Northwind Traders Ltd.", "12 Harbour Street"],
        [{ text: "1,250.00 €", size: 18 }],
        [{ text: "Total", bold: true }, "12.50"],
        [
          "{{Late payment.}} Whoever pays late owes interest of nine per cent from the",
          "day on which the payment was due until it arrives in full.",
        ],
        PROSE,
        PROSE,
      ),
    );
    expect(found.filter((line) => !line.startsWith("paragraph"))).toEqual([]);
  });

  it("are not the body of a page in large print", () => {
    const large = PROSE.map((text) => ({ text, size: 18, left: 0.5 }));
    expect(structured(setPage(large, large)).every((line) => line.startsWith("paragraph"))).toBe(true);
  });

  it("are not words recognised in a figure, a watermark across the page, or the AND between two boxes of a chart", () => {
    const [logo] = setPage([{ text: "ACME Holding", size: 30 }]);
    if (logo === undefined || logo.kind === "table") throw new Error("No block was set");
    for (const word of logo.lines[0]?.words ?? []) word.source = "ocr";
    const figure: Block = { kind: "figure", box: { ...logo.box }, lines: [] };
    const [mark] = setPage([{ text: "DO NOT COPY", size: 40, top: 4 }]);
    const slanted = structuredClone(mark);
    if (mark === undefined || slanted === undefined || slanted.kind === "table") throw new Error("No block was set");
    for (const word of slanted.lines[0]?.words ?? []) word.box.bottom += 1;
    const rest = setPage([{ text: "AND", size: 13, top: 6 }], PROSE);
    const kinds = (...blocks: Block[]): string[] => structured(blocks).map((line) => line.split(":")[0] ?? "");
    expect(kinds(logo, figure, slanted, ...rest)).toEqual(["paragraph", "figure", ...Array(3).fill("paragraph")]);
    // The same without the figure, and upright.
    expect(kinds(logo, mark, ...rest).slice(0, 2)).toEqual(["heading 2", "heading 1"]);
  });

  it("are found in recognised text only where the type is much larger", () => {
    const body = PROSE.map((text) => ({ text, sizeless: true }));
    const page = setPage([{ text: "Annual Report", size: 20, sizeless: true }], body, [
      { text: "Somewhat larger words", size: 12, sizeless: true },
    ]);
    expect(structured(page).map((line) => line.split(":")[0])).toEqual(["heading 1", "paragraph", "paragraph"]);
  });
});

describe("structureLayout: lists", () => {
  it("have bullets, continuation lines and nesting by indent", () => {
    expect(
      structured(
        setPage([
          "• The first item is long enough to go on in the next line of",
          { text: "the same item.", left: 1.14 },
          "• The second item",
          { text: "– nested in it", left: 1.3 },
          { text: "– as is this", left: 1.3 },
          "• The third item",
        ]),
      ),
    ).toEqual([
      "list-item 1 «•»: • The first item is long enough to go on in the next line of / the same item.",
      "list-item 1 «•»: • The second item",
      "list-item 2 «–»: – nested in it",
      "list-item 2 «–»: – as is this",
      "list-item 1 «•»: • The third item",
    ]);
  });

  it.each([
    ["1.", "2.", "3."],
    ["1)", "2)", "3)"],
    ["(a)", "(b)", "(c)"],
    ["a.", "b.", "c."],
    ["i.", "ii.", "iii."],
    ["I.", "II.", "III."],
    ["9.", "10.", "11."],
    ["-", "-", "-"],
    ["o", "o", "o"],
    ["☐", "☑", "☐"],
    ["\uf0b7", "\uf0b7", "\uf0b7"],
  ])("have markers %s %s %s", (...marks) => {
    const lines = marks.map((mark) => `${mark} an item of this list`);
    const found = structureLayout(setLayout(setPage(lines))).pages[0]?.blocks ?? [];
    const shown = marks.map((mark) => (mark === "\uf0b7" ? "•" : mark));
    expect(found.map((block) => block.kind === "list-item" && block.marker)).toEqual(shown);
    expect(found.map(blockText)).toEqual(shown.map((mark) => `${mark} an item of this list`));
  });

  it("join a marker on a line of its own with the text beside it", () => {
    const page = setPage([
      { text: "1.", left: 1, top: 2 },
      { text: "the first item", left: 1.4, top: 2 },
      { text: "2.", left: 1, top: 2.2 },
      { text: "the second item", left: 1.4, top: 2.2 },
    ]);
    expect(structured(page)).toEqual([
      "list-item 1 «1.»: 1.   the first item",
      "list-item 1 «2.»: 2.   the second item",
    ]);
  });

  it("are not years, amounts and dates at the start of a line, or choices side by side", () => {
    const page = setPage(
      ["The agreement was signed by all of the parties to it in the autumn of", "2013. It has been in force since."],
      ["The price of the whole delivery, with everything that belongs to it, is", "12. It was agreed upon."],
      ["☐ Yes ☐ No"],
      ["J. Smith wrote it"],
    );
    expect(structured(page).every((line) => line.startsWith("paragraph"))).toBe(true);
  });
});

describe("structureLayout: paragraphs", () => {
  it("begin at an indent", () => {
    const page = setPage([
      { text: "It was late in the year when the message came that changed it all for", left: 1 },
      { text: "everyone in the village, and nobody had seen it coming. Not even the", left: 1 },
      { text: "Then the snow fell for nine days, and the roads were closed to all", left: 1.2 },
      { text: "who wanted to leave, and to all who wanted to come back to their homes", left: 1 },
    ]);
    expect(structured(page)).toHaveLength(2);
  });

  it("begin after a sentence that ends well before the edge", () => {
    expect(structured(setPage([...PROSE, ...PROSE]))).toEqual([
      `paragraph: ${PROSE.join(" / ")}`,
      `paragraph: ${PROSE.join(" / ")}`,
    ]);
  });

  it("keep an address in one block", () => {
    expect(structured(setPage(["Northwind Traders Ltd.", "12 Harbour Street", "Bristol BS1 4ST"]))).toHaveLength(1);
  });
});

describe("structureLayout: captions", () => {
  it.each(["Figure 3: The tower at night", "Table 2. Prices", "Abb. 4 – Der Turm", "Fig. 1.2: Detail", "Tabelle 7:"])(
    "%s",
    (text) => expect(structured(setPage(PROSE, [text], PROSE))[1]).toBe(`caption: ${text}`),
  );

  it("are labels without a stop next to a table, not elsewhere", () => {
    const table = setTable([["a", "b"]]);
    const below = setPage([{ text: "Table 5 Prices by region", top: table.box.bottom + 0.1 }]);
    expect(structured([table, ...below])).toContain("caption: Table 5 Prices by region");
    expect(structured(setPage(["Table 5 shows prices by region"]))).toEqual([
      "paragraph: Table 5 shows prices by region",
    ]);
    expect(structured(setPage(["tables. Prices by region"]))).toEqual(["paragraph: tables. Prices by region"]);
  });
});

const lower = (block: Block): Block => {
  if (block.kind === "table") return block;
  const move = (box: Block["box"]): Block["box"] => ({ ...box, top: box.top + 1, bottom: box.bottom + 1 });
  const lines = block.lines.map((line) => ({
    ...line,
    box: move(line.box),
    words: line.words.map((word) => ({ ...word, box: move(word.box) })),
  }));
  return { ...block, box: move(block.box), lines };
};
