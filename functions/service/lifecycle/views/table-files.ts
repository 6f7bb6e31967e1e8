/** Results as spreadsheet files: made on the first request, then stored among the run's files. */

import { csvOf } from "../../../engine/exports/csv-file.ts";
import { type TabularDocument, tablesOf } from "../../../engine/exports/result-tables.ts";
import { xlsxOf } from "../../../engine/exports/xlsx-file.ts";
import { NotFound, UnsupportedMediaType } from "../../../ports/errors.ts";
import { type Json, parseJsonBytes } from "../../../ports/json.ts";
import { loadBatchResults } from "../../batches/batch-results.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { findResult, findServedRun, type StoredAnswer } from "../../runs/run-results.ts";

/** `csv-mark`: CSV with a byte order mark. */
export type TableFormat = "csv" | "csv-mark" | "xlsx";

/**
 * Version of the files: incremented when the same result is written differently; files of other versions are not
 * served.
 */
const TABLE_VERSION = 2;

const TABLE_TYPES: Record<TableFormat, string> = {
  csv: "text/csv; charset=utf-8",
  "csv-mark": "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** One document of a batch: its data, its error, or null while there is neither. */
export interface BatchTableEntry {
  /** From 0, in upload order. */
  index: number;
  fileName: string | null;
  value: Json;
}

/** Writes tables: all as a workbook, only the main one as CSV. @throws UnprocessableEntity when they are too large */
async function writeTables(documents: Iterable<TabularDocument>, format: TableFormat): Promise<Uint8Array> {
  const tables = tablesOf(documents);
  if (format === "xlsx") return xlsxOf(tables);
  const [main] = tables;
  return csvOf(main ?? { path: "", columns: [], rows: [] }, { mark: format === "csv-mark" });
}

/**
 * Writes a batch as one table of all rows: `source` is the document's file name, else its number from 1; text that is
 * not data is in the column `message`.
 */
export async function batchTable(entries: AsyncIterable<BatchTableEntry>, format: TableFormat): Promise<Uint8Array> {
  const documents: TabularDocument[] = [];
  for await (const { index, fileName, value } of entries) {
    const source = fileName ?? `document ${index + 1}`;
    const data =
      typeof value === "object" && value !== null ? value : { ...(value === null ? {} : { message: value }) };
    documents.push({ lead: [["source", source]], value: data });
  }
  return writeTables(documents, format);
}

/** File name of a job's table. */
export function tableFileName(fileName: string | null, guid: string, format: TableFormat): string {
  const stem = fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, "").trim() || guid;
  return `${stem}.${format === "xlsx" ? "xlsx" : "csv"}`;
}

/**
 * Finds or makes the table of a result.
 * @throws NotFound for an unknown job or a missing result; UnsupportedMediaType for a text; UnprocessableEntity for
 * data that no spreadsheet takes
 */
export async function findTable(
  org: Organization,
  guid: string,
  format: TableFormat,
  wanted?: number,
): Promise<{ blob: StoredAnswer; fileName: string }> {
  const { documents, source } = (await loadJob(org, guid)).value;
  if (documents !== undefined) return findBatchTable(org, guid, format, wanted);
  const result = await findResult(org, guid, wanted);
  if (result.contentType !== "application/json") {
    throw new UnsupportedMediaType("The result of this job is a text, which has no rows; read it from GET /job/result");
  }
  const { run } = await findServedRun(org, guid, wanted);
  const key = artifactKey(guid, run, `tables/${TABLE_VERSION}-${format}`);
  const blob = { key, contentType: TABLE_TYPES[format] };
  const answer = { blob, fileName: tableFileName(source.fileName, guid, format) };
  if ((await org.blobs.head(key)) !== undefined) return answer;
  const bytes = await org.blobs.get(result.key);
  if (bytes === undefined) throw new NotFound("The result's file is gone");
  const value = parseJsonBytes(bytes);
  await org.blobs.put(key, await writeTables([{ lead: [], value }], format), { contentType: blob.contentType });
  return answer;
}

/** Makes a batch's table anew each time, with the results so far. */
async function findBatchTable(
  org: Organization,
  guid: string,
  format: TableFormat,
  wanted?: number,
): Promise<{ blob: StoredAnswer; fileName: string }> {
  const { run } = await findServedRun(org, guid, wanted);
  const bytes = await batchTable(batchEntries(org, guid, run), format);
  const key = artifactKey(guid, run, `tables/${TABLE_VERSION}-${format}`);
  await org.blobs.put(key, bytes, { contentType: TABLE_TYPES[format] });
  return { blob: { key, contentType: TABLE_TYPES[format] }, fileName: tableFileName(null, guid, format) };
}

async function* batchEntries(org: Organization, guid: string, wanted?: number): AsyncGenerator<BatchTableEntry> {
  for await (const { index, fileName, error, result } of loadBatchResults(org, guid, wanted)) {
    const bytes = result && (await org.blobs.get(result.key));
    const text = bytes && Buffer.from(bytes).toString("utf8");
    const isData = result?.contentType === "application/json" && text !== undefined;
    yield { index, fileName, value: isData ? (JSON.parse(text) as Json) : (text ?? error) };
  }
}
