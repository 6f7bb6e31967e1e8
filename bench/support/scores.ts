/** What a bench measured, scored as `npx sheaf eval` scores it: tables for the terminal. */
import type { Judgement } from "../../client/eval/judge.ts";
import { leaveOneOut, type Score, type Share, scoreOf, scoresBy } from "../../client/eval/score.ts";

/** A value of a document that was read; `judge` of client/eval makes the rest of it. */
export interface Measured extends Judgement {
  document: string;
}

const WIDTH = 14;
const number = (share: number | null): string => (share === null ? "–" : share.toFixed(3));
const interval = ({ share, interval: { low, high } }: Share): string =>
  share === null ? "–" : `${low.toFixed(3)}–${high.toFixed(3)}`;
const line = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(16)} ${cells.map((cell) => cell.padEnd(WIDTH)).join("")}`.trimEnd();

const row = (name: string, { recall, precision, right, returned, stated }: Score): string =>
  line(name, [
    number(recall.share),
    interval(recall),
    number(precision.share),
    interval(precision),
    `${right}/${returned}/${stated}`,
  ]);

/**
 * A table: recall and precision with their 95 % intervals for each field, then by whatever else divides the values, then
 * of all.
 * @param by such as `{language: ({language}) => language}`
 */
export function scoreLines<T extends Measured>(
  title: string,
  measured: readonly T[],
  by: Readonly<Record<string, (one: T) => string>> = {},
): string[] {
  const groups = Object.entries(by).flatMap(([name, of]) =>
    Object.entries(scoresBy(measured, of)).map(([group, score]) => row(`${name} ${group}`.trim(), score)),
  );
  return [
    title,
    line("", ["recall", "95 %", "precision", "95 %", "right/returned/stated"]),
    ...Object.entries(scoresBy(measured, ({ field }) => field)).map(([field, score]) => row(field, score)),
    ...groups,
    row("all", scoreOf(measured)),
  ];
}

/** How much one document moves the figures: the least and the most with any one of them left out. */
export function spreadLine(measured: readonly Measured[]): string {
  const documents = [...Map.groupBy(measured, ({ document }) => document).values()];
  const range = (measure: "recall" | "precision"): string => {
    const spread = leaveOneOut(documents, (score) => score[measure].share);
    return spread === null ? "–" : `${spread.low.toFixed(3)} to ${spread.high.toFixed(3)}`;
  };
  return `any one document left out: recall ${range("recall")}, precision ${range("precision")}`;
}

/** What is not right, a line each: wrong values first, for they do more harm than missing ones. */
export function worstLines(measured: readonly Measured[], most: number): string[] {
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
