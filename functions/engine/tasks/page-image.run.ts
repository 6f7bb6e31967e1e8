import { pagePicture } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { pageImageTask } from "./page-image.ts";
import { VIEW_DPI, withMarks } from "./view-picture.ts";

export const run = implementTask(pageImageTask, async ({ bytes, options }) =>
  withMarks(await pagePicture(bytes, options.mimeType, options.pageIndex, { dpi: VIEW_DPI, format: "png" }), options),
);
