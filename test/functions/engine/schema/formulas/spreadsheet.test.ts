/**
 * Random formulas beside a spreadsheet library's answers. Where the languages differ on purpose, the spreadsheet's side
 * is written so that it must come to the same:
 *
 * | ours | a spreadsheet's | why |
 * |---|---|---|
 * | a cell without a value (null) | a cell that is `#N/A` | what is not known stays unknown; a blank cell would be 0 |
 * | null as the answer | any error | a formula that cannot be worked out has no value |
 * | `==`, `!=` | `=`, `<>` | other words for the same |
 * | `a % b` | `MOD(a,b)` | no infix remainder there; the percent sign is the same in both |
 * | `COALESCE(a,b)` | `IFERROR(a,b)` | the first that has a value |
 * | `SUM(a,b)`, `AVERAGE(a,b)` | `SUM((a)*1,(b)*1)` … | the library passes over cells that are `#N/A`, a spreadsheet does not |
 * | `MIN(a,b)`, `MAX(a,b)` | `IF(a<=b,a,b)`, `IF(a>=b,a,b)` | the library has none |
 *
 * Left out, as they differ on purpose and are held by formulas.test.ts: null in `=`, `<>`, AND and OR (known there), and
 * `a * b % c` without parentheses. Left out because the library is no judge of it (see the table of known answers):
 * ROUND where the tie is not one in binary (so the cells are eighths), 0^0, a sign before TRUE, and an error in the branch
 * that IF does not take.
 */
import FormulaParser from "fast-formula-parser";
import { describe, expect, it } from "vitest";
import { evaluateFormula } from "../../../../../functions/engine/schema/formulas/evaluate-formula.ts";
import { parseFormula } from "../../../../../functions/engine/schema/formulas/formula-syntax.ts";
import { Random } from "../../extraction/prng.ts";

/** One formula in both languages. */
interface Pair {
  ours: string;
  theirs: string;
}

const FORMULAS = 200;
/** Cells A1, B1 … : the last two have no value; those before them do. */
const CELLS = [3, -2.5, 0, 0.125, 1200.75, -0.5, 7, 0.25, -19, 100, null, null];
const KNOWN = CELLS.filter((cell) => cell !== null).length;
const letter = (index: number): string => String.fromCharCode(65 + index);

const cell = (index: number): Pair => ({ ours: `{${letter(index).toLowerCase()}}`, theirs: `${letter(index)}1` });
const both = (text: string): Pair => ({ ours: text, theirs: text });

/** Writes one text in both languages. */
function pair(parts: TemplateStringsArray, ...pairs: Pair[]): Pair {
  const write = (side: keyof Pair): string => parts.map((part, at) => part + (pairs[at]?.[side] ?? "")).join("");
  return { ours: write("ours"), theirs: write("theirs") };
}

/** Makes formulas; `sure` ones have a value whatever the cells are. */
class Formulas {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  #one(...makers: (() => Pair)[]): Pair {
    return this.#random.pick(makers)();
  }

  #literal(): Pair {
    const written = both(String(this.#random.pick([0, 1, 2, 3, 10, 0.5, 2.25, 12.125])));
    return this.#random.next() < 0.15 ? pair`${written}%` : written;
  }

  #leaf(sure: boolean): Pair {
    if (this.#random.next() < 0.4) return this.#literal();
    return cell(this.#random.int(0, (sure ? KNOWN : CELLS.length) - 1));
  }

  /** A number, or an operand that stands alone: signs bind tighter than powers in both. */
  #signed(depth: number, sure: boolean): Pair {
    const operand = this.#operand(depth, sure);
    const chance = this.#random.next();
    return chance < 0.2
      ? pair`-${operand}`
      : chance < 0.25
        ? pair`+${operand}`
        : chance < 0.28
          ? pair`--${operand}`
          : operand;
  }

  #operand(depth: number, sure: boolean): Pair {
    if (depth <= 0) return this.#leaf(sure);
    const inner = (): Pair => this.number(depth - 1, sure);
    return this.#one(
      () => this.#leaf(sure),
      () => pair`(${inner()})`,
      () => pair`(${inner()})%`,
      () => this.#function(depth, sure),
      () => this.#function(depth, sure),
      () => this.#remainder(depth, sure),
      () => pair`((${this.truth(depth - 1, true)}) * 1)`,
    );
  }

  #remainder(depth: number, sure: boolean): Pair {
    const left = this.#signed(depth - 1, sure);
    const right = sure ? both(String(this.#random.pick([2, 3, 0.5]))) : pair`(${this.#signed(depth - 1, sure)})`;
    return { ours: `(${left.ours} % ${right.ours})`, theirs: `MOD(${left.theirs},${right.theirs})` };
  }

  #function(depth: number, sure: boolean): Pair {
    const inner = (): Pair => this.number(depth - 1, sure);
    const certain = (): Pair => this.number(depth - 1, true);
    const summand = (): Pair => {
      const { ours, theirs } = inner();
      return { ours, theirs: `(${theirs})*1` };
    };
    return this.#one(
      () => pair`ABS(${inner()})`,
      () => pair`ROUND(${inner()},${both(String(this.#random.int(-2, 3)))})`,
      () => pair`SUM(${summand()},${summand()},${summand()})`,
      () => pair`AVERAGE(${summand()},${summand()})`,
      () => pair`IF(${this.truth(depth - 1, sure)},${certain()},${certain()})`,
      () => this.#extreme("MIN", "<=", certain(), certain()),
      () => this.#extreme("MAX", ">=", certain(), certain()),
      () => {
        const [first, second] = [this.number(depth - 1, false), inner()];
        return { ours: `COALESCE(${first.ours},${second.ours})`, theirs: `IFERROR(${first.theirs},${second.theirs})` };
      },
    );
  }

  #extreme(name: string, operator: string, a: Pair, b: Pair): Pair {
    return {
      ours: `${name}(${a.ours},${b.ours})`,
      theirs: `IF((${a.theirs})${operator}(${b.theirs}),${a.theirs},${b.theirs})`,
    };
  }

  /** A chain of operators without parentheses: what binds how is the languages' own. */
  number(depth: number, sure: boolean): Pair {
    let chain = this.#signed(depth, sure);
    for (let left = this.#random.int(0, 2); left > 0; left -= 1) {
      const operator = this.#random.pick(["+", "-", "*", "/", "^"] as const);
      if (operator === "^") chain = pair`${chain}^${both(String(this.#random.int(1, 3)))}`;
      else if (operator === "/" && sure) chain = pair`${chain}/${both(String(this.#random.pick([2, 4, -8, 3])))}`;
      else chain = pair`${chain} ${both(operator)} ${this.#signed(depth - 1, sure)}`;
    }
    return chain;
  }

  truth(depth: number, sure: boolean): Pair {
    const [left, right] = [this.number(depth - 1, sure), this.number(depth - 1, sure)];
    const certain = (): Pair => this.truth(depth - 1, true);
    const plain = (): Pair => pair`${left} ${both(this.#random.pick([">", ">=", "<", "<="]))} ${right}`;
    if (depth <= 0) return plain();
    return this.#one(
      plain,
      plain,
      () => {
        const [mark, excel] = this.#random.pick([
          ["=", "="],
          ["==", "="],
          ["!=", "<>"],
          ["<>", "<>"],
        ] as const);
        const [a, b] = [this.number(depth - 1, true), this.number(depth - 1, true)];
        return { ours: `${a.ours} ${mark} ${b.ours}`, theirs: `${a.theirs} ${excel} ${b.theirs}` };
      },
      () => pair`AND(${certain()},${certain()})`,
      () => pair`OR(${certain()},${certain()},${this.number(depth - 1, true)})`,
      () => pair`NOT(${this.truth(depth - 1, sure)})`,
      () => both(this.#random.pick(["TRUE", "FALSE"])),
    );
  }
}

const { FormulaError } = FormulaParser;
const sheet = new FormulaParser({ onCell: ({ col }) => CELLS[col - 1] ?? FormulaError.NA });

function byLibrary(formula: string): number | boolean | null {
  try {
    const value = sheet.parse(formula, { sheet: "S", row: 9, col: 9 });
    return value instanceof FormulaError ? null : value;
  } catch (error) {
    if (error instanceof FormulaError && !/^#ERROR/.test(String(error))) return null;
    throw new Error(`The library does not read ${formula}`, { cause: error });
  }
}

const byUs = (formula: string) =>
  evaluateFormula(parseFormula(formula), ([name = ""]) => CELLS[name.charCodeAt(0) - 97] ?? null);

/** To 12 digits: ours are settled to 15 after each operation, the library's are not. */
const agrees = (a: unknown, b: unknown): boolean =>
  typeof a === "number" && typeof b === "number"
    ? Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1)
    : a === b;

describe("the formulas of a spreadsheet", () => {
  it(`has the same answers to ${FORMULAS} random formulas`, () => {
    const formulas = new Formulas(20_260_117);
    const pairs = Array.from({ length: FORMULAS }, (_, at) =>
      at % 4 === 3 ? formulas.truth(3, false) : formulas.number(3, false),
    );
    const answers = pairs.map(({ ours, theirs }) => ({ ours, theirs, we: byUs(ours), they: byLibrary(theirs) }));
    expect(answers.filter(({ we, they }) => !agrees(we, they))).toEqual([]);
    // Would be worth little if most had no value, or the same one.
    expect(answers.filter(({ we }) => we !== null).length).toBeGreaterThan(FORMULAS / 2);
    expect(answers.filter(({ we }) => we === null).length).toBeGreaterThan(FORMULAS / 20);
    expect(new Set(answers.map(({ we }) => we)).size).toBeGreaterThan(FORMULAS / 4);
    const text = pairs.map(({ ours }) => ours).join(" ");
    for (const part of "+ - * / % ^ = == != <> > >= < <= ROUND ABS IF SUM MIN MAX AVERAGE AND OR NOT COALESCE".split(
      " ",
    )) {
      expect(text).toContain(part);
    }
  });

  // Results of Excel, from its help and its cells; and remainders.
  it.each([
    ["ROUND(1.005, 2)", 1.01],
    ["ROUND(2.675, 2)", 2.68],
    ["ROUND(-1.005, 2)", -1.01],
    ["ROUND(2.5, 0)", 3],
    ["ROUND(-2.5, 0)", -3],
    ["ROUND(0.5, 0)", 1],
    ["ROUND(-0.4, 0)", 0],
    ["ROUND(626.3, -3)", 1000],
    ["ROUND(-50.55, -2)", -100],
    ["ROUND(1.98, -1)", 0],
    ["ROUND(4.35 * 100, 0)", 435],
    ["ROUND(1.1 * 1.15, 3)", 1.265],
    ["-2 ^ 2", 4],
    ["0 - 2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["2 ^ 3 ^ 2", 64],
    ["50% ^ 2", 0.25],
    ["-50%", -0.5],
    ["200%%", 0.02],
    ["0 ^ 0", null],
    ["0 ^ -1", null],
    ["(0 - 8) ^ 0.5", null],
    ["--TRUE", 1],
    ["TRUE + TRUE", 2],
    ["TRUE > 5", true],
    ["FALSE < TRUE", true],
    ["1 = TRUE", false],
    ["0.1 + 0.2 = 0.3", true],
    ["1.1 * 3 = 3.3", true],
    ["IF(TRUE, 1, 1 / 0)", 1],
    ["IF(0, 1, 2)", 2],
    ["-7 % 3", 2],
    ["7 % -3", 7 / 100 - 3],
    ["7 % (-3)", -2],
    ["12 * 7 % 5", 4],
    ["0.3 % 0.1", 0],
    ["-0.6 % 0.2", 0],
    ["5.5 % 0.5", 0],
  ])("%s is %o", (formula, expected) => expect(byUs(formula)).toBe(expected));
});
