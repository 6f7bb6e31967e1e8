/** The scans and photos of the corpus: the share of expected texts in the recognised text. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { inspectDocument } from "../../functions/engine/readers/inspect-document.ts";
import { pagePicture } from "../../functions/engine/readers/page-pictures.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import type { PlacedText } from "../support/match.ts";
import type { Reader } from "./engines.ts";
import { foldSimilarCharacters } from "./score.ts";

interface Entry {
  path: string;
  facts: { expected_snippets?: string[]; handwriting?: Record<string, string> };
}

export interface ScanScore {
  file: string;
  snippets: { found: number; all: number };
  handwriting: { found: number; all: number };
}

/** Letters and digits in lower case: spaces and dashes do not count. */
const foldText = (text: string): string =>
  foldSimilarCharacters(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

function countIn(text: string, wanted: readonly string[]): { found: number; all: number } {
  return { found: wanted.filter((one) => text.includes(foldText(one))).length, all: wanted.length };
}

async function readWholeText(file: string, reader: Reader): Promise<string> {
  const bytes = new Uint8Array(await readFile(file));
  const { mimeType } = sniffDocument(bytes, undefined, file);
  const { pageCount } = await inspectDocument(bytes, mimeType);
  const words: PlacedText[] = [];
  for (let index = 0; index < (pageCount ?? 0); index += 1) {
    const picture = await pagePicture(bytes, mimeType, index, { dpi: 200, format: "png", gray: true });
    words.push(...(await reader.read(picture.bytes, picture.frame)).words);
  }
  return foldText(words.map(({ text }) => text).join(" "));
}

/** @param corpus its folder */
export async function readScans(corpus: string, reader: Reader): Promise<ScanScore[]> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const found: ScanScore[] = [];
  for (const { path: file, facts } of manifest.files) {
    if (facts.expected_snippets === undefined || !file.startsWith("scans/")) continue;
    const text = await readWholeText(path.join(corpus, file), reader);
    found.push({
      file,
      snippets: countIn(text, facts.expected_snippets),
      handwriting: countIn(text, Object.values(facts.handwriting ?? {})),
    });
  }
  return found;
}
