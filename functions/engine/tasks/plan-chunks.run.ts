import type { Layout } from "../../ports/layout.ts";
import { carriedContexts } from "../extraction/chunks/carried-context.ts";
import { type Chunk, chunksOf } from "../extraction/chunks/layout-chunks.ts";
import { headerSchemaOf, recordFormOf, withoutRest } from "../extraction/chunks/record-form.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { carriedHeadings } from "../structure/records/carried-headings.ts";
import { countPageRows } from "./count-page-rows.ts";
import { implementTask } from "./define-task.ts";
import { planChunksTask } from "./plan-chunks.ts";

function withContexts(whole: Layout, chunks: Chunk[]): Chunk[] {
  const { rows } = countPageRows(whole, null, undefined);
  const contexts = carriedContexts(whole, chunks, carriedHeadings(rows));
  return chunks.map((chunk, at) => {
    const before = contexts[at];
    return before === undefined ? chunk : { ...chunk, before };
  });
}

export const run = implementTask(planChunksTask, ({ layout, settings, schema, openly, carried }) => {
  const whole = parseLayout(layout);
  const { dedupKey, header } = settings;
  const form = recordFormOf({
    openly,
    ...(schema === undefined ? {} : { schema: parseSchema(schema) }),
    ...(dedupKey === undefined ? {} : { dedupKey }),
  });
  const inherits = header !== undefined && header.schema === undefined && header.prompt === undefined;
  const inherited = inherits ? headerSchemaOf(form) : undefined;
  const headerSchema = header?.schema ?? inherited;
  const { header: headerPages, chunks } = chunksOf(whole, settings);
  return {
    v: 1 as const,
    header: headerPages,
    chunks: carried ? withContexts(whole, chunks) : chunks,
    pages: whole.pages.map(({ number, width, height, unit }) => ({ pageNumber: number, width, height, unit })),
    form: inherited !== undefined && form.kind === "list" ? withoutRest(form) : form,
    ...(headerSchema === undefined ? {} : { headerSchema }),
  };
});
