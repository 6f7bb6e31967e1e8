/** Rows of a list as bands of pages, in inches from the top of the page as shown; and rows that a result has twice. */

import type { Json } from "../../ports/json.ts";
import type { Box } from "../../ports/layout.ts";
import { middleY, unionBox } from "../layout/geometry.ts";
import type { SourceLocation, SourceLocations } from "../layout/source-locations.ts";
import type { Issue } from "./issue.ts";

/** How sure a row is one too many that says the same as another and stands nowhere of its own. */
const DUPLICATE = 0.85;

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

export const anchored = (member: string, { pageAnchors }: SourceLocation): Cell[] =>
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
    row.push(...anchored(member.join("/"), location));
  }
  return rows;
}

export function bandOf(cells: readonly Cell[]): Band | null {
  const [first] = cells;
  if (first === undefined) return null;
  const own = cells.filter(({ page }) => page === first.page).map(({ box }) => box);
  const { top, bottom } = unionBox(own);
  return { page: first.page, top, bottom };
}

export const covers = (bands: readonly Band[], page: number, at: number): boolean =>
  bands.some((band) => band.page === page && at >= band.top - 0.02 && at <= band.bottom + 0.02);

/** Rows that say the same as one before, and do not stand at a place of their own. */
export function duplicates(pointer: string, rows: readonly Json[], cells: ReadonlyMap<number, Cell[]>): Issue[] {
  const seen = new Map<string, number>();
  return rows.flatMap((row, index): Issue[] => {
    const says = row !== null && typeof row === "object" ? Object.values(row).filter((one) => one !== null) : [];
    const text = JSON.stringify(row);
    const before = seen.get(text);
    if (before === undefined || says.length < 2) {
      seen.set(text, index);
      return [];
    }
    const [own, other] = [index, before].map((at) => bandOf(cells.get(at) ?? []));
    const apart = own && other && (own.page !== other.page || Math.abs(middleY(own) - middleY(other)) > 0.02);
    if (apart) return [];
    return [
      {
        pointer: `${pointer}/${index}`,
        kind: "duplicate-row",
        issue: `Row ${index + 1} says the same as row ${before + 1}, and the document prints it once.`,
        confidence: DUPLICATE,
        suggestion: "Leave one of the two rows out.",
        detail:
          own === null ? "Its values stand nowhere of their own." : `Both stand at one place of page ${own?.page}.`,
      },
    ];
  });
}
