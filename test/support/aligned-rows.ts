/** Tables of aligned rows without ruling lines, and the tables found in them. */
import { expect } from "vitest";
import { findTables } from "../../functions/engine/structure/tables/find-tables.ts";
import type { Drawing, TableLine } from "../../functions/engine/structure/tables/table-parts.ts";
import { drawn, wordsOf } from "./table-lines.ts";

export const COLUMNS = [50, [300, "right"], [400, "right"], [500, "right"]] as const;
export const HEAD = ["Item", "Qty", "Price", "Amount"];
export const BODY = [
  ["Trennblätter A4", "20", "9.90", "198.00"],
  ["Joghurt Banane", "50", "5.50", "275.00"],
  ["Nails, galvanised", "1,200", "0.05", "60.00"],
];

export const find = (lines: readonly TableLine[], drawing: Partial<Drawing> = {}) => {
  const found = findTables(lines, drawn(drawing));
  // Whatever is found, no word is lost or duplicated.
  const kept = found.tables.flatMap((table) => table.cells.flatMap((cell) => cell.lines));
  expect(wordsOf([...kept, ...found.rest]).sort()).toEqual(wordsOf(lines).sort());
  return found;
};

export const tablesIn = (lines: readonly TableLine[], drawing: Partial<Drawing> = {}) => find(lines, drawing).tables;
