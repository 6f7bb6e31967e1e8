/** Parameters of operations: what is taken is what the OpenAPI document says. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { OPERATION_TYPES } from "../../../../functions/engine/nodes/operation-types.ts";
import { parameterReaderOf, parametersSchemaOf } from "../../../../functions/engine/nodes/parameter-specs.ts";

const ajv = new Ajv2020({ strict: false });
type Type = (typeof OPERATION_TYPES)[number];

/** Values of every kind, each tried for every parameter. */
const VALUES: unknown[] = [
  ...[-1, 0, 0.5, 1, 1.5, 2, 3, 5, 63, 64, 99, 100, 101, 32_000, 32_001, 999_999, 1_000_000],
  ...["-1", "0", "0.5", " 1 ", "1.0", "007", "2", "2.1", "63", "64", "64.5", "100", "101", "32000", "32001", "1e3"],
  ...["", " ", "x", "true", "YES", "no ", "ANY", "all", "Correction", "pagewise", "PRESERVE", "none", "a,b", ",,"],
  ...["1-3,7", "0", "0-3", " 5 - 6 ", "1,", "1000000", "x".repeat(2_001), "x".repeat(20_001), "x,".repeat(51)],
  ...["camelcase", "Source_Snake_Case", "premium", '{"a": 1}', "[{}]", "[1"],
  ...[true, false, {}, [], [1, "2-3"], ["a"], [0], [[]], ["1,2"], ["x".repeat(201)], Array(51).fill("a")],
];

const taken = (type: Type, given: Record<string, unknown>): boolean => {
  try {
    parameterReaderOf(type)(given, "");
    return true;
  } catch {
    return false;
  }
};

describe.each(OPERATION_TYPES)("the parameters of %s", (type) => {
  const schema = parametersSchemaOf(type);
  const documented = ajv.compile(schema);
  const needed = Object.fromEntries(((schema.required ?? []) as string[]).map((name) => [name, "a text"]));

  it.each(Object.keys(schema.properties as object))("are taken as their schema says: %s", (name) => {
    let both = 0;
    for (const value of VALUES) {
      const given = { ...needed, [name]: value };
      const fits = taken(type, given);
      expect(documented(given), `${JSON.stringify(value)?.slice(0, 80)}`).toBe(fits);
      both += fits ? 1 : 0;
    }
    expect(both).toBeGreaterThan(0);
    expect(both).toBeLessThan(VALUES.length);
  });

  it("are refused without a required one, as their schema says", () => {
    const isNeeded = Object.keys(needed).length > 0;
    expect([taken(type, {}), documented({})]).toEqual([!isNeeded, !isNeeded]);
  });
});

describe("a parameter with two names", () => {
  it("counts by the first, and must fit by both", () => {
    const read = parameterReaderOf("image-select");
    expect(read({ prompt: "a", topK: 3, top_k: 4 }, "")).toMatchObject({ topK: 3 });
    expect(() => read({ prompt: "a", topK: 3, top_k: "x" }, "")).toThrow("top_k must be an integer from 1 to 100");
  });
});
