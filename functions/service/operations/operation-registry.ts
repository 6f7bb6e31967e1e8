/** Every operation that there is: a file each, and a line here. */
import { BadRequest } from "../../ports/errors.ts";
import { errorAnalysis } from "./error-analysis.ts";
import { generativeTask } from "./generative-task.ts";
import { imageSelect } from "./image-select.ts";
import { ocrCorrect } from "./ocr-correct.ts";
import type { Operation } from "./operation.ts";
import { OPERATION_TYPES } from "./operation-types.ts";

export const OPERATIONS: readonly Operation[] = [errorAnalysis, generativeTask, imageSelect, ocrCorrect];

const LONGEST_QUOTE = 64;

/** An operation by its type, `_` read as `-` and in any case. @throws BadRequest for one that there is none of */
export function operationOf(type: string): Operation {
  const wanted = type.trim().toLowerCase().replaceAll("_", "-");
  const found = OPERATIONS.find((one) => one.type === wanted);
  if (found !== undefined) return found;
  throw new BadRequest(`Invalid operation type: ${type.slice(0, LONGEST_QUOTE)}`, {
    errors: [{ path: "/type", message: `must be one of ${OPERATION_TYPES.join(", ")}` }],
  });
}
