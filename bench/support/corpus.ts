/** The corpus of real documents, and the yardsticks' programs. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; text_chars?: number };
}

/** The folder of `--corpus DIR`; default `../shared/corpus`. */
export function corpusFolder(args: readonly string[]): string {
  const at = args.indexOf("--corpus");
  return at >= 0 ? (args[at + 1] ?? "") : path.join(import.meta.dirname, "../../../shared/corpus");
}

/** Paths of the corpus' PDFs with a text layer and without a password; the hostile ones are left out. */
export async function textPdfs(corpus: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  return manifest.files
    .filter(({ path: file, facts }) => {
      const characters = facts.text_layer_chars ?? facts.text_chars ?? 0;
      return file.endsWith(".pdf") && !file.startsWith("hostile/") && characters > 0;
    })
    .map(({ path: file }) => path.join(corpus, file));
}

/**
 * True when corpus and program are there; prints loudly what is missing.
 * @param program that the bench needs
 */
export function canMeasure(corpus: string, program?: string): boolean {
  const missing = [
    ...(existsSync(path.join(corpus, "MANIFEST.json")) ? [] : [`the corpus is not at ${corpus}`]),
    ...(program === undefined || spawnSync(program, ["-v"]).error === undefined ? [] : [`${program} is not installed`]),
  ];
  for (const what of missing) console.warn(`NOT MEASURED: ${what}`);
  return missing.length === 0;
}
