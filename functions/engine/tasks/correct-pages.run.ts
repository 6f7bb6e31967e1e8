import { correctPages } from "../ocr/correction/correct-document.ts";
import { correctPagesTask } from "./correct-pages.ts";
import { implementTask } from "./define-task.ts";
import { parseText } from "./recognised-text.ts";

export const run = implementTask(correctPagesTask, ({ proposals, sourceMap, ...text }) =>
  correctPages(parseText(text), { proposals, sourceMap }),
);
