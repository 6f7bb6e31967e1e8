/** What calls are made of and answers read with. */
import { SheafError } from "./errors.ts";
import type { Answer } from "./http.ts";

/** A GUID as a path segment. @throws TypeError for what would change the path */
export function segment(guid: string): string {
  if (/^\.{0,2}$/.test(guid)) throw new TypeError(`A job's GUID is needed, not ${JSON.stringify(guid)}`);
  return encodeURIComponent(guid);
}

/** The answer's JSON, taken to be what the contract says. @throws SheafError when it is not JSON at all */
export function parsed<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    throw new SheafError(answer.status, "The answer is not JSON; is there a Sheaf service at that address?", {
      requestId: answer.requestId,
      cause,
    });
  }
}
