/** Step Functions' quotas: every driver of the Workflows port refuses or truncates what exceeds them. */
import { BadRequest, PayloadTooLarge } from "../ports/errors.ts";
import type { Json } from "../ports/json.ts";
import { jsonBytes, MAX_PAYLOAD_BYTES } from "./workflows-json.ts";

/** Step Functions' quota for a definition, in bytes of UTF-8. */
const MAX_DEFINITION_BYTES = 1_048_576;
const EXECUTION_NAME = /^[A-Za-z0-9_-]{1,80}$/;
/** Step Functions' limit for a cause, in bytes of UTF-8. */
export const MAX_CAUSE_BYTES = 32_768;
const MAX_ERROR_NAME_CHARACTERS = 256;

/** @throws BadRequest for a definition whose text is over the quota */
export function checkDefinitionSize(text: string): void {
  if (Buffer.byteLength(text) > MAX_DEFINITION_BYTES) {
    throw new BadRequest(`The machine's definition is larger than ${MAX_DEFINITION_BYTES} bytes.`);
  }
}

/** @throws BadRequest for an invalid execution name */
export function checkName(name: string): void {
  if (!EXECUTION_NAME.test(name)) {
    throw new BadRequest("An execution's name must be 1 to 80 letters, digits, hyphens or underscores.");
  }
}

/** @throws BadRequest for an invalid execution name; PayloadTooLarge for an input over the quota */
export function checkStart(name: string, input: Json): void {
  checkName(name);
  if (jsonBytes(input) > MAX_PAYLOAD_BYTES) {
    throw new PayloadTooLarge(`The execution's input is larger than the maximum of ${MAX_PAYLOAD_BYTES} bytes.`);
  }
}

/** Truncates text to a number of bytes of UTF-8, at a character boundary. */
export function cutBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.toString("utf8", 0, end);
}

/** Truncates the cause of a failure to the service's limit. */
export const cutCause = (cause: string): string => cutBytes(cause, MAX_CAUSE_BYTES);
/** Truncates the name of an error to the service's limit. */
export const cutName = (name: string): string => name.slice(0, MAX_ERROR_NAME_CHARACTERS);
