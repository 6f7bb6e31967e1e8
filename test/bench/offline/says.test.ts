import { describe, expect, it } from "vitest";
import { says } from "../../../bench/offline/says.ts";
import type { Json } from "../../../functions/ports/json.ts";

describe("values stated in a text, read without the extractor's parsers", () => {
  it.each<[string, Json]>([
    ["1.234,56 €", 1234.56],
    ["€ 1,234.56", 1234.56],
    ["1 994.75", 1994.75],
    ["1'540.00", 1540],
    ["1.234", 1234],
    ["1.234", 1.234],
    ["-8,79", -8.79],
    ["(8.79)", -8.79],
    ["8.79-", -8.79],
    ["− € 12", -12],
    ["12.05.2024", "2024-05-12"],
    ["May 12th, 2024", "2024-05-12"],
    ["12 mai 24", "2024-05-12"],
    ["Lünen", "LÜNEN"],
    ["RE 17/4", "RE-17-4"],
    ["1.00 €", "EUR"],
    ["US Dollars", "USD"],
  ])("%s is %j", (text, value) => expect(says(text, value)).toBe(true));

  it.each<[string, Json]>([
    ["8,79", -8.79],
    ["-8,79", 8.79],
    ["1.234,56 7", 1234.56],
    ["19 %", 19],
    ["1.234,57", 1234.56],
    ["12.05.2024 13.05.2024", "2024-05-12"],
    ["12.06.2024", "2024-05-12"],
    ["12 June 2024", "2024-05-12"],
    ["Lünen Süd", "Lünen"],
    ["1.00 €", "USD"],
    ["", "x"],
    ["true", true],
  ])("%s is not %j", (text, value) => expect(says(text, value)).toBe(false));

  it("include a percentage where a rate is expected, and only there", () => {
    expect(says("19 %", 19, true)).toBe(true);
    expect(says("19% 7%", 19, true)).toBe(false);
  });
});
