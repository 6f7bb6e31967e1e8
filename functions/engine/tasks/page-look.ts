/** A page's picture with what is seen on it beside its text. */
import type { OcrLevel, OcrView } from "../../ports/ocr.ts";
import { packInk } from "../imaging/figure-regions/ink-cells.ts";
import { grayOf, measureInkCells } from "../imaging/figure-regions/measure-ink.ts";
import { pictureBarcodes, pictureRaster } from "../readers/barcodes/picture-barcodes.ts";
import type { PagePicture } from "../readers/page-pictures.ts";

/** Pixels per inch that a page is recognised at. */
export const RECOGNITION_DPI: Record<OcrLevel, number> = { LOW: 150, DEFAULT: 200, PREMIUM: 300 };

/** What a picture shows beside its text; a look takes a tenth of the time that recognition does. */
export async function viewOf(pageNumber: number, picture: PagePicture, level: OcrLevel): Promise<OcrView> {
  const { frame, strip } = picture;
  // LOW is text only, as fast as may be.
  const raster = level === "LOW" ? undefined : await pictureRaster(picture);
  const barcodes = raster === undefined ? [] : await pictureBarcodes(raster, frame);
  const ink = raster === undefined ? undefined : measureInkCells(grayOf(raster), raster.width / frame.width);
  return {
    pageNumber,
    frame,
    ...(strip === undefined ? {} : { strip }),
    ...(barcodes.length === 0 ? {} : { barcodes }),
    ...(ink === undefined ? {} : { ink: packInk(ink) }),
  };
}
