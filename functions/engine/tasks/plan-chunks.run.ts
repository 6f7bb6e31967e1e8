import { chunksOf } from "../extraction/chunks/layout-chunks.ts";
import { headerSchemaOf, recordFormOf, withoutRest } from "../extraction/chunks/record-form.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { planChunksTask } from "./plan-chunks.ts";

export const run = implementTask(planChunksTask, ({ layout, settings, schema, openly }) => {
  const whole = parseLayout(layout);
  const { dedupKey, header } = settings;
  const form = recordFormOf({
    openly,
    ...(schema === undefined ? {} : { schema }),
    ...(dedupKey === undefined ? {} : { dedupKey }),
  });
  const inherits = header !== undefined && header.schema === undefined && header.prompt === undefined;
  const inherited = inherits ? headerSchemaOf(form) : undefined;
  const headerSchema = header?.schema ?? inherited;
  return {
    v: 1 as const,
    ...chunksOf(whole, settings),
    pages: whole.pages.map(({ number, width, height, unit }) => ({ pageNumber: number, width, height, unit })),
    form: inherited !== undefined && form.kind === "list" ? withoutRest(form) : form,
    ...(headerSchema === undefined ? {} : { headerSchema }),
  };
});
