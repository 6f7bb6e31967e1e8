import { describe, expect, it } from "vitest";
import { cutPassages } from "../../../../functions/engine/passages/cut-passages.ts";
import { MAX_PASSAGE_CHARS, MAX_TABLE_CHARS } from "../../../../functions/engine/passages/passage.ts";
import { heading, layoutOf, paragraph, running, table } from "../../../support/passage-layout.ts";

const sentence = (about: string): string =>
  `The ${about} of this part is told in a sentence of some length and more words.`;

describe("passages", () => {
  it("begin with their heading and never span one", () => {
    const found = cutPassages(
      layoutOf([heading("Terms"), paragraph("One."), heading("Payment", 2), paragraph("Two."), paragraph("Three.")]),
    );
    expect(found.map(({ text, headings }) => [text, headings])).toEqual([
      ["Terms\nOne.", ["Terms"]],
      ["Payment\nTwo.\nThree.", ["Terms", "Payment"]],
    ]);
  });

  it("have the page and the box of their own words", () => {
    const [first, second] = cutPassages(layoutOf([running("ACME"), paragraph("One.", "Two.")], [paragraph("Three.")]));
    expect(first).toEqual({
      page: 1,
      text: "One.\nTwo.",
      bbox: { left: 1, top: 1.4, right: 6, bottom: expect.closeTo(1.8) },
      headings: [],
    });
    expect(second).toMatchObject({ page: 2, text: "Three.", bbox: { top: 1 } });
  });

  it("of a section that goes on over the page keep its heading in their path only", () => {
    const found = cutPassages(layoutOf([heading("Terms"), paragraph("One.")], [paragraph("Two.")]));
    expect(found.map(({ page, text, headings }) => [page, text, headings])).toEqual([
      [1, "Terms\nOne.", ["Terms"]],
      [2, "Two.", ["Terms"]],
    ]);
  });

  it("are made of a heading alone where no text belongs to it", () => {
    const found = cutPassages(layoutOf([heading("A"), heading("A.1", 2), heading("B"), paragraph("One.")]));
    expect(found.map(({ text }) => text)).toEqual(["A\nA.1", "B\nOne."]);
    expect(cutPassages(layoutOf([paragraph("One.")], [heading("End")])).at(-1)).toMatchObject({ page: 2, text: "End" });
  });

  it("are at most MAX_PASSAGE_CHARS long, and long paragraphs end behind a sentence", () => {
    const lines = Array.from({ length: 40 }, (_, at) => sentence(`matter ${at}`));
    const found = cutPassages(layoutOf([paragraph(...lines)]));
    expect(found.length).toBeGreaterThan(2);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(MAX_PASSAGE_CHARS);
    expect(found.map(({ text }) => text).join("\n")).toBe(lines.join("\n"));
    const words = "word ".repeat(900).trim();
    const cut = cutPassages(layoutOf([paragraph(words)]));
    expect(Math.max(...cut.map(({ text }) => text.length))).toBeLessThanOrEqual(MAX_PASSAGE_CHARS);
    expect(cut.map(({ text }) => text).join(" ")).toBe(words);
  });

  it("join short paragraphs of a section up to the length", () => {
    const paragraphs = Array.from({ length: 30 }, (_, at) => paragraph(sentence(`matter ${at}`)));
    const found = cutPassages(layoutOf([heading("Terms"), ...paragraphs]));
    expect(found.length).toBeGreaterThan(1);
    expect(found.length).toBeLessThan(6);
    expect(found.every(({ headings, text }) => headings[0] === "Terms" && text.length <= MAX_PASSAGE_CHARS)).toBe(true);
  });
});

describe("the passages of a table", () => {
  const header = ["Item", "Price"];
  const rows = (count: number): string[][] =>
    Array.from({ length: count }, (_, at) => [`Article number ${at}`, `${at}.00`]);

  it("hold it whole, with its heading", () => {
    const found = cutPassages(layoutOf([heading("Prices"), table([header, ...rows(60)]), paragraph("After.")]));
    expect(found).toHaveLength(2);
    expect(found[0]?.text.length).toBeGreaterThan(MAX_PASSAGE_CHARS);
    expect(found[0]?.text).toMatch(/^Prices\nItem \| Price\nArticle number 0 \| 0\.00\n/);
    expect(found[0]).not.toHaveProperty("part");
    expect(found[1]).toMatchObject({ text: "After.", headings: ["Prices"] });
  });

  it("are parts of whole rows under the header where it is longer, and say so", () => {
    const found = cutPassages(layoutOf([table([header, ...rows(400)])]));
    expect(found.map(({ part }) => part)).toEqual(found.map((_, at) => ({ number: at + 1, of: found.length })));
    expect(found.length).toBeGreaterThan(2);
    expect(found.every(({ text }) => text.startsWith("Item | Price\nArticle number"))).toBe(true);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(MAX_TABLE_CHARS);
    const body = found.flatMap(({ text }) => text.split("\n").slice(1));
    expect(body).toEqual(rows(400).map((cells) => cells.join(" | ")));
    expect(found[1]?.bbox.top).toBeGreaterThan(found[0]?.bbox.bottom ?? 99);
  });

  it("on the next page repeat the header of the table that goes on there", () => {
    const [, second] = cutPassages(
      layoutOf([table([header, ...rows(3)])], [table(rows(2), { headerRows: 0, continued: true })]),
    );
    expect(second).toMatchObject({ page: 2, text: "Item | Price\nArticle number 0 | 0.00\nArticle number 1 | 1.00" });
  });

  it("cut a row that is longer than a passage", () => {
    const found = cutPassages(layoutOf([table([header, ["word ".repeat(2_000).trim(), "1.00"]])]));
    expect(found.length).toBeGreaterThan(1);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(MAX_TABLE_CHARS);
  });
});
