/** Work on results and the rows of their pages: what is missing, how to ask for it, what is said of it. */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { summarize } from "../completeness/completeness-report.ts";
import type { MissingRows, MissingRowsTask, ReceiptAnswer, ReceiptTask } from "../completeness/completeness-tasks.ts";
import { fillRows } from "../completeness/fill-rows.ts";
import { TABLES } from "../completeness/general-tables.ts";
import { type AddedRows, type AddRowsTask, addRows } from "../completeness/merge-rows.ts";
import { countRows, reconcile } from "../completeness/reconcile.ts";
import { rowRequests } from "../completeness/row-requests.ts";
import { GENERAL_SCHEMA } from "../extraction/answers/general-schema.ts";
import { modelContent } from "../extraction/prompts/model-content.ts";
import { conventionsOf } from "../extraction/prompts/text-conventions.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { toJson } from "./task.ts";

const parse = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes).toString("utf8")) as T;

function writingOf(layout: Layout): Conventions {
  const { notation, order, currencies } = conventionsOf(modelContent(layout).map(({ text }) => text));
  return { notation, order, language: null, currencies: new Set(currencies), assumed: new Set() };
}

export const receiptTasks = {
  async missingRows({
    layout,
    data,
    schema,
    prompt,
    general,
    declined,
    room,
    known,
  }: MissingRowsTask): Promise<MissingRows> {
    const read = parseLayout(layout);
    const value = parse<Json>(data);
    const where = known ? { known } : { sources: locateValues(read, value, { granularity: "word", schema }).sources };
    const about = { schema, declined, general: general === true, ...(prompt === undefined ? {} : { prompt }) };
    const conventions = writingOf(read);
    const rows = countRows(read, conventions.notation, { data: value, schema, order: conventions.order });
    const { lists, placed } = reconcile(rows, value, where, conventions, about);
    // Rows of a table that is lost as a whole have no list to go into.
    const withList = general === true ? lists.filter(({ path }) => path !== TABLES) : lists;
    const pageTokens = new Map(modelContent(read).map(({ number, text }) => [number, estimateTokens(text)] as const));
    return { lists, placed, requests: rowRequests(schema, withList, pageTokens, room, known === undefined) };
  },

  async addMissingRows(task: AddRowsTask): Promise<AddedRows> {
    return addRows(task);
  },

  async receipt({ layout, result, sources, request }: ReceiptTask): Promise<ReceiptAnswer> {
    const { granularity, prompt, declined = [], fill = false, pages } = request;
    const general = request.schema === undefined && prompt === undefined;
    const schema = general ? GENERAL_SCHEMA : request.schema;
    const whole = parseLayout(layout);
    const read =
      pages === undefined ? whole : { ...whole, pages: whole.pages.filter(({ number }) => pages.includes(number)) };
    const value = parse<Json>(result);
    const places = parse<SourceLocations>(sources);
    const about = {
      declined,
      general,
      ...(schema === undefined ? {} : { schema }),
      ...(prompt === undefined ? {} : { prompt }),
    };
    const conventions = writingOf(read);
    const rows = countRows(read, conventions.notation, { data: value, schema, order: conventions.order });
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
      filled: { result: toJson(data), sources: toJson(moved), facts },
    };
  },
};
