/**
 * The language of calculated fields: numbers, texts in double quotes, TRUE FALSE NULL, `{path.to.field}`, operators
 * + - * / % ^ = == != <> > >= < <=, functions by name. Precedence and signs as in a spreadsheet: a sign binds tighter
 * than a power, powers are taken from left to right. `%` is the remainder before an operand and percent elsewhere.
 */

export const FUNCTIONS = [
  "ROUND",
  "ABS",
  "IF",
  "SUM",
  "MIN",
  "MAX",
  "AVERAGE",
  "AND",
  "OR",
  "NOT",
  "COALESCE",
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "^" | "=" | "<>" | ">" | ">=" | "<" | "<=";

export type Formula =
  | { kind: "value"; value: number | string | boolean | null }
  | { kind: "reference"; path: string[] }
  | { kind: "negate" | "percent"; operand: Formula }
  | { kind: "binary"; operator: BinaryOperator; left: Formula; right: Formula }
  | { kind: "call"; name: FunctionName; parameters: Formula[] };

/** A syntax error of a formula, with its position. */
export class FormulaError extends Error {
  readonly position: number;

  /** @param position of the character, counted from 1 */
  constructor(message: string, position: number) {
    super(`${message} at character ${position}`);
    this.name = "FormulaError";
    this.position = position;
  }
}

const MAX_FORMULA_CHARS = 4000;
const MAX_NESTING_DEPTH = 100;

const PARAMETER_COUNTS: Record<FunctionName, [least: number, most: number]> = {
  ROUND: [1, 2],
  ABS: [1, 1],
  IF: [2, 3],
  SUM: [1, 255],
  MIN: [1, 255],
  MAX: [1, 255],
  AVERAGE: [1, 255],
  AND: [1, 255],
  OR: [1, 255],
  NOT: [1, 1],
  COALESCE: [1, 255],
};

type Token =
  | { kind: "number"; value: number; at: number }
  | { kind: "text"; value: string; at: number }
  | { kind: "name"; value: string; at: number }
  | { kind: "reference"; value: string; at: number }
  | { kind: "mark"; value: string; at: number }
  | { kind: "end"; value: ""; at: number };

const TOKEN =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|"(?<text>(?:[^"]|"")*)"|\{(?<reference>[^{}]*)\}|(?<name>[A-Za-z_]\w*)|(?<mark><>|<=|>=|==|!=|[-+*/%^=<>(),;]))/y;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      throw new FormulaError(`${JSON.stringify(text[at])} is not understood`, at + 1);
    }
    const { number, text: quoted, reference, name, mark } = match.groups ?? {};
    const at = TOKEN.lastIndex - match[0].trimStart().length + 1;
    if (number !== undefined) tokens.push({ kind: "number", value: Number(number), at });
    else if (quoted !== undefined) tokens.push({ kind: "text", value: quoted.replaceAll('""', '"'), at });
    else if (reference !== undefined) tokens.push({ kind: "reference", value: reference.trim(), at });
    else if (name !== undefined) tokens.push({ kind: "name", value: name, at });
    else tokens.push({ kind: "mark", value: mark === ";" ? "," : (mark ?? ""), at });
  }
  tokens.push({ kind: "end", value: "", at: text.length + 1 });
  return tokens;
}

const COMPARISONS: Record<string, BinaryOperator> = {
  "=": "=",
  "==": "=",
  "!=": "<>",
  "<>": "<>",
  ">": ">",
  ">=": ">=",
  "<": "<",
  "<=": "<=",
};
/** Binary operators by precedence, the weakest first. */
const PRECEDENCE_LEVELS: Record<string, BinaryOperator>[] = [
  COMPARISONS,
  { "+": "+", "-": "-" },
  { "*": "*", "/": "/", "%": "%" },
  { "^": "^" },
];

const isFunctionName = (name: string): name is FunctionName => FUNCTIONS.some((one) => one === name);

class FormulaParser {
  readonly #tokens: Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): Formula {
    const formula = this.#level(0);
    const rest = this.#peek();
    if (rest.kind !== "end") throw this.#unexpected(rest);
    return formula;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#next + ahead] ?? { kind: "end", value: "", at: 1 };
  }

  #unexpected(token: Token): FormulaError {
    if (token.kind === "end") return new FormulaError("The formula ends too early", token.at);
    return new FormulaError(`${JSON.stringify(String(token.value))} was not expected`, token.at);
  }

  #take(mark: string): boolean {
    const token = this.#peek();
    if (token.kind !== "mark" || token.value !== mark) return false;
    this.#next += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) throw this.#unexpected(this.#peek());
  }

  #level(level: number): Formula {
    const operators = PRECEDENCE_LEVELS[level];
    if (operators === undefined) return this.#signed();
    let left = this.#level(level + 1);
    for (;;) {
      const token = this.#peek();
      const operator = token.kind === "mark" ? operators[token.value] : undefined;
      if (operator === undefined) return left;
      this.#next += 1;
      left = { kind: "binary", operator, left, right: this.#level(level + 1) };
    }
  }

  #signed(): Formula {
    if (this.#take("+")) return this.#deeper(() => this.#signed());
    if (this.#take("-")) return { kind: "negate", operand: this.#deeper(() => this.#signed()) };
    let operand = this.#operand();
    while (this.#isPercent()) {
      this.#next += 1;
      operand = { kind: "percent", operand };
    }
    return operand;
  }

  /** `%` before an operand is the remainder operator. */
  #isPercent(): boolean {
    const token = this.#peek();
    if (token.kind !== "mark" || token.value !== "%") return false;
    const after = this.#peek(1);
    return after.kind === "end" || (after.kind === "mark" && after.value !== "(");
  }

  #deeper<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING_DEPTH) throw new FormulaError("The formula is nested too deeply", this.#peek().at);
    const parsed = parse();
    this.#depth -= 1;
    return parsed;
  }

  #operand(): Formula {
    const token = this.#peek();
    this.#next += 1;
    if (token.kind === "number" || token.kind === "text") return { kind: "value", value: token.value };
    if (token.kind === "reference") return { kind: "reference", path: pathOf(token.value, token.at) };
    if (token.kind === "name") return this.#named(token.value, token.at);
    if (token.kind === "mark" && token.value === "(") {
      const inner = this.#deeper(() => this.#level(0));
      this.#expect(")");
      return inner;
    }
    throw this.#unexpected(token);
  }

  #named(written: string, at: number): Formula {
    const name = written.toUpperCase();
    const called = this.#take("(");
    if (!called && (name === "TRUE" || name === "FALSE")) return { kind: "value", value: name === "TRUE" };
    if (!called && name === "NULL") return { kind: "value", value: null };
    if (!isFunctionName(name)) {
      throw new FormulaError(
        called
          ? `There is no function ${name}; there are ${FUNCTIONS.join(", ")}`
          : `${written} is unknown; a field is written {${written}}`,
        at,
      );
    }
    if (!called) throw new FormulaError(`${name} needs its parameters in parentheses`, at);
    const parameters = this.#take(")") ? [] : this.#parameters();
    const [least, most] = PARAMETER_COUNTS[name];
    if (parameters.length < least || parameters.length > most) {
      throw new FormulaError(`${name} takes ${least === most ? least : `${least} to ${most}`} parameters`, at);
    }
    return { kind: "call", name, parameters };
  }

  #parameters(): Formula[] {
    const parameters: Formula[] = [];
    do parameters.push(this.#deeper(() => this.#level(0)));
    while (this.#take(","));
    this.#expect(")");
    return parameters;
  }
}

function pathOf(text: string, at: number): string[] {
  const path = text.split(".").map((part) => part.trim());
  if (path.some((part) => part === "")) throw new FormulaError(`{${text}} names no field`, at);
  return path;
}

/** @throws FormulaError */
export function parseFormula(text: string): Formula {
  if (text.length > MAX_FORMULA_CHARS)
    throw new FormulaError(`A formula has at most ${MAX_FORMULA_CHARS} characters`, MAX_FORMULA_CHARS + 1);
  const body = text.trimStart();
  // Formulas of spreadsheets begin with an equals sign.
  return new FormulaParser(body.startsWith("=") ? ` ${body.slice(1)}` : text).parse();
}

/** The paths of the fields in a formula, each once. */
export function referencesOf(formula: Formula): string[][] {
  const found = new Map<string, string[]>();
  const open = [formula];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === "reference") found.set(one.path.join("."), one.path);
    else if (one.kind === "negate" || one.kind === "percent") open.push(one.operand);
    else if (one.kind === "binary") open.push(one.right, one.left);
    else if (one.kind === "call") open.push(...one.parameters.toReversed());
  }
  return [...found.values()];
}
