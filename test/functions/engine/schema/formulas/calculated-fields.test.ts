import { describe, expect, it } from "vitest";
import {
  fillCalculated,
  readCalculatedFields,
} from "../../../../../functions/engine/schema/formulas/calculated-fields.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const calculated = (expression: string, type = "number") => ({
  type,
  "x-docudevs": { fieldType: "calculated", dependsOn: [], formula: { lang: "excel", expression } },
});

function fieldsOf(schema: Json) {
  const read = readCalculatedFields(schema);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read;
}

const faultsOf = (schema: Json) => {
  const read = readCalculatedFields(schema);
  return "faults" in read ? read.faults : [];
};

const number = { type: "number" };

describe("calculated fields", () => {
  it("are removed from the schema, also from `required`", () => {
    const schema = {
      type: "object",
      required: ["net", "gross"],
      properties: { net: number, gross: calculated("{net} * 2") },
    };
    const { schema: rest, fields } = fieldsOf(schema);
    expect(rest).toEqual({ type: "object", required: ["net"], properties: { net: number } });
    expect(fields).toHaveLength(1);
    expect(Object.keys(schema.properties)).toHaveLength(2);
  });

  it("are computed in the order of their dependencies", () => {
    const read = fieldsOf({
      properties: { c: calculated("{b} + 1"), b: calculated("{a} + 1"), a: number },
    });
    const data = { a: 1 };
    expect(fillCalculated(data, read)).toEqual(["/b", "/c"]);
    expect(data).toEqual({ a: 1, b: 2, c: 3 });
  });

  it("work in list items, with outer fields and through lists", () => {
    const read = fieldsOf({
      properties: {
        rate: number,
        total: calculated("ROUND(SUM({lines.gross}), 2)"),
        lines: {
          type: "array",
          items: {
            properties: {
              qty: number,
              price: number,
              net: calculated("{qty} * {price}"),
              gross: calculated("{net} * (1 + {rate})"),
            },
          },
        },
      },
    });
    const data: Json = {
      rate: 0.1,
      lines: [
        { qty: 2, price: 10 },
        { qty: 1, price: 5.5 },
      ],
    };
    expect(fillCalculated(data, read)).toContain("/lines/1/gross");
    expect(data).toEqual({
      rate: 0.1,
      total: 28.05,
      lines: [
        { qty: 2, price: 10, net: 20, gross: 22 },
        { qty: 1, price: 5.5, net: 5.5, gross: 6.05 },
      ],
    });
  });

  it("reach nested fields by their path", () => {
    const read = fieldsOf({ properties: { a: { properties: { b: number } }, c: calculated("{a.b} * 2") } });
    const data: Json = { a: { b: 4 } };
    fillCalculated(data, read);
    expect(data).toEqual({ a: { b: 4 }, c: 8 });
  });

  it("are found through references, and removed from definitions", () => {
    const line = { properties: { net: number, twice: calculated("{net} * 2") }, required: ["net", "twice"] };
    const read = fieldsOf({
      properties: { lines: { items: { $ref: "#/$defs/Line" } }, first: { $ref: "#/$defs/Line" } },
      $defs: { Line: line },
    });
    expect(read.schema).toMatchObject({ $defs: { Line: { properties: { net: number }, required: ["net"] } } });
    expect(JSON.stringify(read.schema)).not.toContain("twice");
    const data: Json = { lines: [{ net: 2 }], first: { net: 5 } };
    fillCalculated(data, read);
    expect(data).toEqual({ lines: [{ net: 2, twice: 4 }], first: { net: 5, twice: 10 } });
  });

  it("are null when they cannot be computed or do not fit the type", () => {
    const read = fieldsOf({
      properties: {
        a: number,
        lost: calculated("{nowhere} + 1"),
        whole: calculated("{a} / 2", "integer"),
        text: calculated("{a}", "string"),
        flag: calculated("{a}", "boolean"),
        "x/y": { "x-calculated": { formula: "{a} + 1" } },
      },
    });
    const data: Json = { a: 3 };
    expect(fillCalculated(data, read)).toContain("/x~1y");
    expect(data).toEqual({ a: 3, lost: null, whole: null, text: "3", flag: null, "x/y": 4 });
  });

  it("keep values of each of their types, and write others as text only where no type fits", () => {
    const typed = (expression: string, ...type: string[]) => calculated(expression, type as unknown as string);
    const read = fieldsOf({
      properties: {
        a: number,
        truth: typed("{a} > 2", "string", "boolean", "null"),
        either: typed("{a} > 2", "number", "boolean"),
        count: typed("{a} * 1", "string", "integer"),
        text: typed("{a} > 2", "string", "number"),
        neither: typed("{a} > 2", "number", "integer"),
      },
    });
    const data: Json = { a: 3 };
    fillCalculated(data, read);
    expect(data).toEqual({ a: 3, truth: true, either: true, count: 3, text: "true", neither: null });
  });

  it("do not create missing objects", () => {
    const read = fieldsOf({ properties: { lines: { items: { properties: { net: calculated("1") } } } } });
    for (const data of [null, { lines: null }, { lines: "x" }, {}, { lines: [null, 3] }] as Json[]) {
      expect(fillCalculated(data, read)).toEqual([]);
    }
  });

  it("define no member of the prototype", () => {
    const read = fieldsOf(JSON.parse('{"properties":{"__proto__":{"x-calculated":{"formula":"1"}}}}'));
    const data: Json = {};
    fillCalculated(data, read);
    expect(Object.hasOwn(data, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("a schema with invalid formulas", () => {
  it("is reported with all faults", () => {
    const faults = faultsOf({
      properties: {
        a: calculated("1 +"),
        b: { "x-docudevs": { fieldType: "calculated" } },
        c: { "x-docudevs": { fieldType: "calculated", formula: { lang: "python", expression: "1" } } },
      },
    });
    expect(faults.map(({ path }) => path)).toEqual([
      "/properties/a/x-docudevs/formula/expression",
      "/properties/b/x-docudevs/formula",
      "/properties/c/x-docudevs/formula/lang",
    ]);
  });

  it("is reported with its cycles", () => {
    expect(faultsOf({ properties: { a: calculated("{b}"), b: calculated("{c}"), c: calculated("{a}") } })).toEqual([
      { path: expect.stringContaining("/properties/a/"), message: "the formulas need each other: a → b → c → a" },
    ]);
    const items = { items: { properties: { net: calculated("{total}") } } };
    const through = faultsOf({ properties: { total: calculated("SUM({lines.net})"), lines: items } });
    expect(through[0]?.message).toBe("the formulas need each other: total → lines.net → total");
    expect(faultsOf({ properties: { a: calculated("{a} + 1") } })[0]?.message).toContain("a → a");
  });

  it("is walked in bounded time, whatever its references", () => {
    const node = {
      properties: { next: { $ref: "#/$defs/node" }, other: { $ref: "#/$defs/node" }, sum: calculated("1 +") },
    };
    const faults = faultsOf({ $ref: "#/$defs/node", $defs: { node } });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.path).toBe("/$defs/node/properties/sum/x-docudevs/formula/expression");
  });
});
