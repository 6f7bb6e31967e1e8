/** Values given beside a document fill the fields that the document does not have. */

import { describe, expect, it } from "vitest";
import { fillGiven } from "../../../../../functions/engine/extraction/rules/given-values.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: { [name: string]: Json }): Json => ({ type: "object", properties });

/** @returns the result with what was filled in it */
function filled(result: Json, schema: Json, given: Json) {
  const pairs = fillGiven(result, parseSchema(schema), given);
  return { result, pairs };
}

describe("fillGiven", () => {
  it("fills null leaves by path, and keeps extracted values", () => {
    const schema = object({ total: number, seller: object({ name: text, city: text }) });
    const given = { total: 7, seller: { name: "Harbour", city: "Leeds" } };
    expect(filled({ total: 5, seller: { name: null, city: null } }, schema, given)).toEqual({
      result: { total: 5, seller: { name: "Harbour", city: "Leeds" } },
      pairs: [
        ["/seller/name", "/seller/name"],
        ["/seller/city", "/seller/city"],
      ],
    });
  });

  it("fills by name when one field and one value share it", () => {
    const schema = object({ head: object({ currency: text }), "a/b": text });
    expect(filled({ head: { currency: null }, "a/b": null }, schema, { run: { currency: "EUR", "a/b": "x" } })).toEqual(
      {
        result: { head: { currency: "EUR" }, "a/b": "x" },
        pairs: [
          ["/head/currency", "/run/currency"],
          ["/a~1b", "/run/a~1b"],
        ],
      },
    );
  });

  it("fills nothing when several values share a name", () => {
    const two = object({ seller: object({ name: text }), buyer: object({ name: text }) });
    const none = { seller: { name: null }, buyer: { name: null } };
    expect(filled(structuredClone(none), two, { name: "Harbour" }).pairs).toEqual([]);
    expect(filled(structuredClone(none), two, { buyer: { name: "Mill" } })).toEqual({
      result: { seller: { name: null }, buyer: { name: "Mill" } },
      pairs: [["/buyer/name", "/buyer/name"]],
    });
    const given = { one: { name: "a" }, other: { name: "b" } };
    expect(filled({ name: null }, object({ name: text }), given).pairs).toEqual([]);
  });

  it("ignores values that do not fit the field", () => {
    const fields: [Json, Json][] = [
      [number, "7"],
      [{ type: "integer" }, 7.5],
      [text, 7],
      [{ type: "boolean" }, "true"],
      [{ type: "string", enum: ["a", "b"] }, "c"],
      [{ ...number, maximum: 5 }, 7],
      [{ ...text, maxLength: 2 }, "long"],
      [text, "  "],
      [text, null],
      [text, ["a"]],
      [text, { b: "b" }],
    ];
    for (const [field, a] of fields) expect(filled({ a: null }, object({ a: field }), { a }).pairs).toEqual([]);
    for (const given of ["a", ["a"], null, 7])
      expect(filled({ a: null }, object({ a: text }), given).pairs).toEqual([]);
  });

  it("does not fill rows, constants and calculated fields", () => {
    const schema = object({
      lines: { type: "array", items: object({ sku: text }) },
      kind: { const: "invoice" },
      vat: { ...number, "x-calculated": { expression: "{net} * 0.2" } },
    });
    const result = { lines: [{ sku: null }], kind: null, vat: null };
    expect(filled(result, schema, { sku: "A1", kind: "invoice", vat: 3, lines: [{ sku: "A1" }] }).pairs).toEqual([]);
  });

  it("accepts any names, and reads deep or hostile objects in bounded time", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    );
    const result = JSON.parse('{"__proto__":null,"constructor":null}');
    fillGiven(result, parseSchema(schema), JSON.parse('{"__proto__":"a","constructor":"b"}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":"a","constructor":"b"}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    let deep: Json = { a: "x" };
    for (let level = 0; level < 2000; level++) deep = { inner: deep };
    expect(fillGiven({ a: null }, parseSchema(object({ a: text })), deep)).toEqual([]);
    const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n${at}`, at]));
    expect(fillGiven({ n5: null }, parseSchema(object({ n5: number })), wide)).toEqual([["/n5", "/n5"]]);
  });
});
