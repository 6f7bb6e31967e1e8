import { addRows } from "../completeness/merge-rows.ts";
import { addRowsTask } from "./add-rows.ts";
import { implementTask } from "./define-task.ts";

export const run = implementTask(addRowsTask, addRows);
