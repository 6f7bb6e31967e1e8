/** Where the benches find real documents and the programs they measure themselves against. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; text_chars?: number };
}

/** The folder named by `--corpus DIR`, `../shared/corpus` unless given. */
export function corpusFolder(args: readonly string[]): string {
  const at = args.indexOf("--corpus");
  return at >= 0 ? (args[at + 1] ?? "") : path.join(import.meta.dirname, "../../../shared/corpus");
}

/** Paths of the corpus' PDFs that open without a password and have a text layer; the hostile ones are left out. */
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
 * Whether there is something to measure; says loudly what is missing.
 * @param program that must be there too
 */
export function canMeasure(corpus: string, program?: string): boolean {
  const missing = [
    ...(existsSync(path.join(corpus, "MANIFEST.json")) ? [] : [`the corpus is not at ${corpus}`]),
    ...(program === undefined || spawnSync(program, ["-v"]).error === undefined ? [] : [`${program} is not installed`]),
  ];
  for (const what of missing) console.warn(`NOT MEASURED: ${what}`);
  return missing.length === 0;
}
