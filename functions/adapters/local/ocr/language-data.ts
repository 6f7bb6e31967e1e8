/** Language data of the embedded engine: npm packages, one a language. */
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** Tesseract's names of languages and scripts: `eng`, `deu`, `chi_sim_vert`. */
const LANGUAGE_NAME = /^[a-z]{3}(?:_[a-z]{3,5}){0,2}$/i;

/** Checks the names of languages. @throws Error with a sentence for the operator: no language, or an invalid name */
export function checkLanguageNames(langs: readonly string[]): void {
  if (langs.length === 0) throw new Error("Text recognition needs at least one language, such as eng");
  const wrong = langs.find((lang) => !LANGUAGE_NAME.test(lang));
  if (wrong !== undefined) throw new Error(`Text recognition knows no language "${wrong}"; its names are such as eng`);
}

/** Data file of a language: integers rounded from the best models. @throws Error that names the missing package */
export function languageFile(lang: string): string {
  const name = `@tesseract.js-data/${lang}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "4.0.0_best_int", `${lang}.traineddata.gz`);
  } catch (cause) {
    throw new Error(`Text recognition in "${lang}" needs its data: npm install ${name}`, { cause });
  }
}
