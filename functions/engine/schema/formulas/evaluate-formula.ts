import type { Json } from "../../../ports/json.ts";
import type { BinaryOperator, Formula, FunctionName } from "./formula-syntax.ts";

type Value = number | string | boolean | null;
/** A reference through a list gives the values of all its items. */
type Operand = Value | Value[];

/** Ends the evaluation of one formula; its value is then null. */
class NoValue extends Error {}

export type Lookup = (path: readonly string[]) => Json | undefined;

/** Significant digits of a spreadsheet's numbers: 0.1 + 0.2 is 0.3 (IEEE 754 has 15 to 17). */
const SIGNIFICANT_DIGITS = 15;
const MAX_DECIMAL_PLACES = 300;
const MAX_NESTED_LISTS = 8;

/** Rounds to the digits of a spreadsheet's numbers. */
function toSpreadsheetNumber(value: number): number {
  if (!Number.isFinite(value)) throw new NoValue();
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  // Not -0.
  return rounded === 0 ? 0 : rounded;
}

function toNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return Number(value);
  throw new NoValue();
}

function toTruth(value: Value): boolean | null {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (/^\s*true\s*$/i.test(value)) return true;
  if (/^\s*false\s*$/i.test(value)) return false;
  throw new NoValue();
}

const isScalar = (value: unknown): value is Value =>
  value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean";

function toOperand(found: Json | undefined): Operand {
  if (found === undefined) return null;
  if (isScalar(found)) return found;
  if (!Array.isArray(found)) throw new NoValue();
  const values = found.flat(MAX_NESTED_LISTS);
  if (values.every(isScalar)) return values;
  throw new NoValue();
}

function single(operand: Operand): Value {
  if (!Array.isArray(operand)) return operand;
  throw new NoValue();
}

/** Rounds half away from zero, by the printed digits: 1.005 to two places is 1.01. */
function roundTo(value: number, places: number): number {
  const digits = Math.trunc(places);
  if (Math.abs(digits) > MAX_DECIMAL_PLACES) throw new NoValue();
  const [mantissa = "0", exponent = "0"] = Math.abs(toSpreadsheetNumber(value)).toExponential().split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [whole = "0", power = "0"] = shifted.toExponential().split("e");
  return Math.sign(value) * Number(`${whole}e${Number(power) - digits}`);
}

function divide(a: number, b: number): number {
  if (b === 0) throw new NoValue();
  return a / b;
}

/** The remainder has the divisor's sign, as a spreadsheet's MOD; 0 when the quotient is whole to 15 digits: 0.3 % 0.1 is 0. */
function remainder(a: number, b: number): number {
  const quotient = toSpreadsheetNumber(divide(a, b));
  return Number.isInteger(quotient) ? 0 : a - b * Math.floor(quotient);
}

/** 0^0 has no value, as in a spreadsheet. */
function power(a: number, b: number): number {
  if (a === 0 && b === 0) throw new NoValue();
  return a ** b;
}

const ARITHMETIC: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": divide,
  "%": remainder,
  "^": power,
};

function isEqual(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  if (typeof a === "number" && typeof b === "number") return toSpreadsheetNumber(a) === toSpreadsheetNumber(b);
  return a === b;
}

/** Negative, 0 or positive, as a sort order. */
function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()];
    return x < y ? -1 : Number(x > y);
  }
  if (typeof a === "string" || typeof b === "string") throw new NoValue();
  // The order of spreadsheets: numbers, FALSE, TRUE.
  if (typeof a !== typeof b) return typeof a === "boolean" ? 1 : -1;
  return toSpreadsheetNumber(toNumber(a) - toNumber(b));
}

function combine(operator: BinaryOperator, a: Value, b: Value): Value {
  if (operator === "=") return isEqual(a, b);
  if (operator === "<>") return !isEqual(a, b);
  if (a === null || b === null) return null;
  const calculate = ARITHMETIC[operator];
  if (calculate !== undefined) return toSpreadsheetNumber(calculate(toNumber(a), toNumber(b)));
  const sign = compareValues(a, b);
  if (operator === ">") return sign > 0;
  if (operator === ">=") return sign >= 0;
  return operator === "<" ? sign < 0 : sign <= 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const STATISTICS: Partial<Record<FunctionName, (numbers: number[]) => number>> = {
  SUM: sum,
  MIN: (numbers) => numbers.reduce((least, one) => Math.min(least, one), numbers.length === 0 ? 0 : Infinity),
  MAX: (numbers) => numbers.reduce((most, one) => Math.max(most, one), numbers.length === 0 ? 0 : -Infinity),
  AVERAGE: (numbers) => divide(sum(numbers), numbers.length),
};

/** Three-valued logic: one `decisive` value decides, even when others are unknown. */
function combineTruths(values: readonly Value[], decisive: boolean): boolean | null {
  const truths = values.map(toTruth);
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

function call(name: FunctionName, parameters: readonly Formula[], lookup: Lookup): Operand {
  const value = (at: number): Value => {
    const formula = parameters[at];
    return formula === undefined ? null : single(evaluate(formula, lookup));
  };
  if (name === "COALESCE") {
    for (const formula of parameters) {
      const found = evaluateOrNull(formula, lookup);
      if (found !== null) return found;
    }
    return null;
  }
  if (name === "IF") {
    const truth = toTruth(value(0));
    if (truth === null) return null;
    return truth ? value(1) : parameters.length > 2 ? value(2) : false;
  }
  const all = parameters.flatMap((formula) => evaluate(formula, lookup));
  if (name === "AND" || name === "OR") return combineTruths(all, name === "OR");
  if (all.includes(null)) return null;
  if (name === "NOT") return !toTruth(value(0));
  if (name === "ABS") return Math.abs(toNumber(value(0)));
  if (name === "ROUND")
    return toSpreadsheetNumber(roundTo(toNumber(value(0)), parameters.length > 1 ? toNumber(value(1)) : 0));
  const numbers = all.map((one) => toNumber(one));
  return toSpreadsheetNumber(STATISTICS[name]?.(numbers) ?? Number.NaN);
}

function evaluate(formula: Formula, lookup: Lookup): Operand {
  switch (formula.kind) {
    case "value":
      return formula.value;
    case "reference":
      return toOperand(lookup(formula.path));
    case "negate":
    case "percent": {
      const value = single(evaluate(formula.operand, lookup));
      if (value === null) return null;
      return toSpreadsheetNumber(formula.kind === "negate" ? -toNumber(value) : toNumber(value) / 100);
    }
    case "binary":
      return combine(formula.operator, single(evaluate(formula.left, lookup)), single(evaluate(formula.right, lookup)));
    case "call":
      return call(formula.name, formula.parameters, lookup);
  }
}

function evaluateOrNull(formula: Formula, lookup: Lookup): Operand {
  try {
    return evaluate(formula, lookup);
  } catch (error) {
    if (error instanceof NoValue) return null;
    throw error;
  }
}

/** @param lookup gives the value of a field; undefined counts as null */
export function evaluateFormula(formula: Formula, lookup: Lookup): Value {
  const value = evaluateOrNull(formula, lookup);
  return Array.isArray(value) ? null : value;
}
