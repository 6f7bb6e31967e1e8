import { describe, expect, it } from "vitest";
import { datePattern, printedPattern } from "../../../../../functions/engine/forms/write/date-pattern.ts";

describe("printedPattern", () => {
  it.each([
    ["Date of birth (MM/DD/YYYY)", "mm/dd/yyyy"],
    ["Geburtsdatum TT.MM.JJJJ", undefined],
    ["Date dd.mm.yy", "dd.mm.yy"],
    ["yyyy-mm-dd", "yyyy-mm-dd"],
    ["mm / dd / yyyy", "mm/dd/yyyy"],
    ["MMDDYYYY", "mmddyyyy"],
    ["Date", undefined],
    ["m/m/y", undefined],
    ["dummy", undefined],
  ])("reads %s as %s", (label, pattern) => {
    expect(printedPattern(label)).toBe(pattern);
  });
});

describe("datePattern", () => {
  it("is ISO 8601 where the form prints none", () => {
    expect(datePattern("Signed on")).toBe("yyyy-mm-dd");
    expect(datePattern("Signed on (M/D/YY)")).toBe("m/d/yy");
  });

  it("fits the cells, or is none", () => {
    expect(datePattern("MM/DD/YYYY", 10)).toBe("mm/dd/yyyy");
    expect(datePattern("dd.mm.yyyy", 8)).toBe("ddmmyyyy");
    expect(datePattern("Date", 8)).toBe("mmddyyyy");
    expect(datePattern("Date", 6)).toBe("mmddyy");
    expect(datePattern("Date", 5)).toBeUndefined();
  });
});
