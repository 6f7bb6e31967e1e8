import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { readChunkAnswer, readHeaderAnswer, statementsOf } from "../extraction/chunks/chunk-answer.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { implementTask } from "./define-task.ts";
import { readChunkAnswerTask } from "./read-chunk-answer.ts";
export const run = implementTask(
  readChunkAnswerTask,
  ({ result, sources, faults, form, header, skipped, before, statements = {} }) => {
    const extracted = {
      data: parseJsonBytes(result),
      sources: parseJsonBytes<SourceLocations>(sources),
      faults,
      skipped: new Map(skipped),
      ...(before === undefined ? {} : { before }),
    };
    const answer = header
      ? readHeaderAnswer(extracted)
      : { ...readChunkAnswer(extracted, form), ...statementsOf(statements, form) };
    return { answer: encodeJson(answer), records: answer.records.length };
  },
);
