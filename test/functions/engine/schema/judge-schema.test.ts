/** Limits of users' schemas, each with its sentence, and the work of schemas at the limits. */
import { describe, expect, it } from "vitest";
import { readCalculatedFields } from "../../../../functions/engine/schema/formulas/calculated-fields.ts";
import { judgeSchema } from "../../../../functions/engine/schema/judge-schema.ts";
import { schemaFault } from "../../../../functions/engine/schema/schema-fault.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { leastCpu } from "../../../support/cpu.ts";

const calculated = (expression: string): Json => ({ "x-calculated": { formula: expression } });
const wrapped = (levels: number, core: Json): Json => {
  let schema = core;
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
  return schema;
};
const many = (count: number, property: (at: number) => Json): { [name: string]: Json } =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, property(at)]));

describe("judgeSchema", () => {
  it("refuses a schema of more than 64 levels", () => {
    expect(judgeSchema(wrapped(31, { type: "string" }))).toEqual({ valid: true });
    const fault = "it is nested more than 64 levels deep";
    expect(judgeSchema(wrapped(32, {}))).toEqual({ valid: false, fault });
    const deep = `${'{"properties":'.repeat(50_000)}{}${"}".repeat(50_000)}`;
    expect(judgeSchema(deep)).toEqual({ valid: false, fault });
  });

  it("refuses more than 10,000 references", () => {
    const schema = (count: number) => ({ $defs: { d: {} }, properties: many(count, () => ({ $ref: "#/$defs/d" })) });
    expect(judgeSchema(schema(10_000))).toEqual({ valid: true });
    expect(judgeSchema(schema(10_001))).toEqual({
      valid: false,
      fault: "it has more than 10,000 references; use fewer",
    });
  });

  it("refuses a reference of more than 1,000 characters", () => {
    const schema = (chars: number) => {
      const name = "n".repeat(chars - "#/$defs/".length);
      return { properties: { a: { $ref: `#/$defs/${name}` } }, $defs: { [name]: {} } };
    };
    expect(judgeSchema(schema(1_000))).toEqual({ valid: true });
    expect(judgeSchema(schema(1_001))).toMatchObject({ fault: expect.stringMatching(/more than 1,000 characters/) });
  });

  it("refuses formulas that name more than 10,000 fields, each counted once a formula", () => {
    const names = Array.from({ length: 101 }, (_, at) => `{n${at}}`).join("+");
    expect(judgeSchema({ properties: many(99, () => calculated(`${names}+${names}`)) })).toEqual({ valid: true });
    expect(judgeSchema({ properties: many(100, () => calculated(names)) })).toMatchObject({
      formulas: [{ message: expect.stringMatching(/^the formulas of a schema name at most 10,000 fields/) }],
    });
  });

  it("tells the first of very many faults, with short paths", () => {
    const schema = { properties: { ["n".repeat(50_000)]: { properties: many(5_000, () => calculated("?")) } } };
    const { formulas } = judgeSchema(schema) as { formulas: { path: string }[] };
    expect(formulas).toHaveLength(101);
    expect(new Set(formulas.map(({ path }) => path)).size).toBe(101);
    expect(JSON.stringify(formulas).length).toBeLessThan(120_000);
  });
});

describe("the work for a schema", () => {
  const cpuOf = (work: () => void): number => leastCpu(3, 50, work);

  it("is the same at each level: calculated fields are taken out in one visit", () => {
    const schema = wrapped(28, { properties: { f: calculated("1 + 1") } });
    expect(cpuOf(() => readCalculatedFields(schema))).toBeLessThan(50);
    expect(readCalculatedFields(schema)).toMatchObject({ schema: wrapped(28, { properties: {} }) });
  });

  it("looks a field of formulas up once a scope", () => {
    const names = Array.from({ length: 700 }, (_, at) => `{a${at}}`).join("+");
    const schema = { properties: many(14, () => wrapped(28, { properties: { f: calculated(names) } })) };
    expect(cpuOf(() => readCalculatedFields(schema))).toBeLessThan(50);
  });

  it("follows long chains of references and wide combinations", () => {
    const chain = many(9_000, (at) => ({ $ref: `#/$defs/p${at + 1}` }));
    expect(schemaFault({ $ref: "#/$defs/p0", $defs: { ...chain, p9000: {} } })).toBeUndefined();
    const wide = Array.from({ length: 200_000 }, () => ({}));
    expect(schemaFault({ enum: [], anyOf: wide })).toMatch(/too many alternatives/);
    expect(schemaFault({ properties: { a: { prefixItems: wide } } })).toMatch(/too large/);
  });
});
