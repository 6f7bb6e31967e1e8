import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { summarize } from "../completeness/completeness-report.ts";
import { fillRows } from "../completeness/fill-rows.ts";
import { reconcile } from "../completeness/reconcile.ts";
import { GENERAL_SCHEMA } from "../extraction/answers/general-schema.ts";
import type { RejectedRow } from "../extraction/answers/stated-limits.ts";
import { parseLayout } from "../layout/layout-file.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { rowText } from "../structure/records/candidate-rows.ts";
import type { PageRows } from "../structure/records/row-group-types.ts";
import { countPageRows } from "./count-page-rows.ts";
import { implementTask } from "./define-task.ts";
import { receiptTask } from "./receipt.ts";

/** Indexes of rows that a model saw in parts of the document, by their page and text. */
function ordersOf(rejected: readonly RejectedRow[], { candidates }: PageRows): number[] {
  const known = new Set(rejected.map(({ page, text }) => `${page} ${text}`));
  return candidates.all.flatMap((row) => (known.has(`${row.page} ${rowText(row)}`) ? [row.order] : []));
}

export const run = implementTask(receiptTask, ({ layout, result, sources, request }) => {
  const { granularity, prompt, declined = [], stated = [], fill = false, pages } = request;
  const general = request.schema === undefined && prompt === undefined;
  const asked = general ? GENERAL_SCHEMA : request.schema;
  const schema = asked === undefined ? undefined : parseSchema(asked);
  const whole = parseLayout(layout);
  const counted =
    pages === undefined ? whole : { ...whole, pages: whole.pages.filter(({ number }) => pages.includes(number)) };
  const value = parseJsonBytes(result);
  const places = parseJsonBytes<SourceLocations>(sources);
  const { rows, conventions } = countPageRows(counted, value, schema);
  const about = {
    declined: pages === undefined ? declined.map(({ order }) => order) : ordersOf(declined, rows),
    stated,
    general,
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
  };
  const { lists } = reconcile(rows, value, { sources: places }, conventions, about);
  if (lists.length === 0) return { short: false };
  const filled =
    fill && schema !== undefined
      ? fillRows({ rows, data: value, sources: places, conventions, schema, granularity, lists })
      : undefined;
  if (filled === undefined) return summarize(lists);
  const { data, sources: moved, facts } = filled;
  return {
    ...summarize(reconcile(rows, data, { sources: moved }, conventions, about).lists),
    filled: { result: encodeJson(data), sources: encodeJson(moved), facts },
  };
});
