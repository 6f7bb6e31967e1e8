import { describe, expect, it } from "vitest";
import { parseExpression } from "../../../../../functions/engine/templates/office/tag-expression.ts";
import {
  applyFilters,
  checkFilters,
  valueTypeOf,
} from "../../../../../functions/engine/templates/office/tag-formats.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const apply = (filters: string, value: Json | undefined) =>
  applyFilters(value, parseExpression(`x | ${filters}`).filters, "x");

describe("applyFilters", () => {
  it.each([
    ['format("d MMMM yyyy", "de")', "2026-03-05", "5 März 2026"],
    ['format("EEEE, dd.MM.yy HH:mm", "de")', "2026-03-05T08:09:00Z", "Donnerstag, 05.03.26 08:09"],
    ['format("d MMMM yyyy", "cs")', "2026-03-05", "5 března 2026"],
    ['format("LLLL yyyy", "cs")', "2026-03-05", "březen 2026"],
    ["format(\"d 'of' MMM\")", "2026-12-31", "31 of Dec"],
    ['number("de", 2)', 1234.5, "1.234,50"],
    ["number(0)", "1234.4", "1,234"],
    ['currency("EUR", "en")', 12, "€12.00"],
    ['percent("en")', 0.25, "25%"],
    ["upper", "straße", "STRASSE"],
    ['join("; ")', ["a", 1], "a; 1"],
    ['default("none")', undefined, "none"],
    ["number", undefined, undefined],
  ])("%s of %j is %j", (filters, value, shown) => {
    expect(apply(filters, value)).toBe(shown);
  });

  it("names the field of a value that a filter does not take", () => {
    expect(() => apply('format("d.M.yyyy")', "31 April")).toThrow("The field x takes a date, such as 2026-01-31");
    expect(() => apply('format("d.M.yyyy")', "2026-04-31")).toThrow(/takes a date/);
    expect(() => apply("number", "many")).toThrow("The field x takes a number, such as 1234.5");
  });
});

describe("checkFilters", () => {
  it.each(["shell", 'format("rm -rf")', 'number("no locale")', 'currency("Euro")', "number(99)", "upper(1, 2)"])(
    "refuses %s",
    (filters) => {
      expect(() => checkFilters(parseExpression(`x | ${filters}`))).toThrow(/./);
    },
  );

  it("tells the type of the values", () => {
    expect(valueTypeOf(parseExpression("x | number"))).toBe("number");
    expect(valueTypeOf(parseExpression('x | format("yyyy")'))).toBe("date");
    expect(valueTypeOf(parseExpression("x | upper"))).toBeNull();
  });
});
