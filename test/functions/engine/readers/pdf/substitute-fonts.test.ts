import { expect, it } from "vitest";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { renderPage } from "../../../../../functions/engine/readers/pdf/render-page.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";

/** A page with a text in two fonts that the file does not embed. @param width of all letters; without it none is stated */
function unembedded(text: string, width?: number): Uint8Array {
  const widths = width === undefined ? "" : `/FirstChar 32/LastChar 126/Widths[${`${width} `.repeat(95)}]`;
  const font = (name: string, flags: number): string =>
    `<</Type/Font/Subtype/TrueType/BaseFont/${name}/Encoding/WinAnsiEncoding${widths}` +
    `/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags ${flags}/StemV 80>>>>`;
  const content = `BT /F1 12 Tf 72 700 Td (${text}) Tj /F2 12 Tf 0 -20 Td (${text}) Tj ET`;
  return new TextEncoder().encode(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj${font("Verdana", 32)}endobj
6 0 obj${font("Georgia", 34)}endobj
trailer<</Root 1 0 R>>
`);
}

const boxesOf = async (bytes: Uint8Array) => {
  const { layout } = await readDocument(bytes, { mimeType: PDF });
  return layout.pages.flatMap(pageWords);
};

it("reads letters of fonts without widths in the same place, whatever was drawn before", async () => {
  const page = unembedded("Amount due on receipt");
  const first = await boxesOf(page);
  expect(first.map(({ text }) => text)).toEqual(["Amount", "due", "on", "receipt", "Amount", "due", "on", "receipt"]);
  for (const width of [300, 900, 300]) {
    await renderPage(unembedded("Wide letters", width), 0, 100);
    expect(await boxesOf(page)).toEqual(first);
  }
  await renderPage(page, 0, 100);
  expect(await boxesOf(page)).toEqual(first);
});
