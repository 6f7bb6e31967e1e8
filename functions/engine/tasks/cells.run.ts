import { excelRows } from "../readers/office/xlsx/workbook-rows.ts";
import { cellsTask } from "./cells.ts";
import { implementTask } from "./define-task.ts";
import { toBytes } from "./write.ts";

export const run = implementTask(cellsTask, ({ bytes }) => toBytes(excelRows(bytes)));
