import { setCharacterSpacing } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { dynamicFormPdf } from "../../../../support/annotated-pdf.ts";
import { lineTexts } from "../../../../support/layout.ts";
import { drawnPdf, mappedPdf } from "../../../../support/pdf.ts";

/** Every character of the font is 0.556 em wide, the space too. @param shown an array for TJ, kerns in thousandths */
const kerned = async (...shown: string[]): Promise<string[]> => {
  const rows = shown.map((text, row) => `1 0 0 1 100 ${700 - 30 * row} Tm [${text}] TJ`);
  const pdf = await mappedPdf(rows.join(" "), {});
  return lineTexts((await readDocument(pdf, { mimeType: PDF })).layout.pages[0]);
};

/** Consecutive texts of 12 points on one line. @param spacing space between their characters in ems */
const tracked = async (...texts: [spacing: number, text: string][]): Promise<string[]> => {
  const draw: Parameters<typeof drawnPdf>[0][number] = (page, { regular }) => {
    let x = 72;
    for (const [spacing, text] of texts) {
      page.pushOperators(setCharacterSpacing(12 * spacing));
      page.drawText(text, { x, y: 700, size: 12, font: regular });
      x += regular.widthOfTextAtSize(text, 12) + text.length * 12 * spacing + 5;
    }
  };
  return lineTexts((await readDocument(await drawnPdf([draw]), { mimeType: PDF })).layout.pages[0]);
};

describe("formWords and formLines", () => {
  it("join a word over a space that a kern removes", async () => {
    expect(await kerned("(Taxiunter) ( ) 556 (nehmen Nord)")).toEqual(["Taxiunternehmen Nord"]);
    expect(await kerned("(Lebens ) 556 (partner)")).toEqual(["Lebenspartner"]);
  });

  it("split words at a squeezed space", async () => {
    expect(await kerned("(Line ) 540 (25 ) 540 (or)")).toEqual(["Line 25 or"]);
  });

  it("join letters set slightly apart where the row's spaces are wider", async () => {
    expect(await kerned("(tax) -115 (checkoff for charity)")).toEqual(["taxcheckoff for charity"]);
    expect(await kerned("(C) -110 (hec) -110 (koff)")).toEqual(["Checkoff"]);
  });

  it("keep a number as near to a word apart, and words as far apart as spaces", async () => {
    expect(await kerned("(10.) -120 (The petition is)")).toEqual(["10. The petition is"]);
    expect(await kerned("(net) -200 (sum of it)")).toEqual(["net sum of it"]);
  });

  it("join short words of a letter-spaced line, and not those of other lines", async () => {
    expect(await tracked([0.29, "TERMS OF USE AND"])).toEqual(["TERMS OF USE AND"]);
    expect(await tracked([0.29, "TO BE OR"])).toEqual(["TO BE OR"]);
    expect(await tracked([0.29, "TERMS"], [0.29, "OF"], [0.29, "USE"])).toEqual(["TERMS OF USE"]);
    expect(await tracked([0, "Plain text"], [0.29, "AB CD EF"])).toEqual(["Plain text A B C D E F"]);
    expect(await tracked([0.29, "AB"])).toEqual(["A B"]);
  });

  it("split words at narrow spaces", async () => {
    // Spaces of 0.14 em without a character, beside real ones as narrow.
    expect(await kerned("(one) -140 (two) -140 (three ) 416 (four ) 416 (five)")).toEqual(["one two three four five"]);
  });
});

describe("dynamic XFA form", () => {
  it("fails with a sentence that says what helps", async () => {
    await expect(readDocument(await dynamicFormPdf({ field: false }), { mimeType: PDF })).rejects.toThrow(
      /dynamic XFA form.*static PDF/,
    );
  });

  it("is read when it has fields on its page", async () => {
    const pdf = await dynamicFormPdf({ field: true });
    expect(await withPdf(pdf, ({ pageCount }) => pageCount)).toBe(1);
  });
});
