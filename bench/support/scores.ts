/** Scores of a bench, computed like those of `npx sheaf eval`: tables for the terminal. */
import type { Judgement } from "../../client/eval/judge.ts";
import { leaveOneOut, type Score, type Share, scoreOf, scoresBy } from "../../client/eval/score.ts";

/** A judged value with its document; client/eval does the rest. */
export interface MeasuredValue extends Judgement {
  document: string;
}

const CELL_WIDTH = 14;
const formatNumber = (share: number | null): string => (share === null ? "–" : share.toFixed(3));
const formatInterval = ({ share, interval: { low, high } }: Share): string =>
  share === null ? "–" : `${low.toFixed(3)}–${high.toFixed(3)}`;
const tableLine = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(16)} ${cells.map((cell) => cell.padEnd(CELL_WIDTH)).join("")}`.trimEnd();

const scoreRow = (name: string, { recall, precision, right, returned, stated }: Score): string =>
  tableLine(name, [
    formatNumber(recall.share),
    formatInterval(recall),
    formatNumber(precision.share),
    formatInterval(precision),
    `${right}/${returned}/${stated}`,
  ]);

/**
 * A table: recall and precision with 95 % intervals for each field, then by the other divisions, then of all.
 * @param by such as `{language: ({language}) => language}`
 */
export function scoreLines<T extends MeasuredValue>(
  title: string,
  measured: readonly T[],
  by: Readonly<Record<string, (one: T) => string>> = {},
): string[] {
  const groups = Object.entries(by).flatMap(([name, of]) =>
    Object.entries(scoresBy(measured, of)).map(([group, score]) => scoreRow(`${name} ${group}`.trim(), score)),
  );
  return [
    title,
    tableLine("", ["recall", "95 %", "precision", "95 %", "right/returned/stated"]),
    ...Object.entries(scoresBy(measured, ({ field }) => field)).map(([field, score]) => scoreRow(field, score)),
    ...groups,
    scoreRow("all", scoreOf(measured)),
  ];
}

/** The influence of a single document: the lowest and highest scores with one left out. */
export function spreadLine(measured: readonly MeasuredValue[]): string {
  const documents = [...Map.groupBy(measured, ({ document }) => document).values()];
  const range = (measure: "recall" | "precision"): string => {
    const spread = leaveOneOut(documents, (score) => score[measure].share);
    return spread === null ? "–" : `${spread.low.toFixed(3)} to ${spread.high.toFixed(3)}`;
  };
  return `any one document left out: recall ${range("recall")}, precision ${range("precision")}`;
}

/** Wrong values, one per line; before missing ones, since they do more harm. */
export function worstLines(measured: readonly MeasuredValue[], most: number): string[] {
  const harm = { wrong: 0, spurious: 1, missing: 2, right: 3, absent: 3 };
  return measured
    .filter(({ verdict }) => harm[verdict] < 3)
    .sort((a, b) => harm[a.verdict] - harm[b.verdict])
    .slice(0, most)
    .map(
      ({ document, field, expected, got }) =>
        `  ${document}  ${field}  ${JSON.stringify(expected)}  ${JSON.stringify(got)}`,
    );
}
