/** Faults of a template: what is wrong with a tag, and where. */
import { UnprocessableEntity } from "../../../ports/errors.ts";

/** Longest excerpt of a tag in a sentence, in characters: a tag that is never closed may run on. */
const MAX_SHOWN_TAG = 60;

export const shownTag = (tag: string): string => {
  const line = tag.replaceAll(/\s+/g, " ");
  return line.length <= MAX_SHOWN_TAG ? line : `${line.slice(0, MAX_SHOWN_TAG)}…`;
};

/** A fault inside a tag; whoever knows its place makes the sentence with `tagFault`. */
export class TagProblem extends Error {
  static override readonly name = "TagProblem";
}

/**
 * @param tag as written, with its delimiters
 * @param place such as `the body, paragraph 12`
 * @param problem such as `is never closed`
 */
export const tagFault = (tag: string, place: string, problem: string): UnprocessableEntity =>
  new UnprocessableEntity(`The tag ${shownTag(tag)} in ${place} ${problem}`);

/** Does work on a tag, and names tag and place in a fault of it. @throws UnprocessableEntity */
export function atTag<T>(tag: string, place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TagProblem ? tagFault(tag, place, error.message) : error;
  }
}

/** Most faults that one refusal tells in full. */
const MAX_FAULTS = 5;

/** One refusal for all faults of a template; nothing when there is none. @throws UnprocessableEntity */
export function refuseFaults(faults: readonly UnprocessableEntity[]): void {
  if (faults.length === 0) return;
  const told = faults.slice(0, MAX_FAULTS).map(({ message }) => message);
  const more = faults.length > MAX_FAULTS ? [`${faults.length - MAX_FAULTS} more tags have faults`] : [];
  throw new UnprocessableEntity([...told, ...more].join("; "));
}
