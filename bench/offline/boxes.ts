/** Is the text in a found value's box the value? Told by poppler's words, where a page has a text layer. */
import { spawnSync } from "node:child_process";
import { type Box, type Layout, pageWords } from "../../functions/core/documents/layout.ts";
import { parseCurrency } from "../../functions/core/extraction/formats/currency.ts";
import { scanDates } from "../../functions/core/extraction/formats/dates.ts";
import { scanNumbers } from "../../functions/core/extraction/formats/numbers.ts";
import { foldText } from "../../functions/core/extraction/formats/text.ts";
import type { SourceLocations } from "../../functions/core/extraction/sources.ts";
import type { Json } from "../../functions/core/ports.ts";
import type { PlacedText } from "../support/match.ts";
import { parseBoxes, popplerBoxes } from "../support/poppler.ts";

const compact = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Does a text say a value, and nothing else of its kind? */
function says(text: string, value: Json): boolean {
  if (typeof value === "number") {
    return (["point", "comma"] as const).some((notation) => {
      const spans = scanNumbers(text, notation).filter(({ percent }) => !percent);
      return spans.length === 1 && Math.abs(Math.abs(spans[0]?.value ?? Number.NaN) - Math.abs(value)) <= 0.005;
    });
  }
  if (typeof value !== "string") return false;
  if (compact(text) === compact(value) && compact(value) !== "") return true;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value))
    return (["day-first", "month-first"] as const).some((order) => {
      const dates = scanDates(text, order, true);
      return dates.length === 1 && dates[0]?.iso === value;
    });
  const marks = text.match(/\p{Sc}|\p{Lu}{3}|(?:US )?Dollars|Euros?/gu) ?? [];
  return marks.length > 0 && marks.every((mark) => parseCurrency(mark, new Set([value])) === value);
}

const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined;
if (!hasPoppler) console.warn("NOT INDEPENDENT: pdftotext is not installed; boxes are compared with our own words");

/** The words that a box holds: those whose middles lie in it. */
const textIn = (words: readonly PlacedText[], box: Box): string =>
  words
    .filter(({ box: { left, top, right, bottom } }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    })
    .map(({ text }) => text)
    .join(" ");

export interface BoxScore {
  found: number;
  right: number;
  misses: string[];
}

/** Counts found values whose box says them. @param file the PDF, null where the words are recognised */
export function scoreBoxes(
  result: Json,
  { locations }: SourceLocations,
  layout: Layout,
  file: string | null,
): BoxScore {
  const own = layout.pages.map((page) => pageWords(page).map(({ text, box }) => ({ text, box })));
  const pages = file !== null && hasPoppler ? parseBoxes(popplerBoxes(file)) : own;
  const score: BoxScore = { found: 0, right: 0, misses: [] };
  for (const [pointer, { pageAnchors }] of Object.entries(locations)) {
    const value = pointer
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((at, step) => (at as Record<string, Json> | null | undefined)?.[step], result);
    if (value === undefined || value === null) continue;
    score.found += 1;
    const text = pageAnchors.map(({ pageNumber, bbox }) => textIn(pages[pageNumber - 1] ?? [], bbox)).join(" ");
    if (says(text, value)) score.right += 1;
    else score.misses.push(`${pointer} ${JSON.stringify(value)}: ${JSON.stringify(text)}`);
  }
  return score;
}
