import { describe, expect, it } from "vitest";
import { evaluateFormula } from "../../../../../functions/engine/schema/formulas/evaluate-formula.ts";
import { FormulaError, parseFormula } from "../../../../../functions/engine/schema/formulas/formula-syntax.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const DATA: { [name: string]: Json } = {
  net: 100,
  vat: 0.19,
  qty: 3,
  text: "Hello",
  digits: "12.5",
  yes: true,
  missing: null,
  amounts: [1, 2.5, 3],
  holes: [1, null],
};

const value = (expression: string): unknown =>
  evaluateFormula(parseFormula(expression), ([name = ""]) => (Object.hasOwn(DATA, name) ? DATA[name] : undefined));

describe("a formula", () => {
  it.each<[string, unknown]>([
    ["ROUND({net} * (1 + {vat}), 2)", 119],
    ["=1+2*3", 7],
    ["(1 + 2) * 3", 9],
    ["2 ^ 3 ^ 2", 64],
    ["-2 ^ 2", 4],
    ["0 - 2 ^ 2", -4],
    ["7 % 3", 1],
    ["-7 % 3", 2],
    ["19%", 0.19],
    ["{net} * 19%", 19],
    ["10% + 1", 1.1],
    ["7 / 2", 3.5],
    ["0.1 + 0.2", 0.3],
    ["1.1 * 1.1", 1.21],
    ["--3", 3],
    ["+3", 3],
    [".5 + 1e2", 100.5],
    ["1 = 1", true],
    ["1 == 1.0", true],
    ["1 != 2", true],
    ["1 <> 1", false],
    ["2 > 1", true],
    ["2 >= 2", true],
    ["1 < 1", false],
    ["1 <= 1", true],
    ['"a" = "A"', true],
    ['"a" < "b"', true],
    ['"say ""hi"""', 'say "hi"'],
    ['{text} == "hello"', true],
    ["{digits} * 2", 25],
    ["{yes} + 1", 2],
    ["IF({net} > 50, 1, 2)", 1],
    ["IF({net} < 50, 1, 2)", 2],
    ["IF(1 > 2, 1)", false],
    ["SUM({amounts})", 6.5],
    ["SUM(1, 2, {qty})", 6],
    ["MIN({amounts}, 0.5)", 0.5],
    ["MAX({amounts})", 3],
    ["AVERAGE(2, 4)", 3],
    ["AND(TRUE, 1)", true],
    ["OR(FALSE, 0)", false],
    ["NOT(FALSE)", true],
    ["ABS(-4.5)", 4.5],
    ["ROUND(2.5)", 3],
    ["ROUND(-2.5, 0)", -3],
    ["ROUND(1.005, 2)", 1.01],
    ["ROUND(1234.5, -2)", 1200],
    ["round(1.25; 1)", 1.3],
    ["COALESCE({missing}, {absent}, 7)", 7],
  ])("%s is %o", (expression, expected) => expect(value(expression)).toBe(expected));

  it.each([
    "NULL",
    "{absent}",
    "{missing} + 1",
    "{missing} > 1",
    "1 / 0",
    "7 % 0",
    "{text} * 2",
    '"a" < 1',
    "SUM({holes})",
    "SUM(1, {missing})",
    "{amounts} + 1",
    "{amounts}",
    "10 ^ 999",
    "(0 - 8) ^ 0.5",
    "NOT({missing})",
    "ROUND(1, 999)",
    "IF({missing}, 1, 2)",
    'IF("maybe", 1, 2)',
    "AND(TRUE, NULL)",
    "OR(FALSE, NULL)",
    "COALESCE(NULL, 1 / 0)",
  ])("%s is not known", (expression) => expect(value(expression)).toBeNull());

  it("is evaluated in three-valued logic", () => {
    expect(value("AND(FALSE, NULL)")).toBe(false);
    expect(value("OR(TRUE, NULL)")).toBe(true);
    expect(value("{missing} == NULL")).toBe(true);
    expect(value("{net} != NULL")).toBe(true);
    expect(value("COALESCE(1 / 0, 3)")).toBe(3);
    expect(value("IF({missing} == NULL, 0, {missing} * 2)")).toBe(0);
  });

  it.each<[string, RegExp]>([
    ["", /ends too early at character 1/],
    ["1 +", /ends too early/],
    ["(1", /ends too early/],
    ["1 2", /"2" was not expected at character 3/],
    ["{net} & 1", /"&" is not understood at character 7/],
    ["{}", /names no field/],
    ["{a..b}", /names no field/],
    ["EVAL(1)", /no function EVAL; there are ROUND/],
    ["net + 1", /NET is unknown; a field is written \{NET\}/i],
    ["SUM", /needs its parameters/],
    ["ABS(1, 2)", /takes 1 parameters/],
    ["IF(1)", /takes 2 to 3/],
    ["constructor(1)", /no function/],
    ["1, 2", /was not expected/],
    ['"open', /not understood/],
    [`${"(".repeat(200)}1`, /nested too deeply/],
    [`${"-".repeat(200)}1`, /nested too deeply/],
    ["1+".repeat(3000), /at most 4000/],
  ])("%s is refused", (expression, message) => {
    expect(() => parseFormula(expression)).toThrow(FormulaError);
    expect(() => parseFormula(expression)).toThrow(message);
  });

  it("may be long", () => expect(value(Array.from({ length: 1900 }, () => "1").join("+"))).toBe(1900));
});
