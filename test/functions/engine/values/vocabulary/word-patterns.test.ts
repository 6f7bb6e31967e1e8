import { describe, expect, it } from "vitest";
import { anyFolded, anyOf } from "../../../../../functions/engine/values/vocabulary/word-patterns.ts";

const matches = (source: string, text: string): boolean => new RegExp(`^(?:${source})$`, "u").test(text);

describe("anyOf", () => {
  it.each<[string, string, boolean, string]>([
    ["str.", "str.", true, "a point"],
    ["str.", "stra", false, "a point for any letter"],
    ["*rechnung", "mietrechnung", true, "any letters before"],
    ["*rechnung", "rechnung", true, "no letter before"],
    ["*rechnung", "7rechnung", false, "a digit for a letter"],
    ["mr.?", "mr", true, "an optional point left out"],
    ["relev(ant|é)", "relevé", true, "a choice of endings"],
    ["herrn?", "herr", true, "an optional letter left out"],
    ["estimad[oa]", "estimada", true, "a choice of letters"],
    ["z ?o.o.", "zo.o.", true, "an optional space left out"],
    ["credit note", "credit note", true, "a space"],
    ["UG \\(haftungsbeschränkt\\)", "UG (haftungsbeschränkt)", true, "brackets behind backslashes"],
  ])("%s on %s is %s: %s", (word, text, expected) => {
    expect(matches(anyOf([word]), text)).toBe(expected);
  });

  it("matches any of the words and nothing between them", () => {
    const source = anyOf(["oui", "yes"]);
    expect([matches(source, "oui"), matches(source, "yes"), matches(source, "ouiyes")]).toEqual([true, true, false]);
  });

  it("takes expressions for the rest of a word and for spaces", () => {
    expect(matches(anyOf(["misc*"], { rest: "\\w*" }), "misc_2")).toBe(true);
    expect(matches(anyOf(["de heer"], { space: "\\s+" }), "de \u00a0heer")).toBe(true);
  });
});

describe("anyFolded", () => {
  it("matches folded texts by words in their usual spelling", () => {
    const source = anyFolded(["Übertrag", "reçu", "straße*"]);
    expect(["ubertrag", "recu", "strassen"].map((text) => matches(source, text))).toEqual([true, true, true]);
  });
});
