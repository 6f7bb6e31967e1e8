/** Records of a map-reduce run's chunks: the outcome of each chunk, and a running count of all. */
import { queryAll, type RecordKey, type RecordOperation, type RecordValue } from "../../ports/records.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";
import { artifactKey, type MapReduceStatus, type StepOutcome, stepKey } from "./job-records.ts";
import type { Progress } from "./progress-notes.ts";

/** Index of the header among the chunks: before the first. */
export const HEADER_CHUNK = -1;

/** Recorded output of a chunk's step. */
export interface ChunkFacts {
  answerKey: string;
  /** Records found. */
  records: number;
  /** Consecutive chunks without a record and without unread rows, up to this one; 0 where it has some. */
  emptyInRow: number;
  /** The last chunk with records, up to this one; absent where there is none, and where it is not needed. */
  lastFilled?: number;
  engine: string;
  uses?: LlmUse[];
  traceKey?: string;
}

/** Counts of ended chunks. */
interface ChunkTally extends RecordValue {
  v: 1;
  total: number;
  stopWhenEmpty: boolean;
  /** Ended, failed ones included. */
  done: number;
  failed: number;
  /** 1 when the header was captured. */
  header: number;
  /** Index after the chunk that the run stopped at; 0: it did not stop early. */
  stop: number;
  /** Empty chunks in a row that it stopped at. */
  empty: number;
}

const chunkLabel = (index: number): string => (index === HEADER_CHUNK ? "header" : String(index).padStart(5, "0"));

const runRecordKey = (guid: string, run: number, name: string): RecordKey => {
  const { partition, sort } = stepKey(guid, run, "");
  return { partition, sort: sort.replace(/step\/$/, name) };
};

export const chunkKey = (guid: string, run: number, index: number): RecordKey =>
  runRecordKey(guid, run, `chunk/${chunkLabel(index)}`);
const tallyKey = (guid: string, run: number): RecordKey => runRecordKey(guid, run, "chunks");

/** The file of a chunk: `chunks/00007.json`. */
export const chunkFile = (guid: string, run: number, index: number, ending = "json"): string =>
  artifactKey(guid, run, chunkFileName(index, ending));
export const chunkFileName = (index: number, ending: string): string => `chunks/${chunkLabel(index)}.${ending}`;

/** The operation that starts the counts. */
export function startTally(guid: string, run: number, total: number, stopWhenEmpty: boolean): RecordOperation {
  const value: ChunkTally = { v: 1, total, stopWhenEmpty, done: 0, failed: 0, header: 0, stop: 0, empty: 0 };
  return { kind: "put", key: tallyKey(guid, run), value };
}

/** The operations that count a chunk, written with its outcome. */
export function countChunk(
  guid: string,
  run: number,
  index: number,
  { failed = false, stopAfter = 0 }: { failed?: boolean; stopAfter?: number } = {},
): RecordOperation[] {
  if (index === HEADER_CHUNK) {
    return failed ? [] : [{ kind: "add", key: tallyKey(guid, run), amounts: { header: 1 } }];
  }
  const amounts = {
    done: 1,
    ...(failed ? { failed: 1 } : {}),
    ...(stopAfter > 0 ? { stop: index + 1, empty: stopAfter } : {}),
  };
  return [{ kind: "add", key: tallyKey(guid, run), amounts }];
}

/** Loads the counts. @returns undefined for a run without chunks, and before its chunks are planned */
export async function loadTally(org: Organization, guid: string, run: number): Promise<ChunkTally | undefined> {
  return (await org.records.get<ChunkTally>(tallyKey(guid, run)))?.value;
}

const PAGE_SIZE = 1000;

/** Loads the outcomes of the ended chunks, by index. */
export async function loadChunkOutcomes(
  org: Organization,
  guid: string,
  run: number,
): Promise<Map<number, StepOutcome>> {
  const { partition, sort } = runRecordKey(guid, run, "chunk/");
  const outcomes = new Map<number, StepOutcome>();
  const query = { partition, prefix: sort, limit: PAGE_SIZE };
  for await (const { key, value } of queryAll<StepOutcome>(org.records, query)) {
    const name = key.sort.slice(sort.length);
    outcomes.set(name === "header" ? HEADER_CHUNK : Number(name), value);
  }
  return outcomes;
}

/** The chunks' status, as the API shows it. */
export function chunkStatus(tally: ChunkTally | undefined): MapReduceStatus {
  const { total = 0, stopWhenEmpty = false, done = 0, failed = 0, header = 0, stop = 0, empty = 0 } = tally ?? {};
  return {
    totalChunks: total,
    completedChunks: done - failed,
    headerCaptured: header > 0,
    stopWhenEmpty,
    earlyTerminated: stop > 0 && stop < total,
    terminationChunkIndex: stop > 0 && stop < total ? stop - 1 : null,
    terminationReason:
      stop > 0 && stop < total ? (empty === 1 ? "an empty chunk" : `${empty} empty chunks in a row`) : null,
  };
}

export const chunkProgress = ({ total, done, failed }: ChunkTally): Progress => ({
  phase: "extracting",
  unit: "chunk",
  done,
  total,
  failed,
});
