import { describe, expect, it } from "vitest";
import { judgeSchema } from "../../../../functions/engine/schema/judge-schema.ts";
import { templateField as field, type TemplateField } from "../../../../functions/engine/templates/template.ts";
import { templateSchema } from "../../../../functions/engine/templates/template-schema.ts";

const schemaOf = (...fields: TemplateField[]) => templateSchema(fields).schema.properties as Record<string, unknown>;

describe("templateSchema", () => {
  it("describes each type of field by what fills it", () => {
    const { schema, example } = templateSchema([
      field("name", "text", { tooltip: "Full name" }),
      field("code", "text", { maxLength: 3 }),
      field("born", "text", { dateFormat: "dd.mm.yyyy" }),
      field("agreed", "checkbox", { options: ["Yes"], optionLabels: ["Yes"] }),
      field("state", "dropdown", { options: ["1", "2"], optionLabels: ["Single", "Married"] }),
      field("tags", "listbox", { options: ["a", "b"], optionLabels: ["a", "b"], flags: ["multiSelect"] }),
      field("free", "dropdown", { options: ["a"], optionLabels: ["a"], flags: ["edit"] }),
      field("logo", "button"),
      field("signed", "signature"),
    ]);
    expect(schema).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "Full name" },
        code: { type: "string", maxLength: 3 },
        born: { type: "string", format: "date" },
        agreed: { type: "boolean" },
        state: { type: "string", enum: ["Single", "Married"] },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        free: { type: "string" },
      },
    });
    expect(example).toEqual({
      name: "Example",
      code: "Exa",
      born: "2026-01-31",
      agreed: true,
      state: "Single",
      tags: ["a"],
      free: "a",
    });
    expect(judgeSchema(schema)).toEqual({ valid: true });
  });

  it("nests the parts of names, and leaves those whole that cannot be nested", () => {
    const text = { type: "string" };
    expect(schemaOf(field("a.b", "text"), field("a.c.d", "text"))).toEqual({
      a: { type: "object", properties: { b: text, c: { type: "object", properties: { d: text } } } },
    });
    expect(schemaOf(field("a", "text"), field("a.b", "text"))).toEqual({ a: text, "a.b": text });
    expect(schemaOf(field("a.b", "text"), field("a", "text"))).toEqual({ a: text, "a.b": text });
    const deep = Array.from({ length: 30 }, () => "x").join(".");
    expect(schemaOf(field(".a", "text"), field(deep, "text"))).toEqual({ ".a": text, [deep]: text });
    expect(Object.keys(schemaOf(field("__proto__", "text")))).toEqual(["__proto__"]);
  });

  it("names options by their values where their texts do not tell them apart", () => {
    const choice = field("state", "radio", { options: ["1", "2"], optionLabels: ["Yes", "Yes"] });
    expect(schemaOf(choice)).toEqual({ state: { type: "string", enum: ["1", "2"] } });
  });
});
