import { parseJsonBytes } from "../../ports/json.ts";
import { openFields } from "../analysis/open-fields.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { implementTask } from "./define-task.ts";
import { openFieldsTask } from "./open-fields.ts";

export const run = implementTask(openFieldsTask, ({ result, sources, schema }) =>
  openFields(parseJsonBytes(result), parseJsonBytes<SourceLocations>(sources), parseSchema(schema)),
);
