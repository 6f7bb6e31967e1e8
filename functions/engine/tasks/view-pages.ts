import * as z from "zod";
import { UnprocessableEntity } from "../../ports/errors.ts";
import type { PagesToView, ViewedPages } from "../layout/view-part.ts";
import { defineTask } from "./define-task.ts";
import { bytes, shaped } from "./shapes.ts";

/** Views pages of a layout as the API shows them; only bytes cross. */
export const viewPagesTask = defineTask({
  name: "viewPages",
  input: shaped<PagesToView>(z.object({ pages: bytes, index: z.array(z.unknown()), parts: z.array(z.string()) })),
  output: shaped<ViewedPages>(
    z.object({
      pages: bytes,
      content: bytes,
      lists: z.record(z.string(), bytes),
      continued: z.array(z.string()),
      sections: z.array(z.object({ id: z.string(), elements: z.array(z.string()) })),
    }),
  ),
  lost: () => new UnprocessableEntity("The layout could not be written; ask for fewer pages by `pages`"),
});
