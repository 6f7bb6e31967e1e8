import { pagePicture } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { ocrViewOf, RECOGNITION_DPI } from "./ocr-view.ts";
import { pictureTask } from "./picture.ts";

export const run = implementTask(pictureTask, async ({ bytes, options }) => {
  const { mimeType, pageNumber, level, maxBytes, maxSide = Infinity, strip: index } = options;
  const format = { dpi: RECOGNITION_DPI[level], format: "png", gray: true, maxBytes, maxSide } as const;
  const strip = index === undefined ? {} : { strip: { index, limits: { maxSide } } };
  const picture = await pagePicture(bytes, mimeType, pageNumber - 1, { ...format, ...strip });
  return { ...(await ocrViewOf(pageNumber, picture, level)), bytes: picture.bytes };
});
