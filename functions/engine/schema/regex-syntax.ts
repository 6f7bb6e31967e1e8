/**
 * The structure of an ECMAScript regular expression, as far as it can be matched in time linear in the text: everything
 * but back references and inline flags. What single characters match (classes, escapes) is left to the runtime.
 */

/** Why a pattern is not checked. */
export class PatternError extends Error {}

/** Whether one character matches. */
export type CharTest = (char: string) => boolean;

export type RegexNode =
  | { kind: "char"; test: CharTest }
  | { kind: "sequence"; parts: RegexNode[] }
  | { kind: "choice"; options: RegexNode[] }
  | { kind: "repeat"; part: RegexNode; least: number; most: number }
  | { kind: "edge"; edge: "start" | "end" | "word" | "not-word" }
  | { kind: "look"; part: RegexNode; behind: boolean; negative: boolean };

const LONGEST = 2_000;
const DEEPEST = 50;

/** Names of groups, `(?:`, and what looks ahead or behind. */
const GROUP = /\((?:\?(?:(:)|(<[^=!][^>]*>)|(=)|(!)|(<=)|(<!)))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
/** One escape, surrogate pairs by their two halves included. */
const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])/uy;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/uy;
const BACK_REFERENCE = /^\\[1-9k]/;

/** The runtime's own flag for a pattern; patterns written without Unicode in mind (`\-`) are read as they were before it. */
function flagOf(source: string): "u" | "" {
  try {
    new RegExp(source, "u");
    return "u";
  } catch {
    try {
      new RegExp(source);
      return "";
    } catch {
      throw new PatternError("is not a valid regular expression");
    }
  }
}

/** Tests of one character, remembered: there are few different ones in a text. */
function atomTest(source: string, flag: string): CharTest {
  const pattern = new RegExp(`^(?:${source})$`, flag === "u" ? "u" : "");
  const known = new Map<string, boolean>();
  return (char) => {
    let matches = known.get(char);
    if (matches === undefined) {
      matches = pattern.test(char);
      known.set(char, matches);
    }
    return matches;
  };
}

class Parser {
  readonly #source: string;
  readonly #flag: string;
  #at = 0;
  #depth = 0;

  constructor(source: string, flag: string) {
    this.#source = source;
    this.#flag = flag;
  }

  parse(): RegexNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new PatternError("is not a valid regular expression");
    return node;
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#source);
    if (match === null) return undefined;
    this.#at = form.lastIndex;
    return match;
  }

  #choice(): RegexNode {
    const options = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      options.push(this.#sequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: "sequence", parts };
  }

  #repeated(part: RegexNode): RegexNode {
    const match = this.#take(QUANTIFIER);
    if (match === undefined) return part;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined) {
      return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    const from = Number(least);
    const to = comma === undefined ? from : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", part, least: from, most: to };
  }

  #atom(): RegexNode {
    const char = this.#source[this.#at];
    if (char === "(") return this.#group();
    if (char === "^" || char === "$") {
      this.#at += 1;
      return { kind: "edge", edge: char === "^" ? "start" : "end" };
    }
    if (char === "[") {
      const found = this.#take(CLASS)?.[0];
      if (found === undefined) throw new PatternError("is not a valid regular expression");
      return { kind: "char", test: atomTest(found, this.#flag) };
    }
    if (char === "\\") return this.#escape();
    const point = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += point.length;
    if (point === ".") return { kind: "char", test: (one) => !/[\n\r\u2028\u2029]/.test(one) };
    return { kind: "char", test: (one) => one === point };
  }

  #escape(): RegexNode {
    const source = this.#take(ESCAPE)?.[0] ?? "";
    if (BACK_REFERENCE.test(source)) throw new PatternError("refers back to a group, which is not supported");
    if (source === "\\b") return { kind: "edge", edge: "word" };
    if (source === "\\B") return { kind: "edge", edge: "not-word" };
    return { kind: "char", test: atomTest(source, this.#flag) };
  }

  #group(): RegexNode {
    const match = this.#take(GROUP);
    if (match === undefined || (match[0] === "(" && this.#source[this.#at] === "?")) {
      throw new PatternError("sets flags inside, which is not supported");
    }
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new PatternError(`nests more than ${DEEPEST} groups`);
    const part = this.#choice();
    this.#depth -= 1;
    if (this.#source[this.#at] !== ")") throw new PatternError("is not a valid regular expression");
    this.#at += 1;
    const [, , , ahead, notAhead, behind, notBehind] = match;
    if ((ahead ?? notAhead ?? behind ?? notBehind) === undefined) return part;
    return {
      kind: "look",
      part,
      behind: behind !== undefined || notBehind !== undefined,
      negative: notAhead !== undefined || notBehind !== undefined,
    };
  }
}

/** @throws PatternError, whose message goes on after the pattern: `is not …` */
export function parseRegex(source: string): RegexNode {
  if (source.length > LONGEST) throw new PatternError(`is longer than ${LONGEST.toLocaleString("en-US")} characters`);
  return new Parser(source, flagOf(source)).parse();
}
