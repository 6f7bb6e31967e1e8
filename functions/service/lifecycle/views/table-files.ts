/** Results as spreadsheet files: made on the first request, then stored among the run's files. */

import { type TableFormat, writeTables } from "../../../engine/exports/write-tables.ts";
import { writeTablesTask } from "../../../engine/tasks/write-tables.ts";
import { NotFound, UnsupportedMediaType } from "../../../ports/errors.ts";
import { encodeJson } from "../../../ports/json.ts";
import { loadBatchResults } from "../../batches/batch-results.ts";
import type { Organization } from "../../organizations/organization.ts";
import { callLimits } from "../../organizations/request-limits.ts";
import { artifactKey } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { findResult, findServedRun, type StoredAnswer } from "../../runs/run-results.ts";

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

/** Most time for writing a table; the largest ones take about a second. */
const MAX_WRITING_MS = 20_000;

/** One document of a batch: its data, its error, or null while there is neither. */
export interface BatchTableEntry {
  /** From 0, in upload order. */
  index: number;
  fileName: string | null;
  /** UTF-8 JSON. */
  value: Uint8Array;
}

/** A list of TabularDocument as UTF-8 JSON. The values are not parsed: that would take as long as writing them. */
const documentsJson = (documents: readonly { lead: [string, string][]; value: Uint8Array }[]): Uint8Array =>
  Buffer.concat(
    [
      "[",
      ...documents.flatMap(({ lead, value }, at) => [
        `${at === 0 ? "" : ","}{"lead":${JSON.stringify(lead)},"value":`,
        value,
        "}",
      ]),
      "]",
    ].map((part) => (typeof part === "string" ? Buffer.from(part) : part)),
  );

/** A batch's documents: `source` is the document's file name, else its number from 1. */
export async function batchDocuments(entries: AsyncIterable<BatchTableEntry>): Promise<Uint8Array> {
  const documents: { lead: [string, string][]; value: Uint8Array }[] = [];
  for await (const { index, fileName, value } of entries) {
    documents.push({ lead: [["source", fileName ?? `document ${index + 1}`]], value });
  }
  return documentsJson(documents);
}

/** Writes tables: short ones here, long ones in the engine, so that they hold up no other request. */
function write(org: Organization, documents: Uint8Array, format: TableFormat): Promise<Uint8Array> {
  if (documents.length <= org.config.inlineTableBytes) return writeTables(documents, format);
  return org.engines.documents.run(writeTablesTask, { documents, format }, callLimits(org, MAX_WRITING_MS));
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
  const table = await write(org, documentsJson([{ lead: [], value: bytes }]), format);
  await org.blobs.put(key, table, { contentType: blob.contentType });
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
  const bytes = await write(org, await batchDocuments(batchEntries(org, guid, run)), format);
  const key = artifactKey(guid, run, `tables/${TABLE_VERSION}-${format}`);
  await org.blobs.put(key, bytes, { contentType: TABLE_TYPES[format] });
  return { blob: { key, contentType: TABLE_TYPES[format] }, fileName: tableFileName(null, guid, format) };
}

async function* batchEntries(org: Organization, guid: string, wanted?: number): AsyncGenerator<BatchTableEntry> {
  for await (const { index, fileName, error, result } of loadBatchResults(org, guid, wanted)) {
    const bytes = result && (await org.blobs.get(result.key));
    const isData = result?.contentType === "application/json" && bytes !== undefined;
    const text = bytes === undefined ? error : Buffer.from(bytes).toString("utf8");
    yield { index, fileName, value: isData ? bytes : encodeJson(text) };
  }
}
