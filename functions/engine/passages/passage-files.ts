/**
 * The files of a document's passages: one with a passage a line, of which a search reads single lines, and one with
 * their terms, which the index is made of. UTF-8 JSON lines; `v` of the file's name changes with their form.
 */
import { MAX_PASSAGE_CHARS, type Passage } from "./passage.ts";
import { searchTerms } from "./search-terms.ts";

/** A passage for the index: its terms, separated by spaces, and the bytes of its line in the file of passages. */
export interface IndexEntry {
  headings: string;
  text: string;
  start: number;
  bytes: number;
}

const encoder = new TextEncoder();

/** Most characters of the path of headings that are searched: a heading is a line, and a path has up to six. */
const MAX_PATH_CHARS = MAX_PASSAGE_CHARS;

/** Writes passages and their terms. */
export function writePassages(passages: readonly Passage[]): { passages: Uint8Array; terms: Uint8Array } {
  const lines: Uint8Array[] = [];
  const entries: string[] = [];
  let start = 0;
  for (const passage of passages) {
    const line = encoder.encode(`${JSON.stringify(passage)}\n`);
    const headings = searchTerms(passage.headings.join(" ").slice(0, MAX_PATH_CHARS)).join(" ");
    const entry: IndexEntry = { headings, text: searchTerms(passage.text).join(" "), start, bytes: line.length };
    entries.push(`${JSON.stringify(entry)}\n`);
    lines.push(line);
    start += line.length;
  }
  return { passages: Buffer.concat(lines), terms: encoder.encode(entries.join("")) };
}

/** Parses a line of the file of passages. @throws SyntaxError for other bytes */
export const parsePassage = (line: Uint8Array): Passage => JSON.parse(Buffer.from(line).toString("utf8")) as Passage;
