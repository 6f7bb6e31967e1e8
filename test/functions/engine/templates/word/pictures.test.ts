import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { claimingPng } from "../../../../support/images.ts";
import { control, describeTemplate, fill, linesOf, p, partOf, t } from "../../../../support/word-template.ts";

const images = new Map([
  ["wide", claimingPng(200, 100)],
  ["square", claimingPng(960, 960)],
]);
const EMU_PER_MM = 36_000;
const extents = (xml: string): string[] =>
  [...xml.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"\/>/gu)].map(
    (one) => `${Number(one[1]) / EMU_PER_MM} x ${Number(one[2]) / EMU_PER_MM}`,
  );

describe("pictures in Word", () => {
  it("are placed at a size in millimetres, in proportion, each part once", async () => {
    const body = `${p("{%a} and {b}")}${p("{#items}{%c}{/items}")}`;
    const fields = {
      a: { _ref: "wide", width_mm: 40 },
      b: { _ref: "wide", height_mm: 10 },
      items: [{ c: { _ref: "square", width_mm: 5, height_mm: 8 } }, { c: null }, {}],
    };
    const { bytes } = await fill({ body, header: p("{%a}") }, fields, { images });
    expect(linesOf(bytes)).toEqual(["[picture] and [picture]", "[picture]"]);
    expect(extents(partOf(bytes))).toEqual(["40 x 20", "20 x 10", "5 x 8"]);
    const names = Object.keys(unzipSync(bytes)).filter((name) => name.startsWith("word/media/"));
    expect(names).toEqual(["word/media/picture1.png", "word/media/picture2.png"]);
    expect(partOf(bytes, "word/_rels/document.xml.rels").match(/media\/picture1/gu)).toHaveLength(1);
    expect(partOf(bytes, "word/_rels/header1.xml.rels")).toContain('Target="media/picture1.png"');
  });

  it("are no wider than the text where no size is given", async () => {
    const { bytes } = await fill({ body: p("{%a}") }, { a: { _ref: "square" } }, { images });
    expect(extents(partOf(bytes))).toEqual(["159.2 x 159.2"]);
  });

  it("are refused where they are none, and named", async () => {
    await expect(fill({ body: p("{%a}") }, { a: "x" }, { images })).rejects.toMatchObject({
      kind: "BadRequest",
      errors: [{ path: "/fields/a" }],
    });
    await expect(fill({ body: p("{a}") }, { a: { _ref: "gone" } }, { images })).rejects.toThrow(
      "a picture that is not there",
    );
  });

  it("take the place of a control's picture, inside its frame", async () => {
    const drawing =
      '<w:r><w:drawing><wp:inline><wp:extent cx="720000" cy="1440000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="old"><a:extLst><a:ext uri="svg"/></a:extLst></a:blip></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="720000" cy="1440000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const body = p(control('<w:tag w:val="photo"/><w:showingPlcHdr/><w:picture/>', drawing));
    const empty = p(control('<w:tag w:val="other"/><w:picture/>', t("none")));
    const template = { body: `${body}${empty}` };
    expect((await describeTemplate(template)).map(({ name, type }) => `${name} ${type}`)).toEqual([
      "photo image",
      "other image",
    ]);
    const { bytes } = await fill(
      template,
      { photo: { _ref: "wide" }, other: { _ref: "wide", width_mm: 10 } },
      { images },
    );
    const xml = partOf(bytes);
    expect(extents(xml)).toEqual(["20 x 10", "10 x 5"]);
    expect(xml).toContain('<a:xfrm><a:ext cx="720000" cy="360000"/></a:xfrm>');
    expect(xml).not.toContain('r:embed="old"');
    expect(xml).not.toContain("svg");
    expect(xml.match(/<w:picture\/>/gu)).toHaveLength(2);
  });
});
