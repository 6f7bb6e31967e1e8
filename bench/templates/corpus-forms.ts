/** The real forms of the corpus, with the counts that independent programs made of them. */
import { readFile } from "node:fs/promises";
import path from "node:path";

export interface CorpusForm {
  /** File name. */
  name: string;
  bytes: Uint8Array;
  facts: { fields: number; types: Record<string, number>; orphan_widgets: number };
}

interface Entry {
  path: string;
  source: { repo: string };
  facts: CorpusForm["facts"];
}

/** Repositories whose forms are kept for an examination from outside; nobody tries code on them before. */
const KEPT_BACK: ReadonlySet<string> = new Set(["pdfcpu/pdfcpu", "chinapandaman/PyPDFForm"]);

export interface CorpusForms {
  forms: CorpusForm[];
  /** Names of the files that are kept back. */
  keptBack: string[];
}

/** @param corpus the folder of MANIFEST.json @param only a part of the file names wanted */
export async function corpusForms(corpus: string, only = ""): Promise<CorpusForms> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const entries = manifest.files.filter(({ path: file }) => file.startsWith("acroforms/") && file.includes(only));
  const isKept = ({ source }: Entry): boolean => KEPT_BACK.has(source.repo);
  const forms: CorpusForm[] = [];
  for (const { path: file, facts } of entries.filter((entry) => !isKept(entry))) {
    forms.push({ name: path.basename(file), bytes: new Uint8Array(await readFile(path.join(corpus, file))), facts });
  }
  return { forms, keptBack: entries.filter(isKept).map(({ path: file }) => path.basename(file)) };
}
