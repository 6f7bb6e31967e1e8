import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { findFigures } from "../../../../../functions/engine/readers/figures/find-figures.ts";
import { DOCX, PPTX, XLSX } from "../../../../../functions/ports/media-types.ts";
import { docx } from "../../../../support/office.ts";
import { patternJpeg, patternPng } from "../../structure/figures/pictures.ts";

const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const NAMES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  `xmlns:r="${OFFICE}"`;

const relationships = (targets: readonly (readonly [string, string, string?])[]): string =>
  `<Relationships xmlns="${PACKAGE}">${targets
    .map(([type, target, mode], index) => {
      const external = mode === undefined ? "" : ` TargetMode="${mode}"`;
      return `<Relationship Id="r${index + 1}" Type="${OFFICE}/${type}" Target="${target}"${external}/>`;
    })
    .join("")}</Relationships>`;

const zip = (parts: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  );

const inches = (value: number): number => Math.round(value * 914_400);

const drawing = (id: string, width = 3, height = 2, description = ""): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="${inches(width)}" cy="${inches(height)}"/><wp:docPr id="1" name="Picture 1" descr="${description}"/>` +
  `<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const text = (content: string, style = ""): string =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${content}</w:t></w:r></w:p>`;
const paragraph = (...runs: string[]): string => `<w:p>${runs.join("")}</w:p>`;

function word(media: Record<string, Uint8Array>, ...body: string[]): Uint8Array {
  const files = Object.entries(media);
  return zip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relationships([["officeDocument", "word/document.xml"]]),
    "word/document.xml": `<w:document ${NAMES}><w:body>${body.join("")}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships([
      ...files.map(([name]): [string, string] => ["image", `media/${name}`]),
      ["image", "https://example.org/tracker.png", "External"],
    ]),
    ...Object.fromEntries(files.map(([name, bytes]) => [`word/media/${name}`, bytes])),
  });
}

describe("pictures in a Word document", () => {
  it("stay as they are, with captions, alternative texts and the text beside them", async () => {
    const [png, jpeg] = [await patternPng(60, 40), await patternJpeg(50, 50, 2)];
    const media = {
      "a.png": png,
      "b.jpeg": jpeg,
      "c.png": await patternPng(30, 30, 3),
      "d.png": await patternPng(40, 40, 4),
    };
    const figures = await findFigures(
      word(
        media,
        text("Before it."),
        paragraph(drawing("r1")),
        text("Our house", "Caption"),
        paragraph('<w:r><w:br w:type="page"/></w:r>', drawing("r2", 2, 2, "A dog on a lawn")),
        text("Text that goes on."),
        text("Abb. 3: Garten"),
        paragraph(drawing("r3")),
        `<w:tbl><w:tr><w:tc>${paragraph(drawing("r4"))}${text("In a cell")}</w:tc></w:tr></w:tbl>`,
      ),
      DOCX,
    );
    expect(
      figures.map(({ id, mimeType, caption, surroundingText }) => ({ id, mimeType, caption, surroundingText })),
    ).toEqual([
      { id: "p1f1", mimeType: "image/png", caption: "Our house", surroundingText: undefined },
      { id: "p2f1", mimeType: "image/jpeg", caption: undefined, surroundingText: "A dog on a lawn" },
      { id: "p2f2", mimeType: "image/png", caption: "Abb. 3: Garten", surroundingText: undefined },
      { id: "p2f3", mimeType: "image/png", caption: undefined, surroundingText: "In a cell" },
    ]);
    expect(figures.map(({ bbox }) => bbox)).toEqual([null, null, null, null]);
    expect(Buffer.from(figures[0]?.bytes ?? []).equals(png)).toBe(true);
    expect(Buffer.from(figures[1]?.bytes ?? []).equals(jpeg)).toBe(true);
  });

  it("have one of two versions, logos once, and nothing external, broken or too small", async () => {
    const media = {
      "a.png": await patternPng(60, 40),
      "broken.png": new Uint8Array([1, 2, 3]),
      "chart.emf": new Uint8Array(50),
    };
    const both = `<w:r><mc:AlternateContent><mc:Choice>${drawing("r1")}</mc:Choice><mc:Fallback>${drawing("r1")}</mc:Fallback></mc:AlternateContent></w:r>`;
    const body = [
      both,
      drawing("r1", 1, 1),
      drawing("r2"),
      drawing("r3"),
      drawing("r4"),
      drawing("r9"),
      drawing("r1", 0.1, 0.1),
    ];
    const figures = await findFigures(word(media, ...body.map((run) => paragraph(run))), DOCX);
    expect(figures.map(({ id, width }) => [id, width])).toEqual([["p1f1", 60]]);
  });

  it("officeFigures: finds none in a document without pictures, and names what is wrong", async () => {
    expect(await findFigures(docx("<w:p/>"), DOCX)).toEqual([]);
    await expect(findFigures(new Uint8Array([80, 75, 3, 4]), DOCX)).rejects.toThrow("corrupted");
  });

  it("are found in any number of paragraphs", async () => {
    const body = Array.from({ length: 3_000 }, (_, index) => text(`Paragraph ${index}`));
    const figures = await findFigures(
      word({ "a.png": await patternPng(60, 40) }, ...body, paragraph(drawing("r1"))),
      DOCX,
    );
    expect(figures).toMatchObject([{ id: "p1f1", surroundingText: "Paragraph 2999" }]);
  });
});

describe("pictures on slides and sheets", () => {
  const picture = (prefix: string, id: string, left: number, top: number, width: number, height: number): string =>
    `<${prefix}:pic><${prefix}:nvPicPr><${prefix}:cNvPr id="4" name="Picture" descr="image1.png"/></${prefix}:nvPicPr><${prefix}:blipFill><a:blip r:embed="${id}"/></${prefix}:blipFill>` +
    `<${prefix}:spPr><a:xfrm><a:off x="${inches(left)}" y="${inches(top)}"/><a:ext cx="${inches(width)}" cy="${inches(height)}"/></a:xfrm></${prefix}:spPr></${prefix}:pic>`;

  it("have their slide, their place on it, and its words", async () => {
    const slide = (content: string): string =>
      `<p:sld ${NAMES}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Sales in 2024</a:t></a:r></a:p></p:txBody></p:sp>${content}</p:spTree></p:cSld></p:sld>`;
    const bytes = zip({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relationships([["officeDocument", "ppt/presentation.xml"]]),
      "ppt/presentation.xml": `<p:presentation ${NAMES}><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": relationships([
        ["slide", "slides/slide1.xml"],
        ["slide", "slides/slide2.xml"],
      ]),
      "ppt/slides/slide1.xml": slide(picture("p", "r1", 1, 2, 3, 2)),
      "ppt/slides/_rels/slide1.xml.rels": relationships([["image", "../media/a.png"]]),
      "ppt/slides/slide2.xml": slide(""),
      "ppt/media/a.png": await patternPng(64, 48),
    });
    const [figure, ...more] = await findFigures(bytes, PPTX);
    expect(more).toEqual([]);
    expect(figure).toMatchObject({ id: "p2f1", pageNumber: 2, width: 64, surroundingText: "Sales in 2024" });
    expect(figure?.bbox).toEqual({ left: 1, top: 2, right: 4, bottom: 4 });
    expect(await findFigures(bytes, PPTX, { pageRange: [1] })).toEqual([]);
  });

  it("have their sheet", async () => {
    const bytes = zip({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relationships([["officeDocument", "xl/workbook.xml"]]),
      "xl/workbook.xml": `<workbook ${NAMES}><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": relationships([["worksheet", "worksheets/sheet1.xml"]]),
      "xl/worksheets/sheet1.xml": "<worksheet/>",
      "xl/worksheets/_rels/sheet1.xml.rels": relationships([["drawing", "../drawings/drawing1.xml"]]),
      "xl/drawings/drawing1.xml": `<xdr:wsDr ${NAMES}><xdr:oneCellAnchor>${picture("xdr", "r1", 0, 0, 2, 2)}</xdr:oneCellAnchor></xdr:wsDr>`,
      "xl/drawings/_rels/drawing1.xml.rels": relationships([["image", "../media/a.png"]]),
      "xl/media/a.png": await patternPng(64, 48),
    });
    expect(await findFigures(bytes, XLSX)).toMatchObject([{ id: "p1f1", pageNumber: 1, bbox: null, width: 64 }]);
  });
});
