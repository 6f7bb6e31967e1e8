import { describe, expect, it } from "vitest";
import { builtInFormat, NumberFormat } from "../../../../../../functions/engine/readers/office/xlsx/cell-format.ts";
import { type DateSystem, toIso } from "../../../../../../functions/engine/readers/office/xlsx/serial-dates.ts";

const shown = (code: string, value: number, system: DateSystem = 1900): string =>
  new NumberFormat(code).number(value, system);

describe("NumberFormat numbers", () => {
  it.each([
    ["General", 0.1 + 0.2, "0.3"],
    ["General", 4006381333931, "4006381333931"],
    ["General", 1e21, "1E+21"],
    ["General", -5, "-5"],
    ["0", 2.5, "3"],
    ["0.00", 1.005, "1.01"],
    ["0.00", -1234.5, "-1234.50"],
    ["#,##0", 1234567, "1,234,567"],
    ["#,##0.00", 0.5, "0.50"],
    ["#,###", 0, ""],
    ["#.##", 1.5, "1.5"],
    ["0%", 0.256, "26%"],
    ["0.0%", 0.256, "25.6%"],
    ["#,##0,", 1234567, "1,235"],
    ['0.0,," M"', 1234567, "1.2 M"],
    ["0.00E+00", 12345, "1.23E+04"],
    ["0.00E+00", 0.00012, "1.20E-04"],
    ["000-00-0000", 123456789, "123-45-6789"],
    ["00000", 42, "00042"],
    ['"Nr. "0', 7, "Nr. 7"],
    ["0\\ \\k\\g", 3, "3 kg"],
    [".00", 0.5, ".50"],
  ])("format %s of %d", (code, value, text) => {
    expect(shown(code, value)).toBe(text);
  });

  it("follow sections for signs, zero, conditions and colours", () => {
    const accounting = '#,##0.00_);[Red](#,##0.00);"-"??';
    expect([1234.5, -1234.5, 0].map((value) => shown(accounting, value))).toEqual(["1,234.50", "(1,234.50)", "-"]);
    expect([150, 50].map((value) => shown('[>=100]"many";[<100]0', value))).toEqual(["many", "50"]);
    expect([1, -1].map((value) => shown("0;-0", value))).toEqual(["1", "-1"]);
    expect(shown("General;(General)", -3)).toBe("(3)");
  });

  it("keep the currency of the format", () => {
    expect(shown("[$€-407] #,##0.00", 1234.5)).toBe("€ 1,234.50");
    expect(shown("#,##0.00\\ [$CHF-807]", 9)).toBe("9.00 CHF");
    expect(shown(builtInFormat(7), -5)).toBe("($5.00)");
  });
});

describe("NumberFormat dates", () => {
  it.each([
    ["yyyy-mm-dd", 45_292, "2024-01-01"],
    ["d. mmmm yyyy", 45_366, "15. March 2024"],
    ["ddd dd/mm/yy", 45_366, "Fri 15/03/24"],
    ["dd.mm.yyyy", 45_366.75, "15.03.2024"],
    ["h:mm", 0.75, "18:00"],
    ["h:mm AM/PM", 0.75, "6:00 PM"],
    ["mm:ss", 0.5 / 24, "30:00"],
    ["hh:mm:ss.00", 0.5 + 1.25 / 86_400, "12:00:01.25"],
    ["[h]:mm", 1.5, "36:00"],
    ["[$-409]d-mmm-yy;@", 45_292, "1-Jan-24"],
    ["mmm\\-yy", 45_292, "Jan-24"],
    ["yyyy\\/m\\/d", 60, "1900/2/29"],
    ["yyyy-mm-dd", 59, "1900-02-28"],
    ["yyyy-mm-dd", 61, "1900-03-01"],
  ])("format %s of %d", (code, value, text) => {
    expect(shown(code, value)).toBe(text);
  });

  it("count from 1904 where the workbook says so", () => {
    expect(shown("yyyy-mm-dd", 0, 1904)).toBe("1904-01-01");
    expect(toIso(45_292 - 1_462, 1904, false)).toBe("2024-01-01");
  });

  it("are distinguished from numbers and durations", () => {
    const kinds = ["yyyy", "0.00", "[h]:mm", "h:mm", '"day" 0', "General", "#,##0 [$dm-407]"].map(
      (code) => new NumberFormat(code).isDate,
    );
    expect(kinds).toEqual([true, false, false, true, false, false, false]);
  });

  it("convert to ISO 8601: a day, a time of day, or both", () => {
    expect(toIso(45_292, 1900, false)).toBe("2024-01-01");
    expect(toIso(45_292.5, 1900, false)).toBe("2024-01-01T12:00:00");
    expect(toIso(0.25, 1900, true)).toBe("06:00:00");
    for (const impossible of [-1, 3_000_000, Number.NaN]) expect(toIso(impossible, 1900, false)).toBeUndefined();
  });

  it("show impossible dates as numbers", () => {
    expect(shown("yyyy-mm-dd", 3_000_000)).toBe("3000000");
  });
});

it("NumberFormat.text follows the text section of a format", () => {
  expect(new NumberFormat('0;-0;0;"Note: "@').text("x")).toBe("Note: x");
  expect(new NumberFormat("0.00").text("x")).toBe("x");
});

it("NumberFormat accepts a code with unclosed quotes or brackets", () => {
  for (const code of ['"abc', "[Red", "\\", "0.0.0.0", "%%%", `${"#".repeat(10_000)}`]) {
    expect(typeof shown(code, 12.5)).toBe("string");
  }
});
