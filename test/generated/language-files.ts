/** The list of the language files, made from their folder. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/import-graph.ts";
import { WRITTEN_BY } from "./written-by.ts";

const FOLDER = "functions/engine/values/vocabulary";
export const LANGUAGE_LIST = `${FOLDER}/language-files.ts`;
/** ISO 639-1. */
const LANGUAGE_FILE = /^([a-z]{2})\.json$/;

interface Ordered {
  code: string;
  order: number;
}

/** Languages by the `order` of their files, then those without one, by their codes. */
export const inOrder = (languages: readonly Ordered[]): string[] =>
  languages.toSorted((a, b) => a.order - b.order || (a.code < b.code ? -1 : 1)).map(({ code }) => code);

function orderOf(name: string): number {
  const { order } = JSON.parse(readFileSync(join(ROOT, FOLDER, name), "utf8")) as { order?: unknown };
  return typeof order === "number" ? order : Number.MAX_SAFE_INTEGER;
}

/** @throws SyntaxError for a file that is no JSON */
export function languageFiles(): Map<string, string> {
  const names = readdirSync(join(ROOT, FOLDER)).sort();
  const languages = names.flatMap((name): Ordered[] => {
    const code = LANGUAGE_FILE.exec(name)?.[1];
    return code === undefined ? [] : [{ code, order: orderOf(name) }];
  });
  const imports = languages.map(({ code }) => `import ${code} from "./${code}.json" with { type: "json" };\n`);
  const list = `export const LANGUAGE_FILES = { ${inOrder(languages).join(", ")} };\n`;
  const text = `/** The files of all languages, in their order. ${WRITTEN_BY} */\n${imports.join("")}\n${list}`;
  return new Map([[LANGUAGE_LIST, text]]);
}
