import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { MAX_LISTED_FAULTS } from "../extraction/answers/check-data.ts";
import type { ChunkAnswer } from "../extraction/chunks/chunk-answer.ts";
import { reduceChunks } from "../extraction/chunks/reduce-chunks.ts";
import type { DataFault } from "../schema/data-faults.ts";
import { implementTask } from "./define-task.ts";
import { reduceChunkAnswersTask } from "./reduce-chunk-answers.ts";

function limitFaults(faults: DataFault[]): DataFault[] {
  const unlisted = faults.length - MAX_LISTED_FAULTS;
  return unlisted > 0
    ? [...faults.slice(0, MAX_LISTED_FAULTS), { pointer: "", message: `and ${unlisted} more that are not listed` }]
    : faults;
}

export const run = implementTask(reduceChunkAnswersTask, ({ chunks, header, ...rest }) => {
  const read = chunks.map(({ pages, answer }) => ({ pages, answer: parseJsonBytes<ChunkAnswer>(answer) }));
  const { result, sources, faults, facts } = reduceChunks({
    ...rest,
    chunks: read,
    ...(header === undefined ? {} : { header: parseJsonBytes<ChunkAnswer>(header) }),
  });
  const statements = {
    stated: read.flatMap(({ answer }) => answer.stated ?? []),
    declined: read.flatMap(({ answer }) => answer.declined ?? []),
  };
  return { result: encodeJson(result), sources: encodeJson(sources), faults: limitFaults(faults), facts, statements };
});
