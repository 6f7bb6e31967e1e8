/**
 * The requirements that the service is held to, read from `requirements/*.txt`. A file is a chapter: its first line is
 * the title behind `#`, other lines behind `#` begin a section, and a requirement is a line of columns:
 *
 *     kind | name | test, or `not built: a subject`
 *
 * Further tests stand on lines of their own that begin with `+`. A test is `file > title > title`, the file below test/
 * without `.test.ts`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Requirement {
  chapter: string;
  section: string;
  kind: string;
  name: string;
  /** As `file > title > title`. */
  tests: string[];
  /** The subject that is still to be built; undefined for what is there. */
  notBuilt?: string;
}

export const FOLDER = join(import.meta.dirname, "requirements");
/** What a requirement may be about. */
export const KINDS = [
  "route",
  "status",
  "query",
  "member",
  "header",
  "answer",
  "value",
  "rule",
  "sentence",
  "setting",
  "command",
  "artifact",
];
const NOT_BUILT = "not built: ";

/** @throws Error naming file and line of what is no requirement */
export function parseChapter(text: string, file: string): Requirement[] {
  const requirements: Requirement[] = [];
  let chapter: string | undefined;
  let section = "";
  for (const [index, line] of text.split("\n").entries()) {
    const fail = (why: string): Error => new Error(`${file}:${index + 1}: ${why}`);
    if (line.trim() === "") continue;
    if (line.startsWith("# ")) {
      section = line.slice(2).trim();
      chapter ??= section;
      continue;
    }
    const last = requirements.at(-1);
    if (line.startsWith("+ ")) {
      if (last === undefined || last.notBuilt !== undefined) throw fail("no requirement stands before this test");
      last.tests.push(line.slice(2).trim());
      continue;
    }
    const [kind = "", name = "", held = "", ...more] = line.split(" | ").map((one) => one.trim());
    if (chapter === undefined) throw fail("the first line is the chapter's title");
    if (!KINDS.includes(kind)) throw fail(`${kind} is no kind of requirement`);
    if (name === "" || held === "" || more.length > 0) throw fail("a requirement has three columns");
    const common = { chapter, section, kind, name };
    if (held.startsWith(NOT_BUILT)) requirements.push({ ...common, tests: [], notBuilt: held.slice(NOT_BUILT.length) });
    else requirements.push({ ...common, tests: [held] });
  }
  return requirements;
}

/** All requirements, in the order of the files' names. */
export function readRequirements(): Requirement[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((name) => parseChapter(readFileSync(join(FOLDER, name), "utf8"), name));
}
