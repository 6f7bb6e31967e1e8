import { parseLayout } from "../layout/layout-file.ts";
import { cutPassages } from "../passages/cut-passages.ts";
import { writePassages } from "../passages/passage-files.ts";
import { implementTask } from "./define-task.ts";
import { passagesTask } from "./passages.ts";

export const run = implementTask(passagesTask, ({ layout }) => {
  const passages = cutPassages(parseLayout(layout));
  return { ...writePassages(passages), count: passages.length };
});
