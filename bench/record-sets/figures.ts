/** The figures of a reader over a set, with intervals over its pages. */
import { type Figure, figureOf } from "../first-sight/figures.ts";
import { type Count, type PageScore, shareOf } from "./score-page.ts";

export interface CountFigures {
  stated: number;
  returned: number;
  precision: Figure;
  recall: Figure;
  f1: Figure;
}

export interface ReaderFigures {
  pages: number;
  /** Text, row, column and span. */
  cells: CountFigures;
  /** Without the span. */
  places: CountFigures;
  /** Adjacency relations. */
  relations: CountFigures;
  ruled: CountFigures;
  unruled: CountFigures;
  /** Mean of the pages' F1 of cells: every page has the same weight. */
  pageMean: Figure;
}

const sumOf = (counts: readonly Count[], of: keyof Count): number => counts.reduce((sum, count) => sum + count[of], 0);

function countFigures(counts: readonly Count[]): CountFigures {
  const groups = counts.map((count) => [count]);
  const share = (of: "precision" | "recall" | "f1"): Figure =>
    figureOf(groups, (some) => {
      const [right, stated, returned] = (["right", "stated", "returned"] as const).map((one) => sumOf(some, one));
      return shareOf({ right: right ?? 0, stated: stated ?? 0, returned: returned ?? 0 })[of];
    });
  return {
    stated: sumOf(counts, "stated"),
    returned: sumOf(counts, "returned"),
    precision: share("precision"),
    recall: share("recall"),
    f1: share("f1"),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export function readerFigures(scores: readonly PageScore[]): ReaderFigures {
  const of = (part: "cells" | "places" | "relations" | "ruled" | "unruled"): CountFigures =>
    countFigures(scores.map((score) => score[part]));
  return {
    pages: scores.length,
    cells: of("cells"),
    places: of("places"),
    relations: of("relations"),
    ruled: of("ruled"),
    unruled: of("unruled"),
    pageMean: figureOf(
      scores.map(({ cells }) => [shareOf(cells).f1]),
      mean,
    ),
  };
}
