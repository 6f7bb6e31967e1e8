/** Textract's refusals: job sentences for unreadable documents, AppErrors for the rest. */
import {
  BadDocumentException,
  DocumentTooLargeException,
  InvalidJobIdException,
  InvalidParameterException,
  LimitExceededException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
  UnsupportedDocumentException,
} from "@aws-sdk/client-textract";
import { AppError, JOB_SENTENCES, JobFailure, NotFound, ServiceUnavailable } from "../../ports/errors.ts";
import type { OcrDocumentLimits } from "../../ports/ocr.ts";
import { isUnavailable, toAppError } from "./service-errors.ts";

/**
 * Textract's quotas. Bytes sent with the request: the reference of `Document` says 5 MB, "Set Quotas in Amazon
 * Textract"
 * 10 MB; a page in 5 MB is as good. The other quotas are from the latter.
 */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** Pixels along a side of a picture. */
export const MAX_PICTURE_SIDE_PIXELS = 10_000;
/** Limits of a document in the bucket. */
export const DOCUMENT_LIMITS: OcrDocumentLimits = { maxPageInches: 40, maxBytes: 500 * 1024 * 1024, maxPages: 3_000 };

const TOO_LARGE_SENTENCE = "Processing failed: Document is too large for text recognition";
/** Seconds; the quotas are per second, and jobs end within minutes. */
const BUSY_RETRY_AFTER_SECONDS = 5;
const FULL_RETRY_AFTER_SECONDS = 30;

const PASSWORD_MESSAGE = /password|encrypt/i;

/** True when the same call may succeed in a moment: too many requests, or too many concurrent documents. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ProvisionedThroughputExceededException ||
  error instanceof ThrottlingException ||
  error instanceof LimitExceededException ||
  isUnavailable(error);

export const tooLarge = (cause?: unknown): JobFailure => new JobFailure(TOO_LARGE_SENTENCE, { cause });
export const unknownRecognition = (cause?: unknown): NotFound =>
  new NotFound("There is no text recognition of that id, or not any more", { cause });

const isAboutDocument = (error: unknown): error is Error =>
  error instanceof BadDocumentException ||
  error instanceof UnsupportedDocumentException ||
  error instanceof DocumentTooLargeException ||
  error instanceof InvalidParameterException;

function documentFailure(error: Error): JobFailure {
  if (PASSWORD_MESSAGE.test(error.message)) return new JobFailure(JOB_SENTENCES.password, { cause: error });
  if (error instanceof DocumentTooLargeException) return tooLarge(error);
  if (error instanceof UnsupportedDocumentException) return new JobFailure(JOB_SENTENCES.unsupported, { cause: error });
  if (error instanceof BadDocumentException) return new JobFailure(JOB_SENTENCES.corrupted, { cause: error });
  // The request's form is fixed, so only the document can be invalid, by its dimensions for one.
  return new JobFailure(JOB_SENTENCES.noText, { cause: error });
}

/** Maps any failure of a Textract call. */
export function recognitionFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAboutDocument(error)) return documentFailure(error);
  if (error instanceof InvalidJobIdException) return unknownRecognition(error);
  const isFull = error instanceof LimitExceededException;
  if (isTransient(error)) {
    const retryAfter = isFull ? FULL_RETRY_AFTER_SECONDS : BUSY_RETRY_AFTER_SECONDS;
    return new ServiceUnavailable("Text recognition is busy; try again later", { cause: error, retryAfter });
  }
  return toAppError(error, "Text recognition");
}

/**
 * The job failure of a whole document's recognition. The codes in StatusMessage are undocumented; they read like the
 * names of the exceptions. Never retryable: the same token would find the same failed recognition again.
 */
export function failedRecognition(statusMessage = ""): JobFailure {
  const code = statusMessage.toUpperCase();
  if (PASSWORD_MESSAGE.test(code)) return new JobFailure(JOB_SENTENCES.password);
  if (/UNSUPPORTED|INVALID_IMAGE_TYPE/.test(code)) return new JobFailure(JOB_SENTENCES.unsupported);
  if (/TOO_?LARGE|SIZE|PAGE_LIMIT/.test(code)) return tooLarge();
  if (/BAD_?DOCUMENT|CORRUPT|MALFORMED/.test(code)) return new JobFailure(JOB_SENTENCES.corrupted);
  return new JobFailure(JOB_SENTENCES.noText);
}
