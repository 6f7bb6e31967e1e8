/** Refuses files that are made of opening brackets: the library that reads forms keeps each of them open. */
import { UnprocessableEntity } from "../../../ports/errors.ts";

/**
 * Brackets in a row that no writer of PDFs makes. Half a million take the library about two seconds, ten times as many
 * longer than any task may run.
 */
const MAX_BRACKETS_IN_A_ROW = 500_000;
const RUNS = ["[", "<"].map((bracket) => Buffer.alloc(MAX_BRACKETS_IN_A_ROW, bracket));

/** @throws UnprocessableEntity: more opening brackets follow each other than any real file has */
export function refuseBracketRuns(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (RUNS.some((run) => buffer.includes(run))) {
    throw new UnprocessableEntity(
      `The PDF is damaged: it has more than ${MAX_BRACKETS_IN_A_ROW} opening brackets in a row; print it to a new PDF and send that`,
    );
  }
}
