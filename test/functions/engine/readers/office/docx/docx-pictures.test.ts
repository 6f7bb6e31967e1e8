import { expect, it } from "vitest";
import { docxPictures } from "../../../../../../functions/engine/readers/office/docx/docx-pictures.ts";
import { readOfficeDocument } from "../../../../../../functions/engine/readers/office/read-office.ts";
import { lineTexts } from "../../../../../support/layout.ts";
import { p, r, wordPackage } from "../../../../../support/office-parts.ts";

const drawing = (id: string, alt = ""): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="1828800" cy="914400"/><wp:docPr id="1" name="Picture 1" descr="${alt}"/><a:graphic><a:graphicData><a:blip r:embed="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const caption = (text: string): string => p(text, '<w:pStyle w:val="Caption"/>');
const bytes = wordPackage({
  body:
    p(r("Before") + drawing("one", "A red chair")) +
    caption("Figure 1: the chair") +
    p(
      `<w:r><w:pict><v:shape style="width:72pt;height:36pt" alt="old"><v:imagedata r:id="two"/></v:shape></w:pict></w:r>`,
    ) +
    p("After") +
    p(drawing("outside")) +
    `<w:tbl><w:tr><w:tc>${p(drawing("one"))}</w:tc></w:tr></w:tbl>`,
  styles: '<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>',
  relationships: {
    one: ["image", "media/image1.png"],
    two: ["image", "media/image2.emf"],
    outside: ["image", "!https://a.example/x.png"],
  },
  parts: { "word/media/image1.png": new Uint8Array([1, 2, 3]), "word/media/image2.emf": new Uint8Array([4]) },
});

it("readWord makes a picture a figure block of its size, with its alternative text", () => {
  const [page] = readOfficeDocument(bytes, "docx").pages;
  expect(page?.blocks.map((block) => block.kind)).toEqual([
    "paragraph",
    "figure",
    "caption",
    "figure",
    "paragraph",
    "figure",
    "table",
    "figure",
  ]);
  const [, figure] = page?.blocks ?? [];
  expect([
    (figure?.box.right ?? 0) - (figure?.box.left ?? 0),
    ((figure?.box.bottom ?? 0) - (figure?.box.top ?? 0)).toFixed(3),
  ]).toEqual([2, "1.000"]);
  expect(lineTexts(page)).toContain("A red chair");
});

it("docxPictures returns bytes, caption and place, and fetches nothing outside the file", () => {
  const pictures = docxPictures(bytes).map((picture) => ({ ...picture, bytes: [...picture.bytes] }));
  expect(pictures).toEqual([
    {
      name: "image1.png",
      mimeType: "image/png",
      bytes: [1, 2, 3],
      altText: "A red chair",
      caption: "Figure 1: the chair",
      page: 1,
      afterBlock: 0,
    },
    { name: "image2.emf", mimeType: "image/emf", bytes: [4], altText: "old", page: 1, afterBlock: 2 },
    { name: "image1.png", mimeType: "image/png", bytes: [1, 2, 3], altText: "", page: 1, afterBlock: 6 },
  ]);
});
