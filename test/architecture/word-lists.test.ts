/** Words of languages stand in the language files. Reads the source for such words elsewhere. */
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { foldText } from "../../functions/engine/values/text-folding.ts";
import { LANGUAGE_CODES, languageFile } from "../../functions/engine/values/vocabulary/languages.ts";
import { filesBelow, sourceOf } from "../support/import-graph.ts";

/** Words of code and English prose that some language has too. */
const SHARED = new Set(
  (
    "applicable articles base capital declaration element elements execution expire fact fine lies mentions modulo para piece port present reserve " +
    "route salutations stand stuck unite care extras fire gate local million operator rest symbol system till " +
    // Formal: a currency, an alliance of stock numbers, letters behind VAT ids, the numbers of French companies, a format, a country.
    "euro nato mwst siren siret factur romania " +
    // Names of fonts.
    "deja sans"
  ).split(" "),
);

const MIN_WORD_LETTERS = 4;
const WORD = new RegExp(`\\p{L}{${MIN_WORD_LETTERS},}`, "gu");

const stringsIn = (part: unknown): string[] =>
  typeof part === "string"
    ? [part]
    : typeof part === "object" && part !== null
      ? Object.values(part).flatMap(stringsIn)
      : [];

const wordsIn = (text: string): string[] => foldText(text).match(WORD) ?? [];

const ENGLISH = new Set(stringsIn(languageFile("en")).flatMap(wordsIn));
const FOREIGN = new Set(
  LANGUAGE_CODES.flatMap((code) => stringsIn(languageFile(code)).flatMap(wordsIn)).filter(
    (word) => !ENGLISH.has(word) && !SHARED.has(word),
  ),
);

/** Source without comments, types and imports; names split into their words. */
function codeOf(source: string): string {
  const { code } = transformSync(source, { loader: "ts", minifyWhitespace: true, charset: "utf8" });
  return code.replace(/\b(?:import|export)\b[^"';]*?from"[^"]+";?/g, "").replace(/([a-z])([A-Z])/g, "$1 $2");
}

const foreignWordsIn = (source: string): string[] => [
  ...new Set(wordsIn(codeOf(source)).filter((word) => FOREIGN.has(word))),
];

describe("words of languages", () => {
  it.each<[string, string, string[]]>([
    ["a list", 'const A = new Set(["januari", "maart"]);', ["januari", "maart"]],
    ["an expression", "const A = /^(?:invoice|fattura|facture)$/;", ["fattura", "facture"]],
    ["a comment", "// `Rechnung`, `fattura`\nconst a = 1;", []],
    ["English", 'const A = ["invoice", "total", "The route is not there"];', []],
  ])("are found in %s", (_, source, words) => {
    expect(foreignWordsIn(source)).toEqual(words);
  });

  it("stand nowhere but in the language files", () => {
    const files = filesBelow("functions").filter((file) => file.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => foreignWordsIn(sourceOf(file)).map((word) => `${file}: ${word}`));
    expect(found).toEqual([]);
  });
});
