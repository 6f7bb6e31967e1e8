/** Lines of a till's list that is cut off above its total: nothing adds them up, but each has the sign of its item. */
import { isRecognised, MAX_ROWS_APART } from "./amount-columns.ts";
import type { PricedLine } from "./priced-lines.ts";
import { ownLines, type RunLine } from "./run-lines.ts";

/** Lines in a row that are a list, and the share of them that has the sign; recognition loses some. */
const MIN_SIGNED_LINES = 5;
const MIN_SIGNED_SHARE = 0.7;

/** An amount with the sign of its tax rate: `1,49 B`, `0,16A*`. */
const TAX_SIGN = /\d[.,]\s?\d{2}\s?[·•-]?\p{Lu}\s?\*?$/u;

const hasTaxSign = ({ line: { row } }: RunLine): boolean =>
  TAX_SIGN.test(row.segments.map(({ text }) => text).join(" "));
const hasCount = ({ line: { leading, counted } }: RunLine): boolean =>
  leading !== null || (counted?.quantity ?? null) !== null;

/** The longest stretch of recognised lines of which nearly all have the sign of a tax rate, or a count. */
export function signedLines(lines: readonly RunLine[]): PricedLine[] {
  const runs: RunLine[][] = [];
  let before: RunLine | undefined;
  for (const one of lines) {
    const isItem = !(one.total || one.charge || one.tax || one.base) && isRecognised(one.line);
    const isNear = before !== undefined && one.line.row.index - before.line.row.index <= MAX_ROWS_APART;
    if (isItem && isNear) runs.at(-1)?.push(one);
    else if (isItem) runs.push([one]);
    before = isItem ? one : undefined;
  }
  const signed = runs.flatMap((run) =>
    [hasTaxSign, hasCount].map((has) => {
      const own = run.slice(run.findIndex(has), run.findLastIndex(has) + 1);
      const isList = own.length >= MIN_SIGNED_LINES && own.filter(has).length >= MIN_SIGNED_SHARE * own.length;
      return isList ? ownLines(own) : [];
    }),
  );
  return signed.reduce((most, own) => (own.length > most.length ? own : most), []);
}
