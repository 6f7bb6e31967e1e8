import { pagePicture } from "../readers/page-pictures.ts";
import { implementTask } from "./define-task.ts";
import { RECOGNITION_DPI, viewOf } from "./page-look.ts";
import { pictureTask } from "./picture.ts";

export const run = implementTask(pictureTask, async ({ bytes, options }) => {
  const { mimeType, pageNumber, level, maxBytes, maxSide = Infinity, strip: index } = options;
  const wanted = { dpi: RECOGNITION_DPI[level], format: "png", gray: true, maxBytes, maxSide } as const;
  const strip = index === undefined ? {} : { strip: { index, limits: { maxSide } } };
  const picture = await pagePicture(bytes, mimeType, pageNumber - 1, { ...wanted, ...strip });
  return { ...(await viewOf(pageNumber, picture, level)), bytes: picture.bytes };
});
