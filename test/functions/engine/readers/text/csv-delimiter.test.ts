import { describe, expect, it } from "vitest";
import { countColumns, findDelimiter, parseCsv } from "../../../../../functions/engine/readers/text/csv-delimiter.ts";

describe("findDelimiter", () => {
  it.each([
    ["a,b\n1,2", ","],
    ["a;b\n1;2", ";"],
    ["a\tb\n1\t2", "\t"],
    ["a|b\n1|2", "|"],
    ["no delimiter at all", ","],
    ["Menge;Preis;Summe\n1;2,50;2,50\n3;1,00;3,00", ";"],
    // More commas than semicolons, all within numbers.
    ["1,50;2,50;3,50\n4,50;5,50;6,50", ";"],
    ['"a;b;c",d\n"e;f;g",h', ","],
    ["sep=;\na,b;c\nd,e;f", ";"],
    ["1,2,3\n4,5,6", ","],
  ])("of %j is %j", (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter);
  });
});

describe("parseCsv and countColumns", () => {
  it.each([
    [
      "quotes, doubled ones and line feeds in them",
      'a,"b ""c""\nd",e\r\nf,g,h',
      [
        ["a", 'b "c"\nd', "e"],
        ["f", "g", "h"],
      ],
    ],
    [
      "empty fields, also at the end",
      "a,,\n,b,\n",
      [
        ["a", "", ""],
        ["", "b", ""],
      ],
    ],
    [
      "a quote within a field is a quote",
      'a,5" pipe\nb,c',
      [
        ["a", '5" pipe'],
        ["b", "c"],
      ],
    ],
    ["an unclosed quote runs to the end", 'a,"b\nc,d', [["a", "b\nc,d"]]],
    ["what says which delimiter it is, is no record", "sep=;\na;b", [["a", "b"]]],
  ])("%s", (_, text, records) => {
    expect([...parseCsv(text)]).toEqual(records);
  });

  it("count columns by delimiters; a line with too many is no record", () => {
    expect(countColumns("a,b\n1,2,3\n4")).toBe(3);
    expect(countColumns(`a${",".repeat(20_000)}b`)).toBeUndefined();
  });

  it("read many doubled quotes in time", () => {
    const started = performance.now();
    expect([...parseCsv(`"${'""'.repeat(1_000_000)}",x`)][0]?.[1]).toBe("x");
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
