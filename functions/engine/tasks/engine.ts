/**
 * The work on documents as tasks: the pooled processes of one machine serve them all, a Lambda function carries those
 * that it needs. Layouts and results are parsed and written here and nowhere outside.
 */
import { operationTasks } from "../analysis/operation-tasks.ts";
import { nodeTasks } from "../nodes/compute-node.ts";
import { extrasTasks } from "./extras.ts";
import { modelTasks } from "./model.ts";
import { pictureTasks } from "./pictures.ts";
import { readingTasks } from "./reading.ts";
import { receiptTasks } from "./receipt.ts";
import { sheetTasks } from "./sheets.ts";
import { textTasks } from "./text.ts";

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
