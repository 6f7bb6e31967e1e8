import { describe, expect, it } from "vitest";
import { blockLines, lineText } from "../../../../../../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../../../../../../functions/engine/readers/office/read-office.ts";
import { p, wordPackage } from "../../../../../support/office-parts.ts";

const level = (at: number, format: string, text: string, more = ""): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const abstract = (id: number, ...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join("")}</w:abstractNum>`;
const list = (id: number, of: number, overrides = ""): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${overrides}</w:num>`;
const item = (listId: number, at = 0): string =>
  p("x", `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${listId}"/></w:numPr>`);

/** Markers of the list items, and the numbers before headings. */
function marks(numbering: string, body: string, styles?: string): (string | undefined)[] {
  const bytes = wordPackage({ body, numbering, ...(styles === undefined ? {} : { styles }) });
  return readOfficeDocument(bytes, "docx").pages.flatMap((page) =>
    page.blocks.map((block) => {
      const words = blockLines(block).map(lineText).join(" ");
      if (block.kind !== "list-item") return words.replace(/\s?x$/, "") || undefined;
      expect(words).toBe(`${block.marker} x`);
      return block.marker;
    }),
  );
}

const LEGAL = abstract(
  0,
  level(0, "decimal", "%1."),
  level(1, "lowerLetter", "%1.%2)"),
  level(2, "lowerRoman", "(%3)"),
);

describe("Numbering.next", () => {
  it("counts by level, and restarts below a continued level", () => {
    const body = [0, 1, 1, 2, 0, 1].map((at) => item(1, at)).join("");
    expect(marks(LEGAL + list(1, 0), body)).toEqual(["1.", "1.a)", "1.b)", "(i)", "2.", "2.a)"]);
  });

  it("counts a level above that did not occur as begun", () => {
    expect(marks(LEGAL + list(1, 0), item(1, 1) + item(1, 1))).toEqual(["1.a)", "1.b)"]);
  });

  it("continues lists of one definition, unless they restart", () => {
    const anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>';
    const numbering = LEGAL + list(1, 0) + list(2, 0) + list(3, 0, anew);
    expect(marks(numbering, item(1) + item(2) + item(3) + item(3) + item(1))).toEqual(["1.", "2.", "5.", "6.", "7."]);
  });

  it("continues a level without restart", () => {
    const numbering =
      abstract(0, level(0, "decimal", "%1."), level(1, "decimal", "%2)", '<w:lvlRestart w:val="0"/>')) + list(1, 0);
    expect(marks(numbering, [0, 1, 0, 1].map((at) => item(1, at)).join(""))).toEqual(["1.", "1)", "2.", "2)"]);
  });

  it("replaces a level by the list's own; legal numbering shows levels above in digits", () => {
    const own = `<w:lvlOverride w:ilvl="0">${level(0, "upperRoman", "%1 -")}</w:lvlOverride>`;
    expect(marks(LEGAL + list(1, 0, own), item(1) + item(1))).toEqual(["I -", "II -"]);
    const legal = abstract(0, level(0, "upperRoman", "%1"), level(1, "decimal", "%1.%2", "<w:isLgl/>")) + list(1, 0);
    expect(marks(legal, item(1, 0) + item(1, 1))).toEqual(["I", "1.1"]);
  });

  it("shows bullets of symbol fonts as Unicode", () => {
    const bullet = (id: number, text: string, font: string): string =>
      abstract(
        id,
        `<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="${text}"/><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr></w:lvl>`,
      );
    const numbering =
      bullet(0, "\uf0b7", "Symbol") +
      bullet(1, "\uf0fc", "Wingdings") +
      bullet(2, "–", "Arial") +
      bullet(3, "\uf099", "Webdings") +
      [1, 2, 3, 4].map((id) => list(id, id - 1)).join("");
    expect(marks(numbering, [1, 2, 3, 4].map((id) => item(id)).join(""))).toEqual(["•", "✓", "–", "•"]);
  });

  it("formats zeros, ordinals, letters past z, and none", () => {
    const numbering = (format: string, start: number): string =>
      abstract(
        0,
        `<w:lvl w:ilvl="0"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%1"/></w:lvl>`,
      ) + list(1, 0);
    expect(marks(numbering("decimalZero", 9), item(1) + item(1))).toEqual(["09", "10"]);
    expect(marks(numbering("upperLetter", 26), item(1) + item(1))).toEqual(["Z", "AA"]);
    expect(marks(numbering("ordinal", 11), item(1))).toEqual(["11th"]);
    expect(marks(numbering("lowerLetter", 32_000), item(1))).toEqual(["32000"]);
    expect(marks(numbering("none", 1), item(1))).toEqual([undefined]);
  });
});

describe("Numbering by paragraph style", () => {
  const styles =
    '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>' +
    '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>';
  const numbering =
    abstract(
      0,
      level(0, "decimal", "%1", '<w:pStyle w:val="H1"/>'),
      level(1, "decimal", "%1.%2", '<w:pStyle w:val="H2"/>'),
    ) + list(1, 0);

  it("gives headings the level linked to their style; a paragraph may opt out", () => {
    const styled = (id: string, more = ""): string => p("x", `<w:pStyle w:val="${id}"/>${more}`);
    const out = '<w:numPr><w:numId w:val="0"/></w:numPr>';
    expect(
      marks(numbering, styled("H1") + styled("H2") + styled("H2") + styled("H1", out) + styled("H1"), styles),
    ).toEqual(["1", "1.1", "1.2", undefined, "2"]);
  });

  it("finds a definition through its numbering style", () => {
    const linked =
      '<w:abstractNum w:abstractNumId="7"><w:styleLink w:val="S"/><w:lvl w:ilvl="0"><w:start w:val="3"/><w:lvlText w:val="%1:"/></w:lvl></w:abstractNum>' +
      '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="S"/></w:abstractNum>' +
      list(1, 8);
    expect(marks(linked, item(1))).toEqual(["3:"]);
  });
});
