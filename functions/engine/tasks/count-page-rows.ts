/** Counts the rows of a layout for a result. */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import { findPageRows } from "../completeness/reconcile.ts";
import { modelContent } from "../extraction/prompts/model-content.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { conventionsOf } from "../values/text-conventions.ts";

/** Counts the rows on the pages; gives them with the document's value conventions and the pages that tell these. */
export function countPageRows(layout: Layout, data: Json, schema: ParsedSchema | undefined) {
  const pages = modelContent(layout);
  const { notation, order, currencies } = conventionsOf(pages.map(({ text }) => text));
  const conventions: Conventions = {
    notation,
    order,
    language: null,
    currencies: new Set(currencies),
    assumed: new Set(),
  };
  return { rows: findPageRows(layout, notation, { data, schema, order }), conventions, pages };
}
