import { parseJsonBytes } from "../../ports/json.ts";
import { analyzeResult } from "../analysis/analyze-result.ts";
import { parseLayout } from "../layout/layout-file.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { analyzeErrorsTask } from "./analyze-errors.ts";
import { implementTask } from "./define-task.ts";
export const run = implementTask(analyzeErrorsTask, ({ layout, result, sources, schema, ...rest }) => {
  const asked = schema === undefined ? {} : { schema: parseSchema(schema) };
  const locations = sources === undefined ? {} : { sources: parseJsonBytes<SourceLocations>(sources) };
  return analyzeResult({
    layout: parseLayout(layout),
    result: parseJsonBytes(result),
    ...locations,
    ...asked,
    ...rest,
  });
});
