/** Fills workbooks made by code. */
import { fillExcel } from "../../functions/engine/templates/excel/excel-template.ts";
import type { FillRequest } from "../../functions/engine/templates/template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { type SheetInput, type WorkbookInput, workbookOf } from "./excel-workbook.ts";

export const fillRequest = (fields: JsonObject, more: Partial<FillRequest> = {}): FillRequest => ({
  fields,
  images: new Map(),
  flatten: false,
  missingIsError: false,
  ignoreUnknown: false,
  ...more,
});

/** A workbook of one sheet, "Offer". */
export const oneSheet = (cells: SheetInput["cells"], more: Partial<SheetInput> = {}): WorkbookInput => ({
  sheets: [{ name: "Offer", cells, ...more }],
});

export const fillWorkbook = async (
  input: WorkbookInput,
  fields: JsonObject,
  more: Partial<FillRequest> = {},
): Promise<Uint8Array> => (await fillExcel(workbookOf(input), fillRequest(fields, more))).bytes;

/** A list of items with one member, `n` from 1. */
export const numbered = (count: number): { n: number }[] => Array.from({ length: count }, (_, at) => ({ n: at + 1 }));
