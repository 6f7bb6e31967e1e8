/** Work on workbooks that no layout holds: every cell with its type. */
import { excelRows } from "../readers/office/xlsx/workbook-rows.ts";
import { type Answer, toBytes } from "./task.ts";

export interface CellsTask {
  bytes: Uint8Array;
}

export const sheetTasks = {
  async cells({ bytes }: CellsTask): Answer<"cells"> {
    return toBytes(excelRows(bytes));
  },
};
