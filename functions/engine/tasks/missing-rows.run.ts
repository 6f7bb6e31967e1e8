import { parseJsonBytes } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { TABLES_POINTER } from "../completeness/general-tables.ts";
import { reconcile } from "../completeness/reconcile.ts";
import { rowRequests } from "../completeness/row-requests.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { countPageRows } from "./count-page-rows.ts";
import { implementTask } from "./define-task.ts";
import { missingRowsTask } from "./missing-rows.ts";
export const run = implementTask(
  missingRowsTask,
  ({ layout, data, prompt, general, declined, room, known, stated = [], ...task }) => {
    const schema = parseSchema(task.schema);
    const parsed = parseLayout(layout);
    const value = parseJsonBytes(data);
    const places = known
      ? { known }
      : { sources: locateValues(parsed, value, { granularity: "word", schema }).sources };
    const context = {
      schema,
      declined,
      stated,
      general: general === true,
      ...(prompt === undefined ? {} : { prompt }),
    };
    const { rows, conventions, pages } = countPageRows(parsed, value, schema);
    const { lists, placed } = reconcile(rows, value, places, conventions, context);
    // Rows of a table that the data lacks as a whole have no list to go into.
    const fillable = general === true ? lists.filter(({ path }) => path !== TABLES_POINTER) : lists;
    const pageTokens = new Map(pages.map(({ number, text }) => [number, estimateTokens(text)] as const));
    return { lists, placed, requests: rowRequests(schema, fillable, pageTokens, room) };
  },
);
