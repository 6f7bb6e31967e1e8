/** The words that searches need of all languages, in a file of their own: all words are a hundred times as many. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/import-graph.ts";

const FOLDER = "functions/engine/values/vocabulary";
export const SEARCH_WORDS = "functions/engine/values/search-words.json";

const LISTS = ["endings", "stopWords"] as const;
type Words = { grammar?: { [List in (typeof LISTS)[number]]?: string[] } };

/** @throws SyntaxError for a file that is no JSON */
export function searchWords(): Map<string, string> {
  const files = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  const languages = files.map((name) => JSON.parse(readFileSync(join(ROOT, FOLDER, name), "utf8")) as Words);
  const lists = LISTS.map((list) => [
    list,
    [...new Set(languages.flatMap(({ grammar }) => grammar?.[list] ?? []))].sort(),
  ]);
  return new Map([[SEARCH_WORDS, `${JSON.stringify(Object.fromEntries(lists))}\n`]]);
}
