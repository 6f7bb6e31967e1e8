import { parseJsonBytes } from "../../ports/json.ts";
import { drawValueMarks } from "../imaging/value-overlay/draw-overlay.ts";
import { marksOf } from "../imaging/value-overlay/value-marks.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { pagePicture } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { pageImageTask } from "./page-image.ts";

/** Pixels per inch of a page image for viewing. */
const VIEW_DPI = 150;

export const run = implementTask(pageImageTask, async ({ bytes, options }) => {
  const { mimeType, pageIndex, marks } = options;
  const { bytes: picture, frame } = await pagePicture(bytes, mimeType, pageIndex, { dpi: VIEW_DPI, format: "png" });
  if (marks === undefined) return picture;
  const sources = parseJsonBytes<SourceLocations>(marks.sources);
  return drawValueMarks(picture, frame, marksOf(sources, pageIndex + 1, marks.pointers));
});
