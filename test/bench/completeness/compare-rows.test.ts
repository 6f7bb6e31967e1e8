import { expect, it } from "vitest";
import { rowsFound } from "../../../bench/completeness/compare-rows.ts";

const row = (no: number, name: string, amount: number | null) => ({ no, name, amount });

it("matched rows are found in any order, with multiplicity, and only when equal to the letter", () => {
  const rows = [row(1, "Oak", 5), row(2, "Ash", null), row(2, "Ash", null), row(3, "Elm", 7)];
  expect([...rowsFound(rows, [row(3, "Elm", 7), row(1, "Oak", 5), row(2, "Ash", null)])].sort()).toEqual([0, 1, 3]);
  expect(rowsFound(rows, [row(1, "oak", 5), row(3, "Elm", 8)]).size).toBe(0);
  expect(rowsFound([{ no: 1 }], [{ no: 1, more: 2 }]).size).toBe(0);
  expect(rowsFound(["a", "b"], ["b", "c"])).toEqual(new Set([1]));
  expect(rowsFound(rows, []).size).toBe(0);
});
