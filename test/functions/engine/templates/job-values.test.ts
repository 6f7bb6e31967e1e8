import { describe, expect, it } from "vitest";
import { valuesOfResult } from "../../../../functions/engine/templates/job-values.ts";
import { encodeJson } from "../../../../functions/ports/json.ts";

describe("valuesOfResult", () => {
  it("leaves out what the document does not have", () => {
    const result = { name: "Ada", born: null, address: { city: null, street: "High St" }, tags: ["a", null] };
    expect(valuesOfResult(encodeJson(result))).toEqual({
      name: "Ada",
      address: { street: "High St" },
      tags: ["a", null],
    });
  });

  it("refuses a result that names no fields", () => {
    for (const result of [[{ name: "Ada" }], "Ada", 3, null]) {
      expect(() => valuesOfResult(encodeJson(result))).toThrow("The result of the job is no object by field name");
    }
  });
});
