/** Helpers of the calls: path segments, JSON bodies and answers. */
import { SheafError } from "./errors.ts";
import type { Answer } from "./http.ts";
import type { Json } from "./json.ts";
import type { JobResult } from "./types.ts";

/** A GUID or a name as a path segment. @throws TypeError for a name that would change the path */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new TypeError(`A GUID or a name is needed, not ${JSON.stringify(name)}`);
  return encodeURIComponent(name);
}

/** The answer's JSON, typed by the contract without a check. @throws SheafError when it is not JSON */
export function parseAnswer<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    throw new SheafError(answer.status, "The answer is not JSON; is there a Sheaf service at that address?", {
      requestId: answer.requestId,
      cause,
    });
  }
}

/** The JSON body of a request. */
export const jsonBody = (value: object): { content: string; type: string } => ({
  content: JSON.stringify(value),
  type: "application/json",
});

/** A job's result, parsed when it is JSON. */
export function resultOf(answer: Answer): JobResult {
  const { contentType, text } = answer;
  if (!/^application\/json\b/i.test(contentType)) return { kind: "text", contentType, text };
  return { kind: "json", contentType, text, json: parseAnswer<Json>(answer) };
}
