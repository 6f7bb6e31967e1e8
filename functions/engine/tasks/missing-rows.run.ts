import { type Json, parseJsonBytes } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { TABLES_POINTER } from "../completeness/general-tables.ts";
import { reconcile } from "../completeness/reconcile.ts";
import { rowRequests } from "../completeness/row-requests.ts";
import { modelContent } from "../extraction/prompts/model-content.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { countPageRows } from "./count-page-rows.ts";
import { implementTask } from "./define-task.ts";
import { missingRowsTask } from "./missing-rows.ts";

export const run = implementTask(
  missingRowsTask,
  ({ layout, data, schema, prompt, general, declined, room, known }) => {
    const read = parseLayout(layout);
    const value = parseJsonBytes<Json>(data);
    const where = known ? { known } : { sources: locateValues(read, value, { granularity: "word", schema }).sources };
    const about = { schema, declined, general: general === true, ...(prompt === undefined ? {} : { prompt }) };
    const { rows, conventions } = countPageRows(read, value, schema);
    const { lists, placed } = reconcile(rows, value, where, conventions, about);
    // Rows of a table that is lost as a whole have no list to go into.
    const withList = general === true ? lists.filter(({ path }) => path !== TABLES_POINTER) : lists;
    const pageTokens = new Map(modelContent(read).map(({ number, text }) => [number, estimateTokens(text)] as const));
    return { lists, placed, requests: rowRequests(schema, withList, pageTokens, room, known === undefined) };
  },
);
