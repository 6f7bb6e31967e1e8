/**
 * The work on documents as tasks: the pooled processes of one machine serve them all, a Lambda function carries those
 * that it needs. Layouts and results are parsed and written here and nowhere outside.
 */
import { operationTasks } from "../operations/work.ts";
import { nodeTasks } from "../pipelines/work.ts";
import { extrasTasks } from "./tasks/extras.ts";
import { modelTasks } from "./tasks/model.ts";
import { pictureTasks } from "./tasks/pictures.ts";
import { readingTasks } from "./tasks/reading.ts";
import { receiptTasks } from "./tasks/receipt.ts";
import { sheetTasks } from "./tasks/sheets.ts";
import { textTasks } from "./tasks/text.ts";

/** DocumentEngine's methods without its limits and its containment; the same errors. */
export const documentTasks = {
  ...readingTasks,
  ...pictureTasks,
  ...extrasTasks,
  ...sheetTasks,
  ...textTasks,
  ...modelTasks,
  ...receiptTasks,
  ...operationTasks,
  ...nodeTasks,
};
export type DocumentTasks = typeof documentTasks;
