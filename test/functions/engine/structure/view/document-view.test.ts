import { describe, expect, it } from "vitest";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { PageMaker } from "../../extraction/page.ts";

const rows = (draw: (page: PageMaker) => void): string[][] => {
  const page = new PageMaker();
  draw(page);
  return viewDocument(page.layout()).rows.map((row) => row.segments.map((segment) => segment.text));
};

describe("viewDocument", () => {
  it("puts words of different blocks on one row, cut at wide gaps", () => {
    expect(rows((page) => page.text(5, 1.01, "12,00 €").text(1, 1, "Total amount").text(1, 2, "next"))).toEqual([
      ["Total amount", "12,00 €"],
      ["next"],
    ]);
  });

  it("cuts words at colons and number signs, not in times and addresses", () => {
    expect(rows((page) => page.text(1, 1, "Nr:12 n°34 12:30 http://a.example:80/x"))).toEqual([
      ["Nr: 12 n° 34 12:30 http://a.example:80/x"],
    ]);
  });

  it("leaves a colon set apart with its label, and bullets with their line", () => {
    expect(rows((page) => page.text(1, 1, "Currency").text(3, 1, ": EUR"))).toEqual([["Currency : EUR"]]);
    expect(rows((page) => page.text(1, 1, "Shop").text(1.6, 1, "●").text(1.9, 1, "Street 1"))).toEqual([
      ["Shop ● Street 1"],
    ]);
  });

  it("numbers words in reading order, parts of one word alike", () => {
    const page = new PageMaker().text(1, 2, "second Nr:7").text(1, 1, "above");
    const tokens = viewDocument(page.layout()).segments.flatMap((segment) => segment.tokens);
    expect(tokens.map((token) => [token.text, token.index])).toEqual([
      ["above", 2],
      ["second", 0],
      ["Nr:", 1],
      ["7", 1],
    ]);
  });

  it("keeps pages apart and takes empty ones", () => {
    const view = viewDocument(new PageMaker().newPage().text(1, 1, "two").layout());
    expect(view.pages.map((page) => page.rows.length)).toEqual([0, 1]);
    expect(view.rows[0]?.page).toBe(2);
  });

  it("joins words broken by kerning, and keeps narrow spaces", () => {
    const page = new PageMaker().text(1, 1, "Muster");
    const { right } = viewDocument(page.layout()).rows[0]?.box ?? { right: 0 };
    page.text(right + 0.004, 1, "lieferant").text(3, 1, "two");
    const end = viewDocument(page.layout()).rows[0]?.segments[1]?.box.right ?? 0;
    page.text(end + 0.03, 1, "words");
    const [row] = viewDocument(page.layout()).rows;
    expect(row?.segments.map(({ text }) => text)).toEqual(["Musterlieferant", "two words"]);
    expect(row?.segments[0]?.starts).toEqual([0, 6]);
  });

  it("puts recognised words on one row though their boxes hug their ink", () => {
    const texts = (confidence?: number) => {
      const more = confidence === undefined ? {} : { confidence };
      const page = new PageMaker()
        .text(1, 1, "Total", { size: 7, ...more })
        .text(5, 1.045, "9.50", { size: 8, ...more });
      return viewDocument(page.layout()).rows.length;
    };
    expect(texts(0.9)).toBe(1);
    expect(texts()).toBe(2);
  });
});
