/** Work on results and the rows of their pages: what is missing, how to ask for it, what is said of it. */
import { locateValues } from "../../extraction/match/locate.ts";
import { modelContent } from "../../extraction/model/content.ts";
import { conventionsOf } from "../../extraction/model/conventions.ts";
import { GENERAL_SCHEMA } from "../../extraction/model/general.ts";
import type { Conventions } from "../../extraction/reading.ts";
import { fillRows } from "../../extraction/receipt/fill.ts";
import { TABLES } from "../../extraction/receipt/general.ts";
import { type AddedRows, type AddRowsTask, addRows } from "../../extraction/receipt/merge.ts";
import { countRows, reconcile } from "../../extraction/receipt/reconcile.ts";
import { summarize } from "../../extraction/receipt/report.ts";
import { rowRequests } from "../../extraction/receipt/requests.ts";
import type { MissingRows, MissingRowsTask, ReceiptAnswer, ReceiptTask } from "../../extraction/receipt/work.ts";
import type { SourceLocations } from "../../extraction/sources.ts";
import { estimateTokens } from "../../llm/tokens.ts";
import type { Json } from "../../ports.ts";
import type { Layout } from "../layout.ts";
import { parseLayout } from "../layout-file.ts";
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
