import { writeLayout } from "../layout/layout-file.ts";
import { correctPages } from "../ocr/correction/correct-document.ts";
import { projectLayout } from "../ocr/correction/project-layout.ts";
import { correctLayoutTask } from "./correct-layout.ts";
import { implementTask } from "./define-task.ts";
import { parseText } from "./recognised-text.ts";

export const run = implementTask(correctLayoutTask, ({ proposals, ...text }) => {
  const layout = parseText(text);
  const corrected = correctPages(layout, { proposals, sourceMap: "preserve" });
  const { content, pages } = corrected;
  return { content, pages, layout: writeLayout(projectLayout(layout, corrected)) };
});
