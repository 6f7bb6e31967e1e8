/** Documents with one table over some pages, as the reader returns them, and their expected result. */

import { findPageRows, type ReconcileRequest, reconcile } from "../../../../functions/engine/completeness/reconcile.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { writeLayout } from "../../../../functions/engine/layout/layout-file.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type { Block, Layout, TableBlock } from "../../../../functions/ports/layout.ts";
import { setBlock, setLayout, setTable } from "../../../support/typeset.ts";

export type Line = { sku: string; name: string; quantity: number; amount: number };

const NAMES = ["Hinge", "Bracket", "Washer", "Flange", "Bearing", "Spindle", "Gasket"];

/** A different line for every number. */
export const lineOf = (at: number): Line => ({
  sku: `KX-${1000 + at * 7}`,
  name: `${NAMES[at % NAMES.length]} ${String.fromCharCode(65 + (at % 26))}${at}`,
  quantity: 1 + ((at * 5) % 9),
  amount: Math.round((3.5 + at * 1.37) * 100) / 100,
});

export const linesOf = (count: number): Line[] => Array.from({ length: count }, (_, at) => lineOf(at));

export const HEAD = ["SKU", "Name", "Quantity", "Amount"];
export const printed = ({ sku, name, quantity, amount }: Line): string[] => [
  sku,
  name,
  String(quantity),
  amount.toFixed(2),
];

export const SCHEMA: Json = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: {
          sku: { type: "string" },
          name: { type: "string" },
          quantity: { type: "integer" },
          amount: { type: "number" },
        },
        required: ["sku", "amount"],
      },
    },
  },
  required: ["lines"],
};

/** A table of rows of texts, with its header on top; one page for each list of rows. */
export function pagesOf(...pages: string[][][]): Layout {
  return setLayout(
    ...pages.map((rows, at): Block[] => {
      const table: TableBlock = setTable([HEAD, ...rows], 1);
      return [setBlock(`Delivery note, sheet ${"abcdefgh"[at]}`), at > 0 ? { ...table, continued: true } : table];
    }),
  );
}

export const bytesOf = (layout: Layout): Uint8Array => writeLayout(structuredClone(layout));

/** A request whose schema is given as JSON. */
export type ReceiptRequest = Omit<ReconcileRequest, "schema"> & { schema?: Json };

/** The receipts of a result. */
export function receiptsOf(layout: Layout, data: Json, request: ReceiptRequest = { schema: SCHEMA }) {
  const { schema: given, ...rest } = request;
  const schema = given === undefined ? undefined : parseSchema(given);
  const asked = schema === undefined ? {} : { schema };
  const { sources } = locateValues(layout, data, { granularity: "auto", ...asked });
  const rows = findPageRows(layout, "point", { data, schema, order: "day-first" });
  return reconcile(rows, data, { sources }, { notation: "point", order: "day-first" }, { ...rest, ...asked }).lists;
}

/** The texts of the rows missing in the first list. */
export const missingOf = (layout: Layout, data: Json, request?: ReceiptRequest): string[] =>
  receiptsOf(layout, data, request)[0]?.missing.map(({ text }) => text) ?? [];
