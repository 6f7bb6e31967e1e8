/**
 * Amounts and dates that a recognised page prints more than once. Recognition makes the same mistake hardly twice: the
 * same figure in other words is a second reading of it.
 */
import { leastConfidence, type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { scanDates } from "../../values/dates.ts";
import { oncePer } from "../../values/lazily.ts";
import { scanNumbers } from "../../values/numbers.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Finding } from "./findings.ts";

/** Segments that are read; a till receipt has a few hundred. */
const MAX_SEGMENTS = 2000;
/** Smaller amounts are printed several times by chance; whole ones are often counts and years. */
const MIN_REPEATED_AMOUNT = 1;
const MIN_REPEATED_WHOLE = 3000;

type Readings = ReadonlyMap<number | string, readonly (readonly Token[])[]>;

function readingsIn(segment: Segment, { conventions }: DocumentContext): [number | string, Token[]][] {
  const { text } = segment;
  const dates = scanDates(text, conventions.order);
  const amounts = scanNumbers(text, conventions.notation).filter(
    ({ decimals, percent, value }) =>
      !percent && value >= (decimals === 2 ? MIN_REPEATED_AMOUNT : MIN_REPEATED_WHOLE) && decimals !== 1,
  );
  return [
    ...dates.map(({ iso, start, end }): [string, Token[]] => [iso, tokensBetween(segment, start, end)]),
    ...amounts.map(({ value, start, end }): [number, Token[]] => [value, tokensBetween(segment, start, end)]),
  ];
}

/** All amounts and dates of a document by their values. */
const readingsOf = oncePer((context: DocumentContext): Readings => {
  const readings = new Map<number | string, Token[][]>();
  for (const segment of context.view.segments.slice(0, MAX_SEGMENTS)) {
    if (!segment.tokens.some((token) => token.recognised)) continue;
    for (const [value, tokens] of readingsIn(segment, context))
      readings.set(value, [...(readings.get(value) ?? []), tokens]);
  }
  return readings;
});

/** A finding with the certainty of all readings of its value together: all of them would have to be wrong. */
export function withRepeatedReadings(finding: Finding, context: DocumentContext): Finding {
  const { value, tokens } = finding;
  if (typeof value === "boolean" || !tokens.some((token) => token.recognised)) return finding;
  const others = (readingsOf(context).get(value) ?? []).filter((reading) =>
    reading.every((token) => !tokens.includes(token)),
  );
  if (others.length === 0) return finding;
  const own = finding.certainty ?? leastConfidence(tokens);
  const doubt = others.reduce((product, reading) => product * (1 - leastConfidence(reading)), 1 - own);
  return { ...finding, certainty: 1 - doubt };
}
