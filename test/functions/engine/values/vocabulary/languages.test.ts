import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faultsOf } from "../../../../../functions/engine/values/vocabulary/language-file.ts";
import {
  LANGUAGE_CODES,
  languageFile,
  wordsByKey,
  wordsOf,
} from "../../../../../functions/engine/values/vocabulary/languages.ts";
import { NEIGHBOUR_FILES } from "../../../../../functions/engine/values/vocabulary/neighbour-files.ts";
import neighbours from "../../../../../functions/engine/values/vocabulary/neighbours.json" with { type: "json" };
import { anyOf } from "../../../../../functions/engine/values/vocabulary/word-patterns.ts";

const FOLDER = join(import.meta.dirname, "../../../../../functions/engine/values/vocabulary");
const german = languageFile("de");

/** The words of a file, wherever they stand. */
const wordsIn = (part: unknown): string[] =>
  typeof part === "string"
    ? [part]
    : typeof part === "object" && part !== null
      ? Object.values(part).flatMap(wordsIn)
      : [];

describe("the languages", () => {
  it("are the files of their folder", () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json") && name !== "neighbours.json");
    expect(files.sort()).toEqual(LANGUAGE_CODES.map((code) => `${code}.json`).sort());
  });

  it("have places of their own in the order", () => {
    const places = LANGUAGE_CODES.flatMap((code) => languageFile(code).order ?? []);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    expect(LANGUAGE_CODES.slice(0, 6)).toEqual(["en", "de", "fr", "es", "nl", "it"]);
  });

  it("have a test each", () => {
    const untested = LANGUAGE_CODES.filter((code) => !existsSync(join(import.meta.dirname, `${code}.test.ts`)));
    expect(untested).toEqual([]);
  });

  it.each(LANGUAGE_CODES)("%s: patterns are regular expressions", (code) => {
    const { concepts: _, ...patterns } = languageFile(code);
    for (const word of wordsIn(patterns)) expect(() => new RegExp(anyOf([word]), "u"), word).not.toThrow();
  });

  it("give their words in their order, each once", () => {
    expect(wordsOf(({ totals }) => totals.taxes).slice(0, 5)).toEqual(["tax", "taxes", "vat", "gst", "sales tax"]);
    expect(wordsOf(({ answers }) => answers.yes).filter((word) => word === "ja")).toHaveLength(1);
  });

  it("count the words of their neighbours", () => {
    expect(wordsOf(({ parties }) => parties.countries)).toContain("sverige");
    expect(wordsByKey(({ currencies }) => currencies).get("SEK")).toEqual(["swedish kron*", "svenska kronor"]);
  });

  it.each([neighbours, ...NEIGHBOUR_FILES].map((words, at): [number, object] => [at, words]))(
    "have neighbours without faults: file %i",
    (_, words) => {
      const { order: __, ...sections } = languageFile("en");
      const filled = Object.entries(sections).map(([section, members]) => [
        section,
        { ...Object(members), ...Object(Object(words)[section]) },
      ]);
      expect(Object.keys(words).filter((section) => !Object.hasOwn(german, section))).toEqual([]);
      expect(faultsOf(Object.fromEntries(filled))).toEqual([]);
      const { concepts: ___, ...patterns } = words as unknown as Partial<typeof german>;
      for (const word of wordsIn(patterns)) expect(() => new RegExp(anyOf([word]), "u"), word).not.toThrow();
    },
  );

  it("have every file of the neighbours' folder", () => {
    const files = readdirSync(join(FOLDER, "neighbours"));
    expect(NEIGHBOUR_FILES).toHaveLength(files.length);
  });
});

describe("a language file's faults", () => {
  const { totals, dates, concepts, grammar } = german;

  it.each<[string, unknown, string]>([
    ["a missing section", { ...german, totals: undefined }, "totals is missing"],
    ["a missing member", { ...german, totals: { ...totals, sums: undefined } }, "totals.sums is missing"],
    ["an unknown member", { ...german, tones: [] }, "The file has no member tones"],
    [
      "an empty list",
      { ...german, totals: { ...totals, sums: [] } },
      "totals.sums must not be empty; leave it out instead",
    ],
    ["a word twice", { ...german, totals: { ...totals, sums: ["summe", "summe"] } }, "totals.sums has a word twice"],
    [
      "a word with spaces around it",
      { ...german, grammar: { ...grammar, and: [" und"] } },
      "grammar.and.0 must be a word without spaces around it",
    ],
    [
      "eleven months",
      { ...german, dates: { ...dates, months: dates.months.slice(1) } },
      "dates.months must have twelve months",
    ],
    [
      "a concept without words",
      { ...german, concepts: { ...concepts, iban: {} } },
      "concepts.iban must have names, labels or weak labels; leave it out instead",
    ],
    [
      "an unknown concept",
      { ...german, concepts: { ...concepts, tone: { labels: ["ton"] } } },
      "concepts has no member tone",
    ],
  ])("tell of %s", (_, file, sentence) => {
    const faults = faultsOf(file);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(sentence);
  });

  it("are none in a file whose optional members are absent", () => {
    const { letters: _, currencies: __, ...rest } = german;
    expect(faultsOf(rest)).toEqual([]);
  });
});
