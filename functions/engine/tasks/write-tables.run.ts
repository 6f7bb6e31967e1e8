import { writeTables } from "../exports/write-tables.ts";
import { implementTask } from "./define-task.ts";
import { writeTablesTask } from "./write-tables.ts";

export const run = implementTask(writeTablesTask, ({ documents, format }) => writeTables(documents, format));
