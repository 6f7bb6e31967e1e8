/** Pictures of pages that the file has none of: drawn from the layout, so that every word stands in its box. */
import sharp from "sharp";
import type { Page } from "../../ports/layout.ts";
import { PDF } from "../../ports/media-types.ts";
import type { OcrFrame } from "../../ports/ocr.ts";
import { drawnPage } from "../imaging/layout-page/drawn-page.ts";
import { pagePdf } from "../imaging/layout-page/page-pdf.ts";
import { hasSystemFonts, systemFontOverlay } from "../imaging/layout-page/system-fonts.ts";
import { pagePicture } from "./page-pictures.ts";

/**
 * Draws a page of a layout as a PNG: black words in their boxes, grey rules around the cells of tables, dashed frames
 * for figures. Latin text is written in the standard fonts of PDF, other scripts in the fonts of this machine; without
 * any, a grey box stands for each such letter. A page with too many pixels is drawn smaller, as `pagePicture` does.
 * @param dpi pixels per inch
 */
export async function layoutPagePicture(page: Page, dpi: number): Promise<{ bytes: Uint8Array; frame: OcrFrame }> {
  const drawn = drawnPage(page);
  const pdf = await pagePdf(drawn, (await hasSystemFonts()) ? "leave" : "letters");
  const { bytes, width, height } = await pagePicture(pdf.bytes, PDF, 0, { dpi: dpi / pdf.share, format: "png" });
  const frame: OcrFrame = { width: page.width, height: page.height };
  if (pdf.unwritten.length === 0) return { bytes, frame };
  const overlay = await systemFontOverlay(
    pdf.unwritten,
    { width, height, pixelsPerInch: width / page.width },
    pdf.monospaced,
  );
  const picture = sharp(bytes).composite([{ input: overlay, unlimited: true }]);
  return { bytes: await picture.png({ compressionLevel: 6 }).toBuffer(), frame };
}
