import { describe, expect, it } from "vitest";
import { parseFormula, referenceText } from "../../../../../functions/engine/templates/excel/formula-tokens.ts";

const referencesOf = (formula: string): string[] =>
  parseFormula(formula).flatMap((part) => (typeof part === "string" ? [] : [referenceText(part)]));

const joined = (formula: string): string =>
  parseFormula(formula)
    .map((part) => (typeof part === "string" ? part : referenceText(part)))
    .join("");

describe("parseFormula", () => {
  it.each([
    ["A1+$B$2*C$3", ["A1", "$B$2", "C$3"]],
    ["SUM(A1:B2,'It''s'!C3,Sheet_2!D4:$E$5)", ["A1:B2", "'It''s'!C3", "Sheet_2!D4:$E$5"]],
    ["SUM(5:$7)+SUM(A:C)", ["5:$7"]],
    ['"A1"&A2&"say ""B3"""', ["A2"]],
    ["LOG10(A1)+TAX2024+ABCD1+XFE1+A1048577", ["A1", "TAX2024"]],
    ["Table1[[#This Row],[A1]]*T[B2]+A3", ["A3"]],
    ["[1]Sheet1!A1+'[Book 2.xlsx]S'!B2+A3", ["A3"]],
    ["#REF!A1+Sheet1!#REF!+A3", ["A3"]],
    ["A1.b+_A1+name.A1+A3", ["A3"]],
    ["1E5+2.5E-3+A1#", ["A1"]],
    ["Jan:Dec!B5", ["Jan:Dec!B5"]],
    ["A1:INDEX(B:B,3)", ["A1"]],
    ["Größe!A1+ÄB1", ["Größe!A1"]],
  ])("finds the references of %s", (formula, references) => {
    expect(referencesOf(formula)).toEqual(references);
    expect(joined(formula)).toBe(formula);
  });

  it("tells arguments that are lists of cells from those that are numbers", () => {
    const kinds = (formula: string): unknown[] =>
      parseFormula(formula).flatMap((part) => (typeof part === "string" ? [] : [[part.takesRange, part.takesNumber]]));
    expect(kinds("SUM(A1)")).toEqual([[true, true]]);
    expect(kinds("SUMIF(A1,B1,C1)+COUNTIF(A1,B1)")).toEqual([
      [true, false],
      [false, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect(kinds("SUM(A1*2)")).toEqual([[false, true]]);
    expect(kinds("OFFSET(A1,1,1)")).toEqual([[false, false]]);
    expect(kinds("_xlfn.STDEV.S(A1)")).toEqual([[true, false]]);
  });
});
