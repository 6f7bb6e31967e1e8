/** The single page that all readers get: cut out of its document, or drawn as a scan. */
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import { CLEAN_DPI, degradeLikeScan } from "../ocr/pages.ts";
import type { TablePage } from "./table-sets.ts";

const POINTS_PER_INCH = 72;

/** A PDF of one page of a document; a document of one page stays as it is. */
async function cutPage(bytes: Uint8Array, page: number): Promise<Uint8Array> {
  const source = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  if (source.getPageCount() === 1) return bytes;
  const single = await PDFDocument.create({ updateMetadata: false });
  const [copied] = await single.copyPages(source, [page - 1]);
  if (copied === undefined) throw new RangeError(`the document has no page ${page}`);
  single.addPage(copied);
  return single.save();
}

/** A PDF with a picture of a page at 200 dpi: turned by 1.2 degrees, blurred, noisy, as JPEG of quality 50. */
async function drawAsScan(bytes: Uint8Array): Promise<Uint8Array> {
  const { width, height, rgba } = await renderPage(bytes, 0, CLEAN_DPI);
  const clean = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
  const scan = await PDFDocument.create({ updateMetadata: false });
  const size = [width, height].map((pixels) => (pixels / CLEAN_DPI) * POINTS_PER_INCH) as [number, number];
  scan
    .addPage(size)
    .drawImage(await scan.embedJpg(await degradeLikeScan(clean)), { x: 0, y: 0, width: size[0], height: size[1] });
  return scan.save();
}

/** The bytes of the page, the same for every reader and in every run. */
export async function pageBytes({ page, kind }: Pick<TablePage, "page" | "kind">, bytes: Uint8Array) {
  if (page === undefined) return bytes;
  const single = await cutPage(bytes, page);
  return kind === "drawn" ? drawAsScan(single) : single;
}
