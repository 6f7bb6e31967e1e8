import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { readChunkAnswer } from "../extraction/chunks/chunk-answer.ts";
import { shareRecords } from "../extraction/chunks/share-records.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { implementTask } from "./define-task.ts";
import { shareRecordsTask } from "./share-records.ts";

export const run = implementTask(shareRecordsTask, ({ result, sources, form, chunks }) => {
  const extracted = {
    data: parseJsonBytes(result),
    sources: parseJsonBytes<SourceLocations>(sources),
    faults: [],
    skipped: new Map<number, number>(),
  };
  const shares = shareRecords(readChunkAnswer(extracted, form), chunks);
  return { answers: shares.map(encodeJson), records: shares.map(({ records }) => records.length) };
});
