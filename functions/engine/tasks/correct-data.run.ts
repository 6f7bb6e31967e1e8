import type { TaskInput } from "../../ports/engine.ts";
import { encodeJson, type Json, parseJsonBytes } from "../../ports/json.ts";
import { checkData, isBetter } from "../extraction/answers/check-data.ts";
import { applyCorrections, readCorrections } from "../extraction/answers/corrections.ts";
import { mergeAnswers } from "../extraction/answers/merge-answers.ts";
import { toRecordList } from "../extraction/chunks/chunk-answer.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { correctDataTask } from "./correct-data.ts";
import { implementTask } from "./define-task.ts";

/** Applies a second answer to the data; undefined where the answer is unreadable. */
function correctedData({ pointers, text, wrapped, data, list }: TaskInput<typeof correctDataTask>): Json | undefined {
  if (pointers !== undefined) {
    const corrections = readCorrections(text, new Set(pointers));
    return corrections && applyCorrections(parseJsonBytes(data), corrections);
  }
  const batch = { id: "all", kind: "whole" as const, path: [], pages: [], own: [], answer: { wrapped } };
  const merged = mergeAnswers([{ batch, text }]);
  if (merged.unread.length > 0) return undefined;
  return list === undefined ? merged.data : toRecordList(merged.data, list);
}

export const run = implementTask(correctDataTask, (payload) => {
  const data = correctedData(payload);
  if (data === undefined) return undefined;
  const checked = checkData(data, parseSchema(payload.schema), payload.conventions);
  const { before } = payload;
  if (before !== undefined && !isBetter(checked, parseJsonBytes(payload.data), before)) return undefined;
  return { ...checked, data: encodeJson(checked.data) };
});
