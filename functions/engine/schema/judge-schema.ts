/** The judgement of a user's schema before a run starts with it. */
import type { MemberFault } from "../../ports/errors.ts";
import { readCalculatedFields } from "./formulas/calculated-fields.ts";
import { parseUserSchema } from "./user-schema.ts";

/** `fault`: no valid schema, in the rest of a sentence; `formulas`: faults of its formulas, by their path in it. */
export type SchemaJudgement =
  | { valid: true }
  | { valid: false; fault: string }
  | { valid: false; formulas: MemberFault[] };

/** @param given a JSON Schema or a shape, as an object or as a text */
export function judgeSchema(given: unknown): SchemaJudgement {
  const parsed = parseUserSchema(given);
  if ("fault" in parsed) return { valid: false, fault: parsed.fault };
  const calculated = readCalculatedFields(parsed.schema);
  return "faults" in calculated ? { valid: false, formulas: calculated.faults } : { valid: true };
}
