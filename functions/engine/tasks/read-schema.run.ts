import { JobFailure } from "../../ports/errors.ts";
import { isObject } from "../../ports/json.ts";
import { findJson } from "../schema/json-text.ts";
import { parseUserSchema } from "../schema/user-schema.ts";
import { compileSchema } from "../schema/validator.ts";
import { implementTask } from "./define-task.ts";
import { readSchemaTask } from "./read-schema.ts";

export const run = implementTask(readSchemaTask, ({ text }) => {
  const found = findJson(text);
  const parsed = isObject(found) ? parseUserSchema(found) : { fault: "it is not one JSON object" };
  if ("fault" in parsed) return parsed;
  try {
    compileSchema(parsed.schema);
    return parsed;
  } catch (error) {
    if (error instanceof JobFailure) return { fault: error.message.replace(/^Processing failed: /, "") };
    throw error;
  }
});
