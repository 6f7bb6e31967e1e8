/** Lists in shapes that invoices, receipts and reports print, drawn before any code was written for them. */
import { PDF } from "../../functions/ports/media-types.ts";
import { itemsOf, schemaOf, type TrueRow } from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";
import { carried, grouped, halves, nested, receipt, wrapped } from "./drawn-groups.ts";
import type { Draw } from "./drawn-page.ts";
import {
  beside,
  coded,
  continued,
  headless,
  indented,
  paid,
  ragged,
  spaced,
  sparse,
  transposed,
} from "./drawn-places.ts";
import { openSchema } from "./losing-model.ts";
import { seededRandom } from "./typeset.ts";

const DRAWINGS = {
  grouped,
  wrapped,
  nested,
  halves,
  carried,
  receipt,
  sparse,
  beside,
  ragged,
  continued,
  indented,
  spaced,
  paid,
  headless,
  coded,
  transposed,
} satisfies Record<string, Draw>;

export const DRAWN_SHAPES = Object.keys(DRAWINGS) as (keyof typeof DRAWINGS)[];

/** Draws a list of some rows. */
export async function drawShape(
  name: (typeof DRAWN_SHAPES)[number],
  count: number,
  seed: number,
): Promise<GeneratedDocument> {
  const { set, rows, columns } = DRAWINGS[name](count, seededRandom(seed));
  const members = new Set(columns.map((column) => column.name));
  const truth = rows.map(({ page, row }) => ({
    page,
    row: Object.fromEntries([...members].map((member) => [member, row[member] ?? null])),
  })) as unknown as TrueRow[];
  return {
    name,
    bytes: await set.pdf(),
    mimeType: PDF,
    schema: openSchema(schemaOf({ lines: itemsOf(columns) })),
    truth: { lines: truth },
  };
}
