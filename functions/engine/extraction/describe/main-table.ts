/** The main table of a document, with columns named by its own headers. */

import type { Json } from "../../../ports/json.ts";
import type { Layout } from "../../../ports/layout.ts";
import type { RecordSet } from "../../structure/records/record-set.ts";
import { tableRecords } from "../../structure/records/table-records.ts";
import { viewDocument } from "../../structure/view/document-view.ts";
import { described, freeName, type Notations, type Property, snakeCase, typeOfValues } from "./schema-properties.ts";

/** A table with more columns is a grid of numbers. */
const MAX_COLUMNS = 24;
const MIN_COLUMNS = 2;
const MIN_ROWS = 2;

const isHeaded = ({ headings, records }: RecordSet): boolean =>
  headings.length >= MIN_COLUMNS &&
  headings.length <= MAX_COLUMNS &&
  records.length >= MIN_ROWS &&
  headings.some((text) => text !== "");

function columnsOf({ headings, records }: RecordSet, notations: Notations): Record<string, Property> {
  const taken = new Set<string>();
  return Object.fromEntries(
    headings.map((heading, column) => {
      const name = freeName(snakeCase(heading) || `column_${column + 1}`, taken);
      taken.add(name);
      const values = records.map(({ cells }) => cells.get(column)?.text ?? "");
      return [name, described(typeOfValues(values, notations), heading)];
    }),
  );
}

/** The largest table with headers, as items of a list; undefined without one. */
export function mainTable(layout: Layout, notations: Notations): Json | undefined {
  const cellsOf = ({ headings, records }: RecordSet): number => headings.length * records.length;
  const [largest] = tableRecords(viewDocument(layout))
    .filter(isHeaded)
    .sort((a, b) => cellsOf(b) - cellsOf(a));
  return largest === undefined ? undefined : { type: "object", properties: columnsOf(largest, notations) };
}
