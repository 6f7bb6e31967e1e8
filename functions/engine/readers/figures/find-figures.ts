/** Finds the figures of a document. */
import type { Box, Layout } from "../../../ports/layout.ts";
import { IMAGE_TYPES, OFFICE_TYPES, PDF } from "../../../ports/media-types.ts";
import type { Figure } from "../../structure/figures/figure.ts";
import { figureCaptionBoxes } from "../../structure/figures/figure-captions.ts";
import { imageFigures } from "./image-figures.ts";
import { officeFigures } from "./office-figures.ts";
import { pdfFigures, type SeenPlaces } from "./pdf-figures.ts";

/** Places of a layout's figures and their captions, by page number. */
export const figurePlaces = (layout: Layout): Map<number, SeenPlaces> =>
  new Map(
    layout.pages.map((page) => {
      const figures = page.blocks.flatMap((block) => (block.kind === "figure" ? [block.box] : []));
      return [page.number, { figures, captions: figureCaptionBoxes(page) }];
    }),
  );

const placesOfFigures = (
  seen: ReadonlyMap<number, SeenPlaces>,
  isWanted: (pageNumber: number) => boolean,
): Map<number, readonly Box[]> =>
  new Map([...seen].flatMap(([number, { figures = [] }]) => (isWanted(number) ? [[number, figures]] : [])));

/**
 * Finds pictures and drawings with their images: of a PDF at native pixels or 200 dpi, parts of one picture joined,
 * without scans and backgrounds of whole pages, icons, lines and repeated logos; of office documents as they are in the
 * file. At most 500, 50 MB, 100 megapixels. Text and other documents have none.
 * @param pageRange 1-based, for PDFs; absent: all
 * @param seen by page number: figures found on pages' pictures, which are cut from scans and images, and captions, which
 *   part figures side by side
 * @throws JobFailure: corrupted, password protected
 */
export async function findFigures(
  bytes: Uint8Array,
  mimeType: string,
  { pageRange, seen = new Map() }: { pageRange?: readonly number[]; seen?: ReadonlyMap<number, SeenPlaces> } = {},
): Promise<Figure[]> {
  const wanted = pageRange === undefined ? undefined : new Set(pageRange);
  const isWanted = (pageNumber: number): boolean => wanted === undefined || wanted.has(pageNumber);
  if (mimeType === PDF) return pdfFigures(bytes, wanted, seen);
  if (IMAGE_TYPES.has(mimeType)) return imageFigures(bytes, mimeType, placesOfFigures(seen, isWanted));
  if (!OFFICE_TYPES.has(mimeType)) return [];
  return (await officeFigures(bytes, mimeType)).filter(({ pageNumber }) => isWanted(pageNumber));
}
