/** The cells that a chart shows, read from its filled workbook. */
import { openPackage } from "../../readers/office/office-package.ts";
import { parseRange, readSheet, type SheetCell } from "../../readers/office/xlsx/sheet.ts";
import { openWorkbook } from "../../readers/office/xlsx/workbook.ts";

/** Most cells of a chart's workbook that are read. */
const MAX_CELLS = 1_000_000;
/** Most cells of one range: more points than a chart can show. */
const MAX_POINTS = 32_000;
/** Day 0 of a workbook, and milliseconds of a day. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const MS_A_DAY = 86_400_000;

/** One range of one sheet: `Sheet1!$B$2:$B$5`, `'Sales 2026'!$A$1`. */
const REFERENCE = /^(?:'((?:[^']|'')+)'|([^'!(),]+))!(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?)$/i;

type CellValue = Pick<SheetCell, "value" | "type">;

/** A number as a chart keeps it, dates by their day; undefined for what is none. */
export function chartNumber({ value, type }: CellValue): number | undefined {
  if (type === "date") {
    const time = Date.parse(/T/.test(String(value)) ? `${value}Z` : String(value));
    return Number.isNaN(time) ? undefined : (time - DAY_ZERO) / MS_A_DAY;
  }
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  return type === "error" || !Number.isFinite(number) ? undefined : number;
}

export class ChartCells {
  readonly #sheets = new Map<string, Map<string, CellValue>>();

  /** @throws JobFailure (corrupted) */
  constructor(workbook: Uint8Array) {
    const open = openWorkbook(openPackage(workbook));
    const budget = { cells: MAX_CELLS };
    for (const sheet of open.sheets) {
      const cells = new Map<string, CellValue>();
      readSheet(open, sheet, budget, ({ row, column, value, type }) => {
        cells.set(`${row},${column}`, { value, type });
      });
      this.#sheets.set(sheet.name.toLowerCase(), cells);
    }
  }

  /** The cells of a range, column by column; undefined for anything but one range of a sheet. */
  columnsOf(reference: string): (CellValue | undefined)[][] | undefined {
    const [, quoted, plain, range] = REFERENCE.exec(reference.trim()) ?? [];
    const cells = this.#sheets.get((quoted?.replaceAll("''", "'") ?? plain ?? "").toLowerCase());
    const place = parseRange(range?.replaceAll("$", ""));
    if (cells === undefined || place === undefined) return undefined;
    const { top, left, bottom, right } = place;
    if ((bottom - top + 1) * (right - left + 1) > MAX_POINTS) return undefined;
    return Array.from({ length: right - left + 1 }, (_, column) =>
      Array.from({ length: bottom - top + 1 }, (__, row) => cells.get(`${top + row},${left + column}`)),
    );
  }
}
