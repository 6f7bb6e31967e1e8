/** Rows of a list as bands of pages, in inches from the top of the page as shown; and duplicate rows. */

import type { Json } from "../../ports/json.ts";
import type { Box } from "../../ports/layout.ts";
import { middleY, unionBox } from "../layout/geometry.ts";
import type { SourceLocation, SourceLocations } from "../layout/source-locations.ts";
import type { Issue } from "./issue.ts";

/** Confidence that a row is a duplicate when it equals another and has no place of its own. */
const DUPLICATE_CONFIDENCE = 0.85;

/** Slack around bands. */
const BAND_TOLERANCE_INCHES = 0.02;
/** Rows with fewer values are not compared. */
const MIN_COMPARED_VALUES = 2;

export interface Cell {
  member: string;
  page: number;
  box: Box;
}

export interface Band {
  page: number;
  top: number;
  bottom: number;
}

/** The first place of a value, when it is in inches. */
export const cellsAt = (member: string, { pageAnchors }: SourceLocation): Cell[] =>
  pageAnchors
    .slice(0, 1)
    .flatMap(({ pageNumber, bbox, unit }) => (unit === "inch" ? [{ member, page: pageNumber, box: bbox }] : []));

/** The cells of each row of a list, in one pass over the locations. */
export function rowsOf(sources: SourceLocations, list: string): Map<number, Cell[]> {
  const rows = new Map<number, Cell[]>();
  for (const [pointer, location] of Object.entries(sources.locations)) {
    if (!pointer.startsWith(`${list}/`)) continue;
    const [index = "", ...member] = pointer.slice(list.length + 1).split("/");
    const row = rows.get(Number(index)) ?? [];
    rows.set(Number(index), row);
    row.push(...cellsAt(member.join("/"), location));
  }
  return rows;
}

/** The band of a row's cells on the page of the first one. */
export function bandOf(cells: readonly Cell[]): Band | null {
  const [first] = cells;
  if (first === undefined) return null;
  const own = cells.filter(({ page }) => page === first.page).map(({ box }) => box);
  const { top, bottom } = unionBox(own);
  return { page: first.page, top, bottom };
}

/** A band holds the height `at` of the page. */
export const covers = (bands: readonly Band[], page: number, at: number): boolean =>
  bands.some(
    (band) => band.page === page && at >= band.top - BAND_TOLERANCE_INCHES && at <= band.bottom + BAND_TOLERANCE_INCHES,
  );

/** Rows that equal an earlier one and have no place of their own. */
export function duplicates(pointer: string, rows: readonly Json[], cells: ReadonlyMap<number, Cell[]>): Issue[] {
  const seen = new Map<string, number>();
  return rows.flatMap((row, index): Issue[] => {
    const values = row !== null && typeof row === "object" ? Object.values(row).filter((one) => one !== null) : [];
    const text = JSON.stringify(row);
    const before = seen.get(text);
    if (before === undefined || values.length < MIN_COMPARED_VALUES) {
      seen.set(text, index);
      return [];
    }
    const [own, other] = [index, before].map((at) => bandOf(cells.get(at) ?? []));
    const apart =
      own && other && (own.page !== other.page || Math.abs(middleY(own) - middleY(other)) > BAND_TOLERANCE_INCHES);
    if (apart) return [];
    return [
      {
        pointer: `${pointer}/${index}`,
        kind: "duplicate-row",
        issue: `Row ${index + 1} says the same as row ${before + 1}, and the document prints it once.`,
        confidence: DUPLICATE_CONFIDENCE,
        suggestion: "Leave one of the two rows out.",
        detail:
          own === null ? "Its values stand nowhere of their own." : `Both stand at one place of page ${own?.page}.`,
      },
    ];
  });
}
