import type { Json } from "../../ports/json.ts";
import { readAnswer, readHeader } from "../extraction/chunks/chunk-answer.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { implementTask } from "./define-task.ts";
import { readChunkAnswerTask } from "./read-chunk-answer.ts";
import { fromJson, toJson } from "./write.ts";

export const run = implementTask(readChunkAnswerTask, ({ result, sources, faults, form, header, skipped }) => {
  const read = {
    data: fromJson<Json>(result),
    sources: fromJson<SourceLocations>(sources),
    faults,
    skipped: new Map(skipped),
  };
  const answer = header ? readHeader(read) : readAnswer(read, form);
  return { answer: toJson(answer), records: answer.records.length };
});
