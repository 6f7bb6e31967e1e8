/**
 * Recognised amounts that lost their decimal mark (`8091`), or whose currency sign was read as a digit (`17.238`). A
 * repair is a guess: it counts only where the column is of amounts with cents and a sum proves it.
 */
import type { Candidate } from "../value-candidates.ts";

/** Digits without a mark, with at most a sign behind them. */
const WITHOUT_MARK = /^\p{Sc}?(\d{1,6})(\d{2})[^\d.,]?$/u;
/** Cents with a sign behind them that recognition takes for a digit. */
const WITH_SIGN_AS_DIGIT = /^(\d{1,6})[.,](\d{2})8$/;
/** Share of the score that a repaired amount keeps: below the threshold of any label without a proof. */
const REPAIRED_FACTOR = 0.6;

/** The amount with its mark again. @returns null for a candidate that has cents, or was not recognised */
export function repaired(candidate: Candidate): Candidate | null {
  const [token, another] = candidate.tokens;
  if (token === undefined || another !== undefined || !token.recognised) return null;
  const match = WITHOUT_MARK.exec(token.text) ?? WITH_SIGN_AS_DIGIT.exec(token.text);
  if (match === null) return null;
  return {
    ...candidate,
    value: Number(`${match[1]}.${match[2]}`),
    score: candidate.score * REPAIRED_FACTOR,
    repaired: true,
  };
}
