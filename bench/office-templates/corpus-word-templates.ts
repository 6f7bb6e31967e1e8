/** The Word templates of the corpus. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWord } from "../../functions/engine/templates/word/word-template.ts";
import { AppError } from "../../functions/ports/errors.ts";

export interface WordFacts {
  placeholders: Record<string, number>;
  placeholder_examples: string[];
  content_controls: number;
  legacy_form_fields: number;
  syntax: string;
  expect?: string;
}

interface Entry {
  path: string;
  facts: WordFacts;
}

export interface CorpusWordTemplates {
  /** Templates with fields, by file name. */
  filled: Map<string, Uint8Array>;
  /** The refusal of each other one. */
  refused: Map<string, string>;
  facts: Map<string, WordFacts>;
}

/** @param corpus folder with the manifest */
export async function corpusWordTemplates(corpus: string): Promise<CorpusWordTemplates> {
  const manifest = JSON.parse(await readFile(join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const found: CorpusWordTemplates = { filled: new Map(), refused: new Map(), facts: new Map() };
  for (const { path, facts } of manifest.files) {
    if (!/^office-templates\/.*\.do[ct]x$/u.test(path)) continue;
    const name = path.slice("office-templates/".length);
    const bytes = await readFile(join(corpus, path));
    found.facts.set(name, facts);
    try {
      await describeWord(bytes);
      found.filled.set(name, bytes);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "UnprocessableEntity") throw error;
      found.refused.set(name, error.message);
    }
  }
  return found;
}
