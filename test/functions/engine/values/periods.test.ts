import { describe, expect, it } from "vitest";
import { cardinalOf, scanPeriods, scanTimes } from "../../../../functions/engine/values/periods.ts";

describe("scanPeriods", () => {
  it.each([
    ["within thirty (30) business days of it", "thirty (30) business days", 30, "day"],
    ["a written notice of 5 (five) days", "5 (five) days", 5, "day"],
    ["mit einer Frist von drei Monaten zum Ende", "drei Monaten", 3, "month"],
    ["varsles senest en måned før denne", "en måned", 1, "month"],
    ["une durée de deux années", "deux années", 2, "year"],
    ["no prazo de cinco dias úteis após", "cinco dias úteis", 5, "day"],
    ["dans les 15 jours ouvrables suivants", "15 jours ouvrables", 15, "day"],
    ["at least fifteen days before", "fifteen days", null, "day"],
  ])("reads %s", (line, text, count, unit) => {
    expect(scanPeriods(line)).toEqual([expect.objectContaining({ text, count, unit })]);
  });

  it.each(["under §12 days are counted", "to members and days", "1.12 days"])("reads none in %s", (line) => {
    expect(scanPeriods(line)).toEqual([]);
  });
});

describe("scanTimes", () => {
  it.each([
    ["La séance est ouverte à 16h05.", ["16h05"]],
    ["The meeting begins at 7:30 a.m. on Monday", ["7:30 a.m."]],
    ["from 9 am to 17:00", ["9 am", "17:00"]],
    ["a ratio of 1:2, 25:00 and 14 hours", []],
  ])("reads the times in %s", (line, times) => {
    expect(scanTimes(line).map(({ text }) => text)).toEqual(times);
  });
});

describe("cardinalOf", () => {
  it("reads number words of the language only", () => {
    expect([cardinalOf("to", "da"), cardinalOf("to", "en"), cardinalOf("zwolf", "de")]).toEqual([2, null, 12]);
  });
});
