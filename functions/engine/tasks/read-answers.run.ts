import { encodeJson, type Json } from "../../ports/json.ts";
import { checkData } from "../extraction/answers/check-data.ts";
import { findDoubts } from "../extraction/answers/doubts.ts";
import { mergeAnswers } from "../extraction/answers/merge-answers.ts";
import { toRecordList } from "../extraction/chunks/chunk-answer.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { implementTask } from "./define-task.ts";
import { readAnswersTask } from "./read-answers.ts";

export const run = implementTask(readAnswersTask, ({ conventions, parts, printed, list, ...task }) => {
  const normalize = (value: Json): Json => (list === undefined ? value : toRecordList(value, list));
  const { data, unread, limits } = mergeAnswers(parts, normalize);
  const merged = normalize(data);
  if (unread.length > 0)
    return { data: encodeJson(null), faults: [], faultCount: 0, values: "[]", unread, doubts: [], limits };
  const schema = parseSchema(task.schema);
  const checked = checkData(merged, schema, conventions);
  const texts = printed?.texts.map((text) => ({ text })) ?? [];
  const doubts = printed === undefined ? [] : findDoubts(checked.data, schema, texts, conventions, printed.maxDoubts);
  return { ...checked, data: encodeJson(checked.data), unread, doubts, limits };
});
