/** What pdfium's refusals of a file mean. */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";

/** FPDF_GetLastError, fpdfview.h: a password is needed, or pdfium cannot undo the encryption. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

export const corrupted = (cause?: unknown): JobFailure =>
  new JobFailure(JOB_SENTENCES.corrupted, cause === undefined ? {} : { cause });

export const isPasswordFault = (reason: number): boolean => reason === ERROR_PASSWORD;

/** The failure for a document that does not load. @param reason from FPDF_GetLastError */
export function documentFault(reason: number): JobFailure {
  if (isPasswordFault(reason)) return new JobFailure(JOB_SENTENCES.password);
  if (reason === ERROR_SECURITY) return new JobFailure(JOB_SENTENCES.encrypted);
  return corrupted();
}

/** True for WebAssembly errors: the code trapped or ran out of stack. The engine is then unusable. */
export const isTrap = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "RuntimeError" || (error instanceof RangeError && error.message.includes("call stack")));
