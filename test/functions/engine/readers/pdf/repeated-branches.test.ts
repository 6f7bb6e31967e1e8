/** Field trees and page trees that lead back to themselves, or down on too many paths. */
import { expect, it } from "vitest";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { cpuSeconds } from "../../../../support/cpu.ts";

/** A page with one widget, and a form with the fields given, from object 4 on. */
function formFile(fields: readonly string[], top = "4 0 R"): Uint8Array {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${top}]>>>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[<</Type/Annot/Subtype/Widget/FT/Tx/T(q)/V(v)/Rect[0 0 90 20]>>]>>",
    ...fields,
  ].map((object, index) => `${index + 1} 0 obj ${object} endobj\n`);
  return new TextEncoder().encode(`%PDF-1.7\n${objects.join("")}trailer <</Root 1 0 R>>\n%%EOF`);
}

const LEAF = "<</T(x)/FT/Tx>>";
const readPages = (bytes: Uint8Array): Promise<number> =>
  withPdf(bytes, ({ pageCount, withPage }) => {
    for (let index = 0; index < pageCount; index += 1) withPage(index, () => undefined);
    return pageCount;
  });

it("withPdf refuses a field tree whose branches double the paths at every level", async () => {
  const levels = Array.from({ length: 31 }, (_, level) => `<</T(f)/Kids[${level + 5} 0 R ${level + 5} 0 R]>>`);
  const before = process.cpuUsage();
  await expect(readPages(formFile([...levels, LEAF]))).rejects.toThrow("again and again");
  // The same with two groups a level, each in the lists of both groups above.
  const crossed = Array.from({ length: 30 }, (_, level) => {
    const below = level + 1 === 30 ? "64 0 R 64 0 R" : `${4 + 2 * (level + 1)} 0 R ${5 + 2 * (level + 1)} 0 R`;
    return [`<</T(a)/Kids[${below}]>>`, `<</T(b)/Kids[${below}]>>`];
  }).flat();
  await expect(readPages(formFile([...crossed, LEAF], "4 0 R 5 0 R"))).rejects.toThrow("again and again");
  expect(cpuSeconds(before)).toBeLessThan(2);
});

it("withPdf reads forms whose fields lead back to themselves, nest deeply, or are many", async () => {
  expect(await readPages(formFile(["<</T(a)/Kids[5 0 R]>>", "<</T(b)/Kids[4 0 R]>>"]))).toBe(1);
  const deep = Array.from({ length: 2_000 }, (_, level) => `<</T(f)/Kids[${level + 5} 0 R]>>`);
  expect(await readPages(formFile([...deep, LEAF]))).toBe(1);
  const kids = Array.from({ length: 5_000 }, (_, index) => `${index + 5} 0 R`).join(" ");
  expect(await readPages(formFile([`<</T(all)/Kids[${kids}]>>`, ...kids.split(" R ").map(() => LEAF)]))).toBe(1);
});

it("withPdf ends at once at a page tree that leads back to itself", async () => {
  const looping = `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R 2 0 R]/Count 5>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
trailer <</Root 1 0 R>>
%%EOF`;
  await expect(readPages(new TextEncoder().encode(looping))).rejects.toThrow("corrupted");
});
