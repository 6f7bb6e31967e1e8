import { PDFDocument, setCharacterSpacing, setWordSpacing } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { Layout } from "../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { blockTexts, lineTexts, pageWords, wordIn } from "../../../../support/layout.ts";
import { drawnPdf, invoiceLines, mappedPdf, type Placed, textPdf } from "../../../../support/pdf.ts";

const read = async (bytes: Uint8Array): Promise<Layout> => (await readDocument(bytes, { mimeType: PDF })).layout;
const readLines = async (lines: readonly Placed[]): Promise<string[]> =>
  lineTexts((await read(await textPdf(lines))).pages[0]);

const near = (actual: number, expected: number): void => expect(actual).toBeCloseTo(expected, 1);

describe("readPdfPage words", () => {
  it("have text, size and weight", async () => {
    const layout = await read(await textPdf(invoiceLines));
    const expected = invoiceLines.flatMap((line) => line.text.split(" "));
    expect(
      pageWords(layout.pages[0])
        .map((word) => word.text)
        .sort(),
    ).toEqual(expected.sort());
    expect(wordIn(layout, "Northwind")).toMatchObject({ fontSize: 16, bold: true });
    expect(wordIn(layout, "Harbour")).toMatchObject({ fontSize: 12 });
    expect(wordIn(layout, "Harbour").bold).toBeUndefined();
  });

  it("stand where they are drawn, in inches from the top left", async () => {
    const { box } = wordIn(await read(await textPdf([{ text: "Total", x: 144, y: 648, size: 24 }])), "Total");
    near(box.left, 2);
    // The baseline is 2 inches down; type of 24 points reaches most of a third of an inch above it.
    expect(box.bottom).toBeGreaterThan(2);
    expect(box.bottom).toBeLessThan(2.14);
    expect(box.top).toBeGreaterThan(1.64);
    expect(box.top).toBeLessThan(1.78);
    expect(box.right - box.left).toBeGreaterThan(0.6);
    expect(box.right - box.left).toBeLessThan(0.9);
  });

  it("join parts drawn separately, and split at gaps without a space", async () => {
    const parts = { y: 700, size: 12 };
    expect(
      await readLines([
        { text: "Invo", x: 100, ...parts },
        { text: "ice", x: 123.4, ...parts },
      ]),
    ).toEqual(["Invoice"]);
    expect(
      await readLines([
        { text: "Net", x: 100, ...parts },
        { text: "sum", x: 123.4, ...parts },
      ]),
    ).toEqual(["Net sum"]);
  });

  it("exclude leaders next to them", async () => {
    expect(
      await readLines([
        { text: "Total........473.00", x: 50, y: 700 },
        { text: "Name:______", x: 50, y: 600 },
      ]),
    ).toEqual(["Total ........ 473.00", "Name: ______"]);
    expect(await readLines([{ text: "Wait... no", x: 50, y: 700 }])).toEqual(["Wait... no"]);
  });

  it("keep an exponent separate, on the row of its base", async () => {
    const lines = await readLines([
      { text: "Area 25 m", x: 50, y: 700 },
      { text: "2", x: 103.5, y: 705, size: 7 },
    ]);
    expect(lines).toEqual(["Area 25 m 2"]);
  });

  it("are the signs of a formula set by positions, without a space", async () => {
    // Typesetters put a third of an em around a relation and a fifth around an operator; Helvetica's x is half an em wide.
    const lines = await readLines([
      { text: "x", x: 50, y: 700 },
      { text: "=", x: 59.4, y: 700 },
      { text: "ab", x: 69.8, y: 700 },
      { text: "+", x: 85.8, y: 700 },
      { text: "c", x: 95.4, y: 700 },
    ]);
    expect(lines).toEqual(["x = ab + c"]);
  });

  it("do not join parts of a fraction, an index or the bounds of a sum", async () => {
    const words = pageWords(
      (
        await read(
          await textPdf([
            { text: "n", x: 52, y: 712, size: 7 },
            { text: "S", x: 50, y: 700 },
            { text: "i=1", x: 50, y: 691, size: 7 },
            { text: "x", x: 62, y: 700 },
            { text: "i", x: 68, y: 697, size: 7 },
            { text: "a+b", x: 90, y: 708 },
            { text: "2c", x: 95, y: 693 },
          ]),
        )
      ).pages[0],
    ).map(({ text }) => text);
    expect(words.toSorted()).toEqual(["2c", "S", "a+b", "i", "i=1", "n", "x"]);
  });

  it("join evenly spaced letters", async () => {
    const bytes = await drawnPdf([
      (page, { regular }) => {
        page.pushOperators(setCharacterSpacing(3));
        page.drawText("INVOICE", { x: 100, y: 700, size: 12, font: regular });
      },
    ]);
    expect(lineTexts((await read(bytes)).pages[0])).toEqual(["INVOICE"]);
  });

  it("split at a real space, however narrow", async () => {
    const bytes = await drawnPdf([
      (page, { regular }) => {
        page.pushOperators(setWordSpacing(-3));
        page.drawText("tight words", { x: 100, y: 700, size: 12, font: regular });
      },
    ]);
    expect(lineTexts((await read(bytes)).pages[0])).toEqual(["tight words"]);
  });

  it("appear once when printed twice for weight", async () => {
    const twice = (text: string): Placed[] => [0, 0.4].map((shift) => ({ text, x: 100 + shift, y: 700 }));
    expect(await readLines(twice("Rechnung"))).toEqual(["Rechnung"]);
    expect(await readLines(twice("Rechnung Nr. 5"))).toEqual(["Rechnung Nr. 5"]);
  });

  it("appear once when they cast a shadow", async () => {
    // pdfium itself drops immediate repeats; here other text is drawn in between.
    const between = Array.from({ length: 8 }, (_, row) => ({ text: `row ${row}`, x: 100, y: 600 - row * 20 }));
    const [over, under] = [0, 1.5].map((shift) => ({ text: "Grand Total 473.00", x: 100 + shift, y: 700 - shift }));
    const lines = [under, ...between, over].filter((one) => one !== undefined);
    expect((await readLines(lines))[0]).toBe("Grand Total 473.00");
  });
});

describe("readPdfPage characters", () => {
  const at = (codes: string, y = 700): string => `1 0 0 1 100 ${y} Tm <${codes}> Tj`;

  it("keep hyphens at the end of a line, and the halves of the word apart", async () => {
    expect(
      await readLines([
        { text: "the dev-", x: 50, y: 700 },
        { text: "elopment of", x: 50, y: 686 },
      ]),
    ).toEqual(["the dev-", "elopment of"]);
  });

  it("split words at separators and no-break spaces, and replace invalid characters", async () => {
    const layout = await read(
      await mappedPdf(at("010201030104"), { "01": "0041", "02": "2029", "03": "00A0", "04": "D800" }),
    );
    expect(pageWords(layout.pages[0]).map((word) => word.text)).toEqual(["A", "A", "A\ufffd"]);
  });

  it("keep characters beyond the basic plane whole", async () => {
    const layout = await read(await mappedPdf(at("0102"), { "01": "D83DDE00", "02": "0042" }));
    expect(pageWords(layout.pages[0]).map((word) => word.text)).toEqual(["😀B"]);
  });

  it("mark a glyph without a character", async () => {
    const layout = await read(await mappedPdf(at("651F6C65"), { "65": "0065", "1F": "001F", "6C": "006C" }));
    expect(pageWords(layout.pages[0]).map((word) => word.text)).toEqual(["e\ufffdle"]);
  });

  it("read a ligature without a character by the letters of its name", async () => {
    const map = { "65": "0065", "6C": "006C" };
    const words = async (...differences: (number | string)[]): Promise<string[]> =>
      pageWords((await read(await mappedPdf(at("651F6C65"), map, differences))).pages[0]).map((word) => word.text);
    expect(await words(31, "f_i")).toEqual(["efile"]);
    expect(await words(30, "T_h", "f_f_i")).toEqual(["effile"]);
    // Any other name has no letters.
    expect(await words(31, "g31")).toEqual(["e\ufffdle"]);
  });

  it("leave a ligature unknown when fonts of one name differ", async () => {
    const document = await PDFDocument.load(
      await mappedPdf(at("651F6C65"), { "65": "0065", "6C": "006C" }, [31, "f_i"]),
    );
    const { context } = document;
    const other = (base: string) =>
      context.register(
        context.obj({ Type: "Font", Subtype: "Type1", BaseFont: base, Encoding: { Differences: [31, "f_l"] } }),
      );
    const words = async () => pageWords((await read(await document.save())).pages[0]).map((word) => word.text);
    other("Courier");
    expect(await words()).toEqual(["efile"]);
    other("ABCDEF+Helvetica");
    expect(await words()).toEqual(["e\ufffdle"]);
  });

  it("join a letter with the accent that is drawn over it, and leave one beside it alone", async () => {
    const map = { "65": "0065", "63": "0063", B4: "00B4" };
    const words = async (accentX: number): Promise<string[]> => {
      const accent = `1 0 0 1 ${accentX} 700 Tm <B4> Tj`;
      const bytes = await mappedPdf(`1 0 0 1 100 700 Tm <6563> Tj ${accent}`, map);
      return pageWords((await read(bytes)).pages[0]).map((word) => word.text);
    };
    expect(await words(101)).toEqual(["éc"]);
    expect(await words(107)).toEqual(["eć"]);
    expect(await words(120)).toEqual(["ec", "´"]);
  });

  it("read LaTeX's euro sign, which its fonts keep at the place of the letter e", async () => {
    const words = async (name: string): Promise<string[]> => {
      const bytes = await mappedPdf(at("65"), { "65": "0065" }, [], name);
      return pageWords((await read(bytes)).pages[0]).map((word) => word.text);
    };
    expect(await words("KCXMNX+TeX-feymr10")).toEqual(["€"]);
    expect(await words("feybo10")).toEqual(["€"]);
    expect(await words("Feynman")).toEqual(["e"]);
  });

  it("read Arabic from the right, lam before alef", async () => {
    const map = { "01": "06440627", "02": "0633", "03": "0645", "04": "0628" };
    const layout = await read(await mappedPdf(`${at("010203")} ${at("0401", 650)}`, map));
    expect(pageWords(layout.pages[0]).map((word) => word.text)).toEqual(["مسلا", "لاب"]);
  });
});

describe("readPdfPage lines and blocks", () => {
  it("make the cells of a row separate lines", async () => {
    const lines = await readLines(invoiceLines);
    expect(lines).toContain("Trennblätter A4, weiß");
    expect(lines).toContain("198.00");
    const order = ["Item", "Qty", "Price", "Amount", "Trennblätter A4, weiß", "20", "9.90", "198.00"];
    expect(lines.filter((line) => order.includes(line))).toEqual(order);
  });

  it("read columns of running text one after the other", async () => {
    const column = (x: number, name: string): Placed[] =>
      Array.from({ length: 8 }, (_, row) => ({
        text: `${name} line ${row} goes on and on until it ends`,
        x,
        y: 600 - row * 14,
        size: 11,
      }));
    const page = (
      await read(
        await textPdf([
          { text: "A title above both columns of this page", x: 50, y: 640, size: 18 },
          ...column(50, "left"),
          ...column(320, "right"),
        ]),
      )
    ).pages[0];
    expect(blockTexts(page).map((text) => text.split(" ").slice(0, 3).join(" "))).toEqual([
      "A title above",
      "left line 0",
      "right line 0",
    ]);
  });

  it("keep labels and values on rows when the values stand slightly lower", async () => {
    const rows = ["Subtotal", "Sales tax", "Freight", "Amount due"].flatMap((label, row) => [
      { text: label, x: 300, y: 500 - row * 20 },
      { text: `${row + 1}.00`, x: 500, y: 496 - row * 20 },
    ]);
    expect(await readLines(rows)).toEqual(rows.map((one) => one.text));
  });

  it("split blocks at the space between paragraphs", async () => {
    const page = (
      await read(
        await textPdf([740, 726, 712, 680, 666].map((y, row) => ({ text: `Sentence number ${row}`, x: 50, y }))),
      )
    ).pages[0];
    expect(blockTexts(page)).toEqual([
      "Sentence number 0|Sentence number 1|Sentence number 2",
      "Sentence number 3|Sentence number 4",
    ]);
  });
});
