/** SQS's limits, enforced by every driver of WorkQueue; times in seconds. */
import { BadRequest, PayloadTooLarge } from "../ports/errors.ts";
import type { Json } from "../ports/json.ts";

const MAX_BODY_BYTES = 262_144;
const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** A subset of SQS's message group ids. */
const GROUP_NAME = /^[A-Za-z0-9_-]{1,128}$/;

export const MAX_DELAY_SECONDS = 900;
export const MAX_VISIBILITY_SECONDS = 43_200;
export const MAX_RECEIVE_WAIT_SECONDS = 20;
/** Most messages of one receive. */
export const MAX_RECEIVE_MESSAGES = 10;

/** The partition of a queue in Records. @throws BadRequest for an invalid queue name */
export function partitionOf(queue: string): string {
  if (!QUEUE_NAME.test(queue)) {
    throw new BadRequest("A queue's name must be 1 to 80 letters, digits, hyphens or underscores.");
  }
  return `sys/queue/${queue}`;
}

/** @throws BadRequest for an invalid group */
export function checkGroup(group: string | undefined): void {
  if (group !== undefined && !GROUP_NAME.test(group)) {
    throw new BadRequest("A message's group must be 1 to 128 letters, digits, hyphens or underscores.");
  }
}

/** @throws RangeError for a value outside `least` to `most` */
export function checkBounds(what: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw new RangeError(`${what} must be between ${least} and ${most}, not ${value}`);
  }
}

/** The JSON text of a message's body. @throws PayloadTooLarge over 256 KB of UTF-8 */
export function encodeBody(body: Json): string {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) {
    throw new PayloadTooLarge(`The message is larger than the maximum of ${MAX_BODY_BYTES} bytes.`);
  }
  return text;
}

/** Validates the number of deliveries before a message becomes a dead letter. @throws RangeError */
export function checkMaxReceives(maxReceives: number): void {
  if (!Number.isInteger(maxReceives) || maxReceives < 1) {
    throw new RangeError(`maxReceives must be a whole number of at least 1, not ${maxReceives}`);
  }
}
