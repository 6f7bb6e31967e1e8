/** The schemas asked of chunks, made from schemas of every kind. */

import { describe, expect, it } from "vitest";
import { toRecordList } from "../../../../../functions/engine/extraction/chunks/chunk-answer.ts";
import {
  headerSchemaOf,
  type ListForm,
  recordFormOf,
  withoutRest,
} from "../../../../../functions/engine/extraction/chunks/record-form.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { compileSchema } from "../../../../../functions/engine/schema/validator.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const RECORD = { type: "object", properties: { sku: { type: "string" }, qty: { type: "number" } }, required: ["sku"] };

function listForm(schema: Json, dedupKey?: string): ListForm {
  const form = recordFormOf({
    schema: parseSchema(schema),
    openly: true,
    ...(dedupKey === undefined ? {} : { dedupKey }),
  });
  if (form.kind !== "list") throw new Error("This is no list");
  return form;
}

const fits = (schema: Json, data: Json): boolean => compileSchema(schema).check(data).length === 0;

describe("recordFormOf", () => {
  it("takes a schema of one record as the schema of list items", () => {
    const form = listForm(RECORD);
    expect(form).toMatchObject({ list: "records", rest: [], names: ["sku", "qty"], single: RECORD });
    expect(fits(form.chunk, { records: [{ sku: "a" }] })).toBe(true);
    expect(fits(form.chunk, { records: [{ qty: 1 }] })).toBe(false);
    expect(fits(form.chunk, { records: [] })).toBe(true);
  });

  it("takes the items of a list schema, without limits on their number", () => {
    const form = listForm({ type: "array", minItems: 2, items: RECORD });
    expect(form).toMatchObject({ list: "records", names: ["sku", "qty"] });
    expect(fits(form.chunk, { records: [] })).toBe(true);
    expect(fits(form.whole, { records: [] })).toBe(false);
    expect(form.single).toBeUndefined();
  });

  it("takes the only list of an object as the records", () => {
    const form = listForm({ type: "object", properties: { lines: { type: "array", items: RECORD } } });
    expect(form).toMatchObject({ list: "lines", rest: [], names: ["sku", "qty"] });
  });

  it("takes an object with more members as one record, unless the dedup key begins with its list", () => {
    const schema = {
      type: "object",
      required: ["customer", "lines"],
      properties: { customer: { type: "string" }, lines: { type: "array", items: RECORD }, notes: { type: "array" } },
    };
    expect(listForm(schema)).toMatchObject({ list: "records", single: schema });
    expect(listForm(schema, "sku").list).toBe("records");
    for (const key of ["lines.sku", "$.lines[*].sku", "$['lines'].sku"]) {
      const form = listForm(schema, key);
      expect(form).toMatchObject({ list: "lines", rest: ["customer", "notes"] });
      // A chunk that lacks what stands on another page lacks nothing.
      expect(fits(form.chunk, { lines: [] })).toBe(true);
      expect(fits(form.whole, { lines: [] })).toBe(false);
      expect(headerSchemaOf(form)).toMatchObject({ properties: { customer: { type: "string" }, notes: {} } });
      expect(Object.keys((withoutRest(form).chunk as { properties: object }).properties)).toEqual(["lines"]);
    }
  });

  it("keeps references to definitions and to the schema itself", () => {
    const tree = {
      $defs: { money: { type: "number" } },
      type: "object",
      required: ["price"],
      properties: {
        price: { $ref: "#/$defs/money" },
        parts: { type: "array", items: { $ref: "#" } },
        again: { $ref: "#/properties/price" },
      },
    };
    const form = listForm({ ...tree, properties: { ...tree.properties, name: { type: "string" } } });
    expect(fits(form.chunk, { records: [{ price: 1, parts: [{ price: 2 }], again: 3 }] })).toBe(true);
    expect(fits(form.chunk, { records: [{ price: 1, parts: [{ price: "2" }] }] })).toBe(false);
    expect(fits(form.chunk, { records: [{ price: 1, again: "3" }] })).toBe(false);
  });

  it("without a schema asks a model for open records, else for a general result", () => {
    expect(recordFormOf({ openly: false })).toEqual({ kind: "general" });
    expect(recordFormOf({ openly: true })).toMatchObject({ kind: "list", list: "records", names: [] });
  });
});

describe("toRecordList", () => {
  const wish = { list: "records", rest: ["customer"], names: ["sku", "tags"] };
  it.each<[string, Json, Json]>([
    ["in their list", { records: [{ sku: "a" }] }, { records: [{ sku: "a" }] }],
    ["as a list", [{ sku: "a" }], { records: [{ sku: "a" }] }],
    ["as one record", { sku: "a" }, { records: [{ sku: "a" }] }],
    ["as one record with a list of its own", { sku: "a", tags: ["x"] }, { records: [{ sku: "a", tags: ["x"] }] }],
    ["as one record of a list only", { tags: ["x"] }, { records: [{ tags: ["x"] }] }],
    ["in a list of another name", { items: [{ sku: "a" }] }, { records: [{ sku: "a" }] }],
    ["in such a list beside a count", { items: [{ sku: "a" }], count: 1 }, { records: [{ sku: "a" }] }],
    ["alone under their list's name", { records: { sku: "a" } }, { records: [{ sku: "a" }] }],
    [
      "beside what belongs to the header",
      { customer: "c", items: [{ sku: "a" }] },
      { customer: "c", records: [{ sku: "a" }] },
    ],
    ["not at all", null, { records: [] }],
    ["but for the header's members", { customer: "c" }, { customer: "c", records: [] }],
  ])("%s", (_name, given, records) => {
    expect(toRecordList(given, wish)).toEqual(records);
  });
});
