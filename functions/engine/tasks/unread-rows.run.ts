import { parseJsonBytes } from "../../ports/json.ts";
import { reconcile } from "../completeness/reconcile.ts";
import { answerAsResult, type ChunkAnswer } from "../extraction/chunks/chunk-answer.ts";
import { wholeSchemaOf } from "../extraction/chunks/record-form.ts";
import { parseLayout } from "../layout/layout-file.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { countPageRows } from "./count-page-rows.ts";
import { implementTask } from "./define-task.ts";
import { unreadRowsTask } from "./unread-rows.ts";

export const run = implementTask(unreadRowsTask, ({ layout, before, own, form, pages, prompt }) => {
  const whole = wholeSchemaOf(form);
  if (whole === undefined) return { rows: 0 };
  const schema = parseSchema(whole);
  const known = before === undefined ? undefined : parseJsonBytes<ChunkAnswer>(before);
  const { data, locations } = answerAsResult(known?.records ?? []);
  const answers = [known, own === undefined ? undefined : parseJsonBytes<ChunkAnswer>(own)];
  const stated = answers.flatMap((answer) => answer?.stated ?? []);
  const rejected = new Set(
    answers.flatMap((answer) => answer?.declined ?? []).map(({ page, text }) => `${page} ${text}`),
  );
  const { rows, conventions } = countPageRows(parseLayout(layout), data, schema);
  const sources: SourceLocations = { version: 1, granularity: "word", pages: [], locations, unresolved: [] };
  const request = { schema, stated, ...(prompt === undefined ? {} : { prompt }) };
  const { lists } = reconcile(rows, data, { sources }, conventions, request);
  const unread = lists.flatMap(({ missing }) => missing);
  return { rows: unread.filter(({ page, text }) => pages.includes(page) && !rejected.has(`${page} ${text}`)).length };
});
