/** Common parts of page images for viewing. */
import { parseJsonBytes } from "../../ports/json.ts";
import { drawValueMarks } from "../imaging/value-overlay/draw-overlay.ts";
import { marksOf } from "../imaging/value-overlay/value-marks.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { PageImageOptions } from "./page-image.ts";

/** Pixels per inch of a page image for viewing. */
export const VIEW_DPI = 150;

/** Draws the wanted values' places, if there are any, on a page's PNG. @param picture its frame in inches */
export async function withMarks(
  { bytes, frame }: { bytes: Uint8Array; frame: { width: number; height: number } },
  { pageIndex, marks }: Pick<PageImageOptions, "pageIndex" | "marks">,
): Promise<Uint8Array> {
  if (marks === undefined) return bytes;
  const sources = parseJsonBytes<SourceLocations>(marks.sources);
  return drawValueMarks(bytes, frame, marksOf(sources, pageIndex + 1, marks.pointers));
}
