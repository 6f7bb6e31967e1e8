/** Extraction without a model as the service gives it: judged, and without the values below the threshold. */

import { judgeResult } from "../../functions/engine/confidence/judge-result.ts";
import { MIN_OFFLINE_CONFIDENCE, withholdUnsure } from "../../functions/engine/confidence/withhold-unsure.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import type { SourceLocations } from "../../functions/engine/layout/source-locations.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";

interface Extracted {
  result: Json;
  sources: SourceLocations;
}

export interface SureExtraction {
  /** Values from the threshold on. */
  given: Extracted;
  /** All values that the rules read. */
  read: Extracted;
}

export function extractSure(layout: Layout, schema: Json): SureExtraction {
  const parsed = parseSchema(schema);
  const { result, sources } = extractOffline(layout, { schema: parsed, granularity: "word" });
  const judged = judgeResult({ layout, result, schema: parsed, sources, readBy: "rules" }).sources;
  const given = withholdUnsure(structuredClone(result), judged, MIN_OFFLINE_CONFIDENCE);
  return { given, read: { result, sources: judged } };
}
