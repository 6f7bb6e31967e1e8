/** The confidence that a candidate is a place to write: a weighted sum of signs, as a probability. */
import { type Candidate, isChoice } from "./candidate.ts";
import { CHOICE_WEIGHTS, TEXT_WEIGHTS } from "./confidence-weights.ts";
import type { Label } from "./labels.ts";
import type { Signs } from "./place-signs.ts";

/** A candidate with its label and the signs that speak for and against it. */
export interface JudgedCandidate {
  candidate: Candidate;
  label: Label;
  signs: Signs;
  /** 0 to 1. */
  confidence: number;
}

/** Probability, 0 to 1, from signs and their weights. */
export function probability(signs: Signs, weights: Readonly<Record<string, number>>): number {
  let sum = weights.bias ?? 0;
  for (const [name, value] of Object.entries(signs)) sum += value * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The confidence in a candidate with these signs. */
export const confidenceOf = (own: Candidate, signs: Signs): number =>
  probability(signs, isChoice(own) ? CHOICE_WEIGHTS : TEXT_WEIGHTS);
