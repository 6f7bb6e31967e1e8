/** The lines that the bench prints. */
import type { Figure } from "../first-sight/figures.ts";
import type { CountFigures, ReaderFigures } from "./figures.ts";
import { type PageScore, shareOf } from "./score-page.ts";

const NAME_WIDTH = 22;
const FIGURE_WIDTH = 22;

export const sayFigure = ({ share, low, high }: Figure): string =>
  share === null ? "–" : `${share.toFixed(3)} (${low?.toFixed(3)}–${high?.toFixed(3)})`;

const row = (name: string, parts: readonly string[]): string =>
  `  ${name.padEnd(NAME_WIDTH)}${parts.map((part) => part.padEnd(FIGURE_WIDTH)).join("")}`.trimEnd();

const countRow = (name: string, { precision, recall, f1, stated, returned }: CountFigures): string =>
  row(name, [...[precision, recall, f1].map(sayFigure), `${returned} of ${stated}`]);

export type NamedFigures = readonly (readonly [reader: string, figures: ReaderFigures])[];

/** A table of all readers over some pages: cells with their spans, then the looser measures. */
export function figureLines(title: string, named: NamedFigures): string[] {
  const first = named[0]?.[1];
  if (first === undefined || first.pages === 0) return [];
  const parts = [
    ["cells: text, row, column and span", "cells"],
    ["cells of tables with drawn lines between the columns", "ruled"],
    ["cells of tables without", "unruled"],
  ] as const;
  return [
    `\n${title}: ${first.pages} pages, ${first.cells.stated} cells; 95 % by bootstrap over pages`,
    ...parts.flatMap(([name, part]) => [
      `\n${name}`,
      row("", ["precision", "recall", "F1", "returned of stated"]),
      ...named.map(([reader, figures]) => countRow(reader, figures[part])),
    ]),
    "\nF1 of looser measures",
    row("", ["without spans", "adjacent cells", "mean of pages"]),
    ...named.map(([reader, { places, relations, pageMean }]) =>
      row(reader, [places.f1, relations.f1, pageMean].map(sayFigure)),
    ),
  ];
}

/** The figures of a reader in one line, as the register keeps them. */
export const figureText = ({ cells, relations }: ReaderFigures): string =>
  [
    `${cells.stated} cells: precision ${sayFigure(cells.precision)}, recall ${sayFigure(cells.recall)}`,
    `F1 ${sayFigure(cells.f1)}`,
    `of adjacent cells ${sayFigure(relations.f1)}`,
  ].join(", ");

/** F1 of the cells of one page by each reader. */
export const pageLine = (page: string, scores: readonly PageScore[]): string =>
  `  ${page.padEnd(28)}${scores.map(({ cells }) => shareOf(cells).f1.toFixed(3).padStart(8)).join("")}`;
