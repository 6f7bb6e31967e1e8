/** A data folder with many jobs, written at once. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { type TalliedJob, tallyPlace } from "../../functions/ports/job-tally.ts";

export const ORGANIZATION = 1;
const DAY_MS = 86_400_000;

/** Mostly COMPLETED, one in a hundred FAILED, one in a thousand CANCELLED. */
const statusOf = (at: number): TalliedJob["status"] =>
  at % 1000 === 500 ? "CANCELLED" : at % 100 === 50 ? "FAILED" : "COMPLETED";

/** A job as a document's run of one page leaves it, about 1 KB. */
function jobOf(at: number, time: number) {
  const digits = Math.floor(time).toString(16).padStart(12, "0");
  const tail = ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0");
  const guid = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${tail}${(at % 65_536).toString(16).padStart(4, "0")}`;
  const createdAt = new Date(time).toISOString();
  const ended = new Date(time + 150).toISOString();
  const status = statusOf(at);
  const run = {
    run: 1,
    status,
    error: status === "FAILED" ? "Processing failed: Text extraction failed" : null,
    mode: "SIMPLE",
    commandKey: `jobs/${guid}/commands/0123456789abcdef0123456789abcdef.json`,
    createdAt,
    startedAt: createdAt,
    completedAt: ended,
    engine: "offline",
    ocr: "DEFAULT",
    wholeDocument: true,
    readAs: "application/pdf",
    sourceLocations: false,
    layoutKey: `jobs/${guid}/1/layout/ocr.json`,
    qualityKey: `jobs/${guid}/1/quality.json`,
    resultKey: `jobs/${guid}/1/result.json`,
    resultType: "application/json",
    confidence: 0.93,
    facts: { provider: "pdf", pageCount: 1, wordCount: 310, characterCount: 1840 },
  };
  return {
    v: 1,
    guid,
    status,
    error: run.error,
    createdAt,
    updatedAt: ended,
    source: {
      key: `jobs/${guid}/source`,
      size: 48_213,
      sha256: "0".repeat(64),
      mimeType: "application/pdf",
      fileName: `invoice-${at}.pdf`,
      pageCount: 1,
    },
    runs: [run],
    lastRun: 1,
    openRun: null,
    tokenCount: 900,
    ocrPages: 0,
    llmTokens: 0,
    statusVersion: 4,
  };
}

/**
 * Writes jobs whose times are spread evenly up to now.
 * @param days over which they are spread @param asBefore as the release before wrote them, without counters
 */
export function writeJobs(dataDir: string, jobs: number, days: number, asBefore: boolean): void {
  const file = join(dataDir, "records.sqlite");
  openRecords(file, { clock: systemClock() }).close();
  using database = new DatabaseSync(file);
  const insert = database.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, 1, NULL, ?)");
  const put = (partition: string, sort: string, value: object) =>
    insert.run(`org/${ORGANIZATION}/${partition}`, sort, JSON.stringify(value));
  const tallies = new Map<string, Record<string, number>>();
  const begin = Date.now() - days * DAY_MS;
  database.exec("BEGIN");
  for (let at = 0; at < jobs; at++) {
    const job = jobOf(at, begin + (at * days * DAY_MS) / jobs);
    const { guid, status, createdAt, updatedAt } = job;
    const month = createdAt.slice(0, 7);
    const entry = { v: 1, guid, status, createdAt, updatedAt };
    put(`job/${guid}`, "job", asBefore ? job : { ...job, tallied: true });
    if (asBefore) {
      put("jobs", month, { v: 1 });
      put(`jobs/${month}`, guid, entry);
      continue;
    }
    put(`job-list/${month}`, `${createdAt}/${guid}`, entry);
    const { key, member } = tallyPlace(entry);
    const name = `${key.partition} ${key.sort}`;
    const counts = tallies.get(name) ?? { v: 1 };
    counts[member] = (counts[member] ?? 0) + 1;
    tallies.set(name, counts);
  }
  for (const [name, counts] of tallies) {
    const [partition = "", sort = ""] = name.split(" ");
    put(partition, sort, counts);
  }
  database.exec("COMMIT");
}
