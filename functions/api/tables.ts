/** Results as files for a spreadsheet. */
import * as z from "zod";
import { findTable } from "../service/lifecycle/views/table-files.ts";
import { route } from "./http/route.ts";
import { outOfScope } from "./http/unserved-paths.ts";
import { flagParameter, guidParams, runQuery } from "./schemas/common.ts";

const TAG = "Jobs";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const TABLE_RULES =
  "Scalars are columns by dotted path, a list of objects is rows that repeat the scalars around it; of several lists the longest is the main table. ";

const tableErrors = [400, 404, 415, 422];

export const resultCsv = route({
  method: "GET",
  path: "/job/result/{guid}/csv",
  scope: "read",
  tag: TAG,
  summary: "A job's result as CSV",
  description: `${TABLE_RULES}CSV holds the main table; the workbook holds all. Texts have an apostrophe before each sign at which a program, in any locale, would begin a formula; signed numbers remain as they are. \`bom=true\` begins with a byte order mark.`,
  params: guidParams,
  query: runQuery.extend({ bom: flagParameter().optional() }),
  errors: tableErrors,
  replies: { 200: { description: "The main table, UTF-8", contentTypes: ["text/csv"] } },
  async run({ params, query }, { org }) {
    const found = await findTable(org, params.guid, query.bom === true ? "csv-mark" : "csv", query.run);
    return { kind: "blob", status: 200, ...found };
  },
});

export const resultExcel = route({
  method: "GET",
  path: "/job/result/{guid}/excel",
  scope: "read",
  tag: TAG,
  summary: "A job's result as a workbook",
  description: `${TABLE_RULES}Each table is a sheet, the main one first.`,
  params: guidParams,
  query: runQuery.extend({
    configuration: z.string().optional().meta({ description: "Out of scope: 404 when given; leave it out" }),
  }),
  errors: tableErrors,
  replies: { 200: { description: "The workbook (.xlsx)", contentTypes: [XLSX_TYPE] } },
  async run({ params, query }, { org }) {
    if ((query.configuration ?? "").trim() !== "") throw outOfScope("Workbooks after a configuration's template");
    return { kind: "blob", status: 200, ...(await findTable(org, params.guid, "xlsx", query.run)) };
  },
});

export const tableRoutes = [resultCsv, resultExcel];
