import { JobFailure } from "../../ports/errors.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { MAX_LISTED_FAULTS } from "../extraction/answers/check-data.ts";
import { fillCalculated } from "../schema/formulas/calculated-fields.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { validPart } from "../schema/valid-part.ts";
import { compileSchema } from "../schema/validator.ts";
import { concludeDataTask } from "./conclude-data.ts";
import { implementTask } from "./define-task.ts";
export const run = implementTask(concludeDataTask, ({ data, schema, userSchema }) => {
  const part = validPart(parseJsonBytes(data), compileSchema(schema));
  if ("fault" in part) {
    throw new JobFailure(
      `Processing failed: The model's answer does not fit the schema: the result ${part.fault.message}`,
    );
  }
  const calculated = userSchema === undefined ? undefined : parseSchema(userSchema).calculated;
  if (calculated !== undefined && "fields" in calculated) fillCalculated(part.data, calculated);
  return {
    data: encodeJson(part.data),
    faults: part.faults.slice(0, MAX_LISTED_FAULTS),
    faultCount: part.faults.length,
  };
});
