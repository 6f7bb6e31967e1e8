import { describe, expect, it } from "vitest";
import type { Figure } from "../../../../../functions/engine/structure/figures/figure.ts";
import { attachCaptions, describeFigure } from "../../../../../functions/engine/structure/figures/figure-captions.ts";
import { type Block, LAYOUT_VERSION, type Layout, type TextBlockKind } from "../../../../../functions/ports/layout.ts";

const figure = (id: string, left: number, top: number, right: number, bottom: number, pageNumber = 1): Figure => ({
  id,
  pageNumber,
  bbox: { left, top, right, bottom },
  width: 10,
  height: 10,
  mimeType: "image/png",
  bytes: new Uint8Array(1),
});

/** Lines of 0.15 inches, one below the other. */
function block(kind: TextBlockKind, left: number, top: number, right: number, ...texts: string[]): Block {
  const lines = texts.map((text, row) => {
    const box = { left, right, top: top + 0.18 * row, bottom: top + 0.18 * row + 0.15 };
    return { box, words: text.split(" ").map((word) => ({ text: word, box })) };
  });
  return { kind, box: { left, top, right, bottom: top + 0.18 * texts.length }, lines };
}

const layout = (...blocks: Block[]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: 1,
  pages: [{ number: 1, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks }],
});

const captions = (figures: readonly Figure[], ...blocks: Block[]): Record<string, string | undefined> =>
  Object.fromEntries(attachCaptions(figures, layout(...blocks)).map(({ id, caption }) => [id, caption]));

describe("captions of figures", () => {
  it.each([
    "Figure 1: A house.",
    "Fig. 2. Results",
    "Fig. 2 Results of the test",
    "FIGURE 3-1 – Overview",
    "Abb. 4: Anlage",
    "Abbildung 12 – Aufbau",
    "Bild 3: Ansicht",
    "Figura 7. Resultados",
    "Figuur 2: Overzicht",
    "Afbeelding 1. Huis",
    "Gráfico 2: Ventas",
    "Figure A.1: Appendix",
    "Schéma II",
    "Tableau 3 : Ventes",
  ])("are found: %s", (text) => {
    expect(captions([figure("a", 1, 1, 4, 3)], block("paragraph", 1.2, 3.1, 3.8, text))).toEqual({ a: text });
  });

  it.each([
    "Figure 1 shows a house.",
    "Figures are nice",
    "Figure 3 ........ 12",
    "A figure 1: no",
    "Photography 2: no",
    "See Abb. 3: no",
  ])("are not found: %s", (text) => {
    expect(captions([figure("a", 1, 1, 4, 3)], block("paragraph", 1.2, 3.1, 3.8, text))).toEqual({ a: undefined });
  });

  it("go to the nearest figure, above or below, one each", () => {
    const figures = [figure("upper", 1, 1, 4, 3), figure("lower", 1, 3.6, 4, 5)];
    const below = [block("caption", 1, 3.05, 4, "Figure 1: upper"), block("caption", 1, 5.05, 4, "Figure 2: lower")];
    expect(captions(figures, ...below)).toEqual({ upper: "Figure 1: upper", lower: "Figure 2: lower" });
    const above = [block("caption", 1, 0.8, 4, "Figure 1: upper"), block("caption", 1, 3.4, 4, "Figure 2: lower")];
    expect(captions(figures, ...above)).toEqual({ upper: "Figure 1: upper", lower: "Figure 2: lower" });
  });

  it("stay in their column and within 0.6 inches", () => {
    const figures = [figure("left", 1, 1, 4, 3), figure("right", 4.5, 1, 7.5, 3)];
    expect(captions(figures, block("caption", 4.6, 3.1, 7.4, "Fig. 1: right"))).toEqual({
      left: undefined,
      right: "Fig. 1: right",
    });
    expect(captions(figures, block("caption", 1, 3.7, 4, "Fig. 1: far"))).toEqual({
      left: undefined,
      right: undefined,
    });
  });

  it("run over lines, to the next caption or paragraph", () => {
    const lines = ["Figure 1: A house", "and its garden.", "Figure 2: Nothing"];
    expect(captions([figure("a", 1, 1, 4, 3)], block("paragraph", 1, 3.1, 4, ...lines))).toEqual({
      a: "Figure 1: A house and its garden.",
    });
  });

  it("of one drawing in parts side by side are shared; a table's goes to a picture only where there is no other", () => {
    const parts = [figure("a", 1, 1, 3, 3), figure("b", 3.2, 1, 5, 3)];
    expect(captions(parts, block("caption", 1, 3.1, 5, "Figure 1: both"))).toEqual({
      a: "Figure 1: both",
      b: "Figure 1: both",
    });
    const both = [block("caption", 1, 3.05, 4, "Table 1: numbers"), block("caption", 1, 3.3, 4, "Figure 1: picture")];
    expect(captions([figure("a", 1, 1, 4, 3)], ...both)).toEqual({ a: "Figure 1: picture" });
  });
});

describe("figures without captions", () => {
  it("have a sentence or two of the text near them", () => {
    const text = "The house stands on a hill. It was built in 1900. Nobody has lived there since the war.";
    const [found] = attachCaptions(
      [figure("a", 1, 1, 4, 3)],
      layout(
        block("header", 1, 0.5, 4, "Annual report of the company"),
        block("paragraph", 1, 3.2, 4, text),
        block("paragraph", 1, 9, 4, `Far. ${text}`),
      ),
    );
    expect(found?.caption).toBeUndefined();
    expect(found?.surroundingText).toBe("The house stands on a hill. It was built in 1900.");
    expect(found === undefined ? "" : describeFigure(found)).toBe(found?.surroundingText);
  });

  it("cut a text without an end", () => {
    const [found] = attachCaptions(
      [figure("a", 1, 1, 4, 3)],
      layout(block("paragraph", 1, 3.2, 4, "word ".repeat(200).trim())),
    );
    expect(found?.surroundingText?.length).toBeLessThan(310);
    expect(found?.surroundingText).toMatch(/ word…$/);
  });

  it("keep their text where they have no place, and have an empty description rather than a wrong one", () => {
    const placeless: Figure = { ...figure("a", 0, 0, 1, 1), bbox: null, surroundingText: "A logo" };
    expect(attachCaptions([placeless], layout(block("caption", 0, 1, 1, "Figure 1: no")))).toEqual([placeless]);
    const [alone] = attachCaptions([figure("a", 1, 1, 4, 3)], layout());
    expect(alone === undefined ? "?" : describeFigure(alone)).toBe("");
  });
});

it("attachCaptions: finds captions beside figures on a page that lies on its side", () => {
  const column = (left: number, text: string): Block => {
    const box = { left, right: left + 0.15, top: 2, bottom: 5.5 };
    return { kind: "paragraph", box, lines: [{ box, words: text.split(" ").map((word) => ({ text: word, box })) }] };
  };
  const shown = layout(column(3.6, "Figure 1: The harbour"), column(9, "Figure 2: The pier"));
  const sideways = { ...shown, pages: shown.pages.map((page) => ({ ...page, width: 11, height: 8.5, angle: 90 })) };
  const figures = attachCaptions([figure("a", 4, 2, 7, 6)], sideways);
  expect(figures).toMatchObject([{ id: "a", caption: "Figure 1: The harbour", bbox: { left: 4, bottom: 6 } }]);
});
