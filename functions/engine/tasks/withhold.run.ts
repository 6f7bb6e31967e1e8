import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { factsOfGiven, withholdUnsure } from "../confidence/withhold-unsure.ts";
import { recalculate } from "../extraction/chunks/recalculate.ts";
import { fillGiven } from "../extraction/rules/given-values.ts";
import { type SourceLocations, withReason } from "../layout/source-locations.ts";
import { fillCalculated } from "../schema/formulas/calculated-fields.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { implementTask } from "./define-task.ts";
import { withholdTask } from "./withhold.ts";

export const run = implementTask(withholdTask, ({ result: given, sources: places, request }) => {
  const { minConfidence, reduced } = request;
  const schema = request.schema === undefined ? undefined : parseSchema(request.schema);
  const located = parseJsonBytes<SourceLocations>(places);
  const { result, sources, withheld } = withholdUnsure(parseJsonBytes(given), located, minConfidence);
  const filled = schema === undefined || request.given === undefined ? [] : fillGiven(result, schema, request.given);
  if (withheld === 0 && filled.length === 0) return { result: given, sources: places };
  if (reduced !== undefined) recalculate(result, reduced);
  const calculated = schema?.calculated;
  if (calculated !== undefined && !("faults" in calculated)) fillCalculated(result, calculated);
  const named = withReason(sources, new Set(filled.map(([pointer]) => pointer)), "derived");
  return {
    result: encodeJson(result),
    sources: encodeJson(named),
    ...(withheld === 0 ? {} : { facts: factsOfGiven(result, named) }),
    ...(filled.length === 0 ? {} : { filled }),
  };
});
