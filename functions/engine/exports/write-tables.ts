/** Results as a file for a spreadsheet. */
import type { Json } from "../../ports/json.ts";
import { csvOf } from "./csv-file.ts";
import { type TabularDocument, tablesOf } from "./result-tables.ts";
import { xlsxOf } from "./xlsx-file.ts";

/** `csv-mark`: CSV with a byte order mark. */
export const TABLE_FORMATS = ["csv", "csv-mark", "xlsx"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** A value other than an object or a list stands in the column `message`; null is a row without values. */
const tabularValue = (value: Json): Json =>
  typeof value === "object" && value !== null ? value : value === null ? {} : { message: value };

/**
 * Writes documents as tables: all as a workbook, only the main one as CSV.
 * @param documents UTF-8 JSON of a list of TabularDocument
 * @throws UnprocessableEntity when the tables are too large or nested too deep
 */
export async function writeTables(documents: Uint8Array, format: TableFormat): Promise<Uint8Array> {
  const parsed = JSON.parse(Buffer.from(documents).toString("utf8")) as TabularDocument[];
  // A single result without a lead may be a scalar, which is a table of one value.
  const shown = parsed.map((one) => (one.lead.length === 0 ? one : { ...one, value: tabularValue(one.value) }));
  const tables = tablesOf(shown);
  if (format === "xlsx") return xlsxOf(tables);
  const [main] = tables;
  return csvOf(main ?? { path: "", columns: [], rows: [] }, { mark: format === "csv-mark" });
}
