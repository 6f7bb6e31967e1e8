import { describe, expect, it } from "vitest";
import {
  innerScope,
  isShown,
  lookUp,
  outerScope,
  parseExpression,
  sectionScopes,
} from "../../../../../functions/engine/templates/office/tag-expression.ts";

describe("parseExpression", () => {
  it("reads a path and filters with arguments", () => {
    expect(parseExpression(' order.total | currency("EUR", "de") | trim ')).toEqual({
      path: ["order", "total"],
      filters: [
        { name: "currency", args: ["EUR", "de"] },
        { name: "trim", args: [] },
      ],
    });
    expect(parseExpression("x | number(2)").filters).toEqual([{ name: "number", args: [2] }]);
    expect(parseExpression("x | join(' | ')").filters).toEqual([{ name: "join", args: [" | "] }]);
  });

  it("takes the quotes that word processors write", () => {
    expect(parseExpression("d | format(“d. MMMM yyyy”, ‘de’)").filters[0]?.args).toEqual(["d. MMMM yyyy", "de"]);
  });

  it("names the item itself by a full stop", () => {
    expect(parseExpression(".").path).toEqual([]);
  });

  it.each(["a + b", "a()", "a[0]", "", "a..b", "if x == 1", "% if x %", "a | f(b)", "a | ", "a | f(1", "`x`"])(
    "refuses %j",
    (text) => {
      expect(() => parseExpression(text)).toThrow(/./);
    },
  );
});

describe("lookUp", () => {
  const scope = innerScope({ name: "inner", list: [1] }, outerScope({ name: "outer", company: { city: "Bern" } }));

  it("takes the innermost scope that has the name", () => {
    expect(lookUp(scope, ["name"])).toBe("inner");
    expect(lookUp(scope, ["company", "city"])).toBe("Bern");
    expect(lookUp(scope, ["company", "name"])).toBeUndefined();
  });

  it.each([["constructor"], ["__proto__"], ["name", "length"], ["list", "length"], ["toString"]])(
    "has no inherited member %s",
    (...path) => {
      expect(lookUp(scope, path)).toBeUndefined();
    },
  );

  it("repeats a section for each item, and shows a condition once", () => {
    const values = outerScope({ items: [1, 2], yes: true, no: false, empty: [], one: { name: "x" } });
    const counts = ["items", "yes", "no", "empty", "one", "absent"].map((name) => [
      sectionScopes(values, [name], false).length,
      sectionScopes(values, [name], true).length,
    ]);
    expect(counts).toEqual([
      [2, 0],
      [1, 0],
      [0, 1],
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
    expect(isShown("false")).toBe(true);
  });
});
