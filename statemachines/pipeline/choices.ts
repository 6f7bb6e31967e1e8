/** Conditions → Choice tests of the facts in a machine's state, which are under `$.n`. */
import type { ChoiceTest } from "../asl.ts";
import type { Condition, Operand } from "./conditions.ts";
import type { Facts, Producer } from "./facts.ts";

/** The producer's member of `$.n`. */
export const stateKeyOf = (producer: Producer): string => (producer === "begin" ? "begin" : `n${producer}`);
export const statePathOf = (producer: Producer): string => `$.n.${stateKeyOf(producer)}`;

function variableOf(operand: Operand, facts: Facts): string | undefined {
  if (operand.kind !== "path") return undefined;
  const { producer, name } = facts.find(operand);
  return `${statePathOf(producer)}.facts.${name}`;
}

const isStringTest = (Variable: string): ChoiceTest => ({ Variable, IsString: true });

/** Both sides must be present: a missing value is neither equal nor unequal. */
function testComparison(kind: "eq" | "ne", left: Operand, right: Operand, facts: Facts): ChoiceTest {
  const [one, other] = [left, right].map((operand) => variableOf(operand, facts));
  const variable = one ?? other;
  if (variable === undefined) throw new RangeError("A comparison of two values is no question");
  const literal = left.kind === "fact" ? left.text : right.kind === "fact" ? right.text : undefined;
  const equal: ChoiceTest =
    literal === undefined
      ? { Variable: variable, StringEqualsPath: other ?? "" }
      : { Variable: variable, StringEquals: literal };
  const there = [
    isStringTest(variable),
    ...(literal === undefined && other !== undefined ? [isStringTest(other)] : []),
  ];
  return { And: [...there, kind === "eq" ? equal : { Not: equal }] };
}

/** A Choice test with a constant answer, for a comparison of two literals. */
const constantTest = (holds: boolean): ChoiceTest => ({ Variable: "$.guid", IsPresent: holds });

/** The Choice test of a condition. */
export function choiceTestOf(condition: Condition, facts: Facts): ChoiceTest {
  switch (condition.kind) {
    case "exists":
      return isStringTest(variableOf(condition.path, facts) ?? "");
    case "not":
      return { Not: choiceTestOf(condition.condition, facts) };
    case "and":
    case "or": {
      const tests = condition.conditions.map((part) => choiceTestOf(part, facts));
      return condition.kind === "and" ? { And: tests } : { Or: tests };
    }
    default: {
      const { kind, left, right } = condition;
      if (left.kind === "fact" && right.kind === "fact")
        return constantTest((left.text === right.text) === (kind === "eq"));
      return testComparison(kind, left, right, facts);
    }
  }
}
