/**
 * Untrusted regular expressions, matched in bounded time: all paths through the expression are followed at once, without
 * backtracking (K. Thompson, Regular Expression Search Algorithm, 1968).
 */
import { type CharTest, PatternError, parseRegex, type RegexNode } from "./regex-syntax.ts";

type Edge = "start" | "end" | "word" | "not-word";

type Instruction =
  | { kind: "char"; test: CharTest; next: number }
  | { kind: "split"; to: number[] }
  | { kind: "edge"; edge: Edge; next: number }
  | { kind: "look"; program: Program; behind: boolean; negative: boolean; next: number }
  | { kind: "match" };

interface Program {
  instructions: Instruction[];
  start: number;
}

/** Instructions of one pattern: counted repeats are unrolled. */
const MAX_INSTRUCTIONS = 20_000;
/** States entered in one match: some tenths of a second. */
const MAX_ENTERED_STATES = 5_000_000;

class ProgramCompiler {
  readonly instructions: Instruction[] = [];
  /** Programs of lookaheads and lookbehinds; a repeated one is compiled once. */
  readonly #programs = new Map<RegexNode, Program>();

  add(instruction: Instruction): number {
    if (this.instructions.length === MAX_INSTRUCTIONS) throw new PatternError("is too large to be checked");
    this.instructions.push(instruction);
    return this.instructions.length - 1;
  }

  /** Compiles a node. @param next instruction after it @returns its first instruction */
  compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case "char":
        return this.add({ kind: "char", test: node.test, next });
      case "edge":
        return this.add({ kind: "edge", edge: node.edge, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case "choice":
        return this.add({ kind: "split", to: node.options.map((option) => this.compile(option, next)) });
      case "look": {
        const program = this.#programs.get(node) ?? compileProgram(node.part);
        this.#programs.set(node, program);
        return this.add({ kind: "look", program, behind: node.behind, negative: node.negative, next });
      }
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  #repeat({ part, least, most }: Extract<RegexNode, { kind: "repeat" }>, next: number): number {
    if (Math.max(least, most === Number.POSITIVE_INFINITY ? 0 : most) > MAX_INSTRUCTIONS) {
      throw new PatternError("is too large to be checked");
    }
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop: Instruction = { kind: "split", to: [next] };
      at = this.add(loop);
      loop.to.push(this.compile(part, at));
    } else {
      for (let count = least; count < most; count += 1) {
        at = this.add({ kind: "split", to: [next, this.compile(part, at)] });
      }
    }
    for (let count = 0; count < least; count += 1) {
      const before = at;
      at = this.compile(part, at);
      // Repeating an empty part adds nothing.
      if (at === before) break;
    }
    return at;
  }
}

function compileProgram(node: RegexNode): Program {
  const compiler = new ProgramCompiler();
  const end = compiler.add({ kind: "match" });
  const start = compiler.compile(node, end);
  return { instructions: compiler.instructions, start };
}

const isWordChar = (char: string | undefined): boolean => char !== undefined && /^[A-Za-z0-9_]$/.test(char);

/** Matches programs against one text; they share its budget. */
class Matcher {
  readonly #chars: string[];
  #entered = 0;
  readonly #looks = new Map<Program, Map<number, boolean>>();

  constructor(text: string) {
    this.#chars = [...text];
  }

  /** The program matches somewhere in the text. */
  matchesAnywhere(program: Program): boolean {
    return this.#run(program, 0, true, () => true);
  }

  /** @param found called with the end of each match; returns true to stop the search @returns true when it stopped */
  #run(program: Program, from: number, everywhere: boolean, found: (end: number) => boolean): boolean {
    let current = new Set<number>();
    for (let at = from; at <= this.#chars.length; at += 1) {
      const states = new Set<number>();
      for (const state of current) this.#enter(program, state, at, states);
      if (everywhere || at === from) this.#enter(program, program.start, at, states);
      if (states.size === 0 && !everywhere) return false;
      const char = this.#chars[at];
      const next = new Set<number>();
      for (const state of states) {
        const instruction = program.instructions[state];
        if (instruction?.kind === "match" && found(at)) return true;
        if (instruction?.kind === "char" && char !== undefined && instruction.test(char)) next.add(instruction.next);
      }
      current = next;
    }
    return false;
  }

  /** Adds a state and all states that need no character from there. */
  #enter(program: Program, first: number, at: number, states: Set<number>): void {
    const open = [first];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (states.has(state)) continue;
      this.#entered += 1;
      if (this.#entered > MAX_ENTERED_STATES) throw new PatternError("takes too long to be checked");
      states.add(state);
      const instruction = program.instructions[state];
      if (instruction?.kind === "split") open.push(...instruction.to);
      else if (instruction?.kind === "edge" && this.#isEdge(instruction.edge, at)) open.push(instruction.next);
      else if (instruction?.kind === "look" && this.#look(instruction, at)) open.push(instruction.next);
    }
  }

  #isEdge(edge: Edge, at: number): boolean {
    if (edge === "start") return at === 0;
    if (edge === "end") return at === this.#chars.length;
    const boundary = isWordChar(this.#chars[at - 1]) !== isWordChar(this.#chars[at]);
    return edge === "word" ? boundary : !boundary;
  }

  #look({ program, behind, negative }: Extract<Instruction, { kind: "look" }>, at: number): boolean {
    let known = this.#looks.get(program);
    if (known === undefined) {
      known = new Map();
      this.#looks.set(program, known);
      const ends = known;
      // One pass finds all ends of a lookbehind's matches.
      const remember = (end: number): boolean => {
        ends.set(end, true);
        return false;
      };
      if (behind) this.#run(program, 0, true, remember);
    }
    if (!behind && !known.has(at))
      known.set(
        at,
        this.#run(program, at, false, () => true),
      );
    return (known.get(at) ?? false) !== negative;
  }
}

interface BoundedPattern {
  /** @throws PatternError when it takes too long */
  test(text: string): boolean;
}

/**
 * Compiles a pattern to a test in linear time (quadratic for lookaheads), within a budget. The test searches: patterns
 * of JSON Schema are not anchored.
 * @throws PatternError for an unsupported or too large pattern
 */
export function boundedPattern(source: string): BoundedPattern {
  const program = compileProgram(parseRegex(source));
  return { test: (text) => new Matcher(text).matchesAnywhere(program) };
}
