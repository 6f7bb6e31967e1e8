import { describe, expect, it } from "vitest";
import { matchTemplateValues } from "../../../../functions/engine/templates/match-fields.ts";
import { templateField } from "../../../../functions/engine/templates/template.ts";
import type { BadRequest } from "../../../../functions/ports/errors.ts";
import type { JsonObject } from "../../../../functions/ports/json.ts";

const FIELDS = [
  templateField("customer.name", "text"),
  templateField("logo", "image"),
  templateField("paid", "condition"),
  templateField("items", "loop", {
    fields: [templateField("title", "text"), templateField("sizes", "loop", { fields: [templateField(".", "text")] })],
  }),
];

const match = (fields: JsonObject, options: { ignoreUnknown?: boolean; missingIsError?: boolean } = {}) =>
  matchTemplateValues(FIELDS, { fields, ignoreUnknown: false, missingIsError: false, ...options });

const faultOf = (work: () => unknown): BadRequest => {
  try {
    work();
  } catch (error) {
    return error as BadRequest;
  }
  throw new Error("Nothing was refused");
};

describe("matchTemplateValues", () => {
  it("spreads names with full stops", () => {
    const items = [{ title: "a", sizes: ["S"] }];
    expect(match({ "customer.name": "Ada", logo: { _ref: "images/a.png" }, paid: true, items }).values).toEqual({
      customer: { name: "Ada" },
      logo: { _ref: "images/a.png" },
      paid: true,
      items,
    });
  });

  it("names unknown members of items by pointer", () => {
    const fault = faultOf(() => match({ items: [{ title: "a" }, { colour: "red" }], "a/b": 1 }));
    expect(fault.message).toContain("items.1.colour, a/b");
    expect(fault.errors?.map(({ path }) => path)).toEqual(["/fields/items/1/colour", "/fields/a~1b"]);
    const ignored = match({ items: [{ colour: "red" }] }, { ignoreUnknown: true });
    expect(ignored).toEqual({ values: { items: [{}] }, unknown: ["items.0.colour"] });
  });

  it("takes a value around the loop for what the items lack", () => {
    const values = { customer: { name: "Ada" }, logo: null, paid: false, title: "all", items: [{ sizes: [] }] };
    expect(match(values, { missingIsError: true }).values.title).toBe("all");
  });

  it("names absent values, in items too", () => {
    const fault = faultOf(() => match({ items: [{ title: "a" }] }, { missingIsError: true }));
    expect(fault.message).toBe("The request leaves out the fields customer.name, logo, paid, items.0.sizes");
    expect(fault.errors?.at(-1)?.path).toBe("/fields/items/0/sizes");
  });

  it("leaves members of every object alone", () => {
    const given = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as JsonObject;
    expect(faultOf(() => match(given)).message).toContain("__proto__, constructor");
  });
});
