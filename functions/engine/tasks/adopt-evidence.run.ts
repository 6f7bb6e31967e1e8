import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { adoptEvidence } from "../analysis/other-documents.ts";
import { parseLayout } from "../layout/layout-file.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { adoptEvidenceTask } from "./adopt-evidence.ts";
import { implementTask } from "./define-task.ts";

export const run = implementTask(adoptEvidenceTask, ({ result, sources, others, request: { schema, ...rest } }) => {
  const request = { ...rest, ...(schema === undefined ? {} : { schema: parseSchema(schema) }) };
  const pages = others.map(({ document, layout }) => ({ document, layout: parseLayout(layout) }));
  const done = adoptEvidence(parseJsonBytes(result), parseJsonBytes<SourceLocations>(sources), pages, request);
  return { result: encodeJson(done.result), sources: encodeJson(done.sources), adopted: done.adopted };
});
