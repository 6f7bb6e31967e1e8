/**
 * PatternParser for ECMAScript regular expressions that can be matched in linear time: everything except back references and
 * inline flags. Classes and escapes of single characters are matched by the runtime's own expressions.
 */

/** The reason why a pattern cannot be used. */
export class PatternError extends Error {}

/** Tests one character. */
export type CharTest = (char: string) => boolean;

export type RegexNode =
  | { kind: "char"; test: CharTest }
  | { kind: "sequence"; parts: RegexNode[] }
  | { kind: "choice"; options: RegexNode[] }
  | { kind: "repeat"; part: RegexNode; least: number; most: number }
  | { kind: "edge"; edge: "start" | "end" | "word" | "not-word" }
  | { kind: "look"; part: RegexNode; behind: boolean; negative: boolean };

const MAX_PATTERN_CHARS = 2_000;
const MAX_GROUP_DEPTH = 50;

/** The opening of a group: plain, `(?:`, named, lookahead or lookbehind. */
const GROUP = /\((?:\?(?:(:)|(<[^=!][^>]*>)|(=)|(!)|(<=)|(<!)))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
/** One escape; a surrogate pair in two halves counts as one. */
const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])/uy;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/uy;
const BACK_REFERENCE = /^\\[1-9k]/;

/** The flag that a pattern compiles with; patterns that Unicode mode refuses (`\-`) are read without it. */
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

/** A test of one character that caches its answers: a text has few different characters. */
function cachedCharTest(source: string, flag: string): CharTest {
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

class PatternParser {
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
      return { kind: "char", test: cachedCharTest(found, this.#flag) };
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
    return { kind: "char", test: cachedCharTest(source, this.#flag) };
  }

  #group(): RegexNode {
    const match = this.#take(GROUP);
    if (match === undefined || (match[0] === "(" && this.#source[this.#at] === "?")) {
      throw new PatternError("sets flags inside, which is not supported");
    }
    this.#depth += 1;
    if (this.#depth > MAX_GROUP_DEPTH) throw new PatternError(`nests more than ${MAX_GROUP_DEPTH} groups`);
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

/** @throws PatternError whose message continues a sentence about the pattern: `is not …` */
export function parseRegex(source: string): RegexNode {
  if (source.length > MAX_PATTERN_CHARS)
    throw new PatternError(`is longer than ${MAX_PATTERN_CHARS.toLocaleString("en-US")} characters`);
  return new PatternParser(source, flagOf(source)).parse();
}
