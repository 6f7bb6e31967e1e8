/** The registry of all operations: one file each, and one line here. */

import { OPERATION_TYPES } from "../../engine/nodes/operation-types.ts";
import { BadRequest } from "../../ports/errors.ts";
import { errorAnalysis } from "./error-analysis.ts";
import { generativeTask } from "./generative-task.ts";
import { imageSelect } from "./image-select.ts";
import { ocrCorrect } from "./ocr-correct.ts";
import type { Operation } from "./operation.ts";
import { pdfAcroForm } from "./pdf-acroform.ts";
import { pdfAcroFormApply } from "./pdf-acroform-apply.ts";

export const OPERATIONS: readonly Operation[] = [
  errorAnalysis,
  generativeTask,
  imageSelect,
  ocrCorrect,
  pdfAcroForm,
  pdfAcroFormApply,
];

const MAX_QUOTE_CHARACTERS = 64;

/** Finds an operation by its type, in any case, `_` read as `-`. @throws BadRequest for an unknown type */
export function findOperationType(type: string): Operation {
  const wanted = type.trim().toLowerCase().replaceAll("_", "-");
  const found = OPERATIONS.find((one) => one.type === wanted);
  if (found !== undefined) return found;
  throw new BadRequest(`Invalid operation type: ${type.slice(0, MAX_QUOTE_CHARACTERS)}`, {
    errors: [{ path: "/type", message: `must be one of ${OPERATION_TYPES.join(", ")}` }],
  });
}
