/** Taxes and deductions among lines of amounts, told by arithmetic: amounts that are printed rates of others beside them. */
import { type Notation, scanNumbers } from "../../values/numbers.ts";
import type { Row } from "../view/tokens.ts";
import { CENT } from "./same-amounts.ts";

/** Rates of taxes, service charges and most deductions, in percent. */
const MAX_RATE = 40;
/** A rate with its sign in front: `%08`. */
const RATE_BEHIND_SIGN = /%\s?0?(\d{1,2})(?![\d.,])/g;
/** A smaller tax is a rate of many amounts, by chance. */
const MIN_TAX = 0.05;
/** Rows between the rate and its tax, and lines between the tax and what it is on. */
const MAX_ROWS_TO_RATE = 2;
const MAX_LINES_TO_BASE = 3;

/** Rates in percent that a text prints and a tax may have. */
export function ratesIn(text: string, notation: Notation): number[] {
  if (!text.includes("%")) return [];
  const behind = Array.from(text.matchAll(RATE_BEHIND_SIGN), ([, digits]) => Number(digits));
  const before = scanNumbers(text, notation).flatMap(({ percent, value }) => (percent ? [value] : []));
  return [...behind, ...before].filter((rate) => rate > 0 && rate <= MAX_RATE);
}

/** The tax is the rate of an amount without it, or of one with it. */
const isTaxOf = (tax: number, base: number, rate: number): boolean =>
  Math.abs((base * rate) / 100 - tax) <= CENT || Math.abs((base * rate) / (100 + rate) - tax) <= CENT;

/** Deductions with the same words that are no items. */
const MIN_SAYINGS = 2;

interface AmountLine {
  line: { row: Row };
  label: string;
  value: number;
}

const ratesOf = ({ segments }: Row, notation: Notation): number[] =>
  segments.flatMap(({ text }) => ratesIn(text, notation));

/**
 * The lines that take a printed rate off the line above, `Rabatt 30 %` of it, and those below zero that say the same
 * again and again, as no item does.
 */
export function deductionsAmong<Line extends AmountLine>(lines: readonly Line[], notation: Notation): Set<Line> {
  const sayings = Map.groupBy(lines, ({ label }) => label.replaceAll(" ", ""));
  const isSaying = (own: readonly Line[], words: string): boolean =>
    /\p{L}{2}/u.test(words) && own.length >= MIN_SAYINGS && own.every(({ value }) => value < 0);
  const said = new Set([...sayings].flatMap(([words, own]) => (isSaying(own, words) ? own : [])));
  const isOff = ({ line, value }: Line, above: Line | undefined): boolean =>
    value < 0 &&
    above !== undefined &&
    ratesOf(line.row, notation).some((rate) => Math.abs((above.value * rate) / 100 + value) <= CENT);
  return new Set(lines.filter((line, at) => said.has(line) || isOff(line, lines[at - 1])));
}

/** The lines that state taxes, and the lines above those that state the amounts which they are on. */
export function taxesAmong<Line extends AmountLine>(
  lines: readonly Line[],
  rows: readonly Row[],
  notation: Notation,
): { taxes: Set<Line>; bases: Set<Line> } {
  const [taxes, bases] = [new Set<Line>(), new Set<Line>()];
  for (const [at, line] of lines.entries()) {
    const { index } = line.line.row;
    if (line.value < MIN_TAX) continue;
    const near = rows.slice(Math.max(0, index - MAX_ROWS_TO_RATE), index + 1);
    const rates = near.flatMap((row) => ratesOf(row, notation));
    if (rates.length === 0) continue;
    const isOn = ({ value }: Line): boolean =>
      value > line.value && rates.some((rate) => isTaxOf(line.value, value, rate));
    const above = lines.slice(Math.max(0, at - MAX_LINES_TO_BASE), at).filter(isOn);
    if (above.length > 0 || lines.slice(at + 1, at + 1 + MAX_LINES_TO_BASE).some(isOn)) taxes.add(line);
    for (const base of above) bases.add(base);
  }
  return { taxes, bases };
}
