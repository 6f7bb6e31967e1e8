import { excelRows } from "../readers/office/xlsx/workbook-rows.ts";
import { cellsTask } from "./cells.ts";
import { implementTask } from "./define-task.ts";
import { encodeText } from "./encode-answer.ts";

export const run = implementTask(cellsTask, ({ bytes }) => encodeText(excelRows(bytes)));
