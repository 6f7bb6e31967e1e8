/** The project's pages in Markdown, and their fenced code blocks. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface CodeBlock {
  /** The first word of the info string: `sh`, `console`, `ts`, `json` … */
  language: string;
  /** The rest of the info string, which readers do not see. */
  note: string;
  text: string;
  /** Line of the opening fence, from 1. */
  line: number;
  /** Nothing but blank lines stands between the block before and this one. */
  follows: boolean;
}

export interface DocPage {
  /** Relative to the repository, with slashes. */
  path: string;
  text: string;
  blocks: CodeBlock[];
}

function blocksOf(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: (CodeBlock & { fence: string; lines: string[] }) | undefined;
  let follows = false;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^(`{3,})(\S*) ?(.*)$/.exec(line);
    if (open !== undefined) {
      if (line.trimEnd() === open.fence) {
        const { fence: _fence, lines, ...block } = open;
        blocks.push({ ...block, text: lines.join("\n") });
        open = undefined;
        follows = true;
      } else open.lines.push(line);
    } else if (fence !== null) {
      const [, marks = "", language = "", note = ""] = fence;
      open = { language, note, text: "", line: index + 1, follows, fence: marks, lines: [] };
    } else if (line.trim() !== "") follows = false;
  }
  if (open !== undefined) throw new Error(`The code block of line ${open.line} is not closed`);
  return blocks;
}

/** @param path relative to the repository */
export function readDocPage(path: string): DocPage {
  const text = readFileSync(join(ROOT, path), "utf8");
  return { path, text, blocks: blocksOf(text) };
}

const TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/** Every page that the project publishes, docs/ with its folders. */
export function docPages(): DocPage[] {
  const below = readdirSync(join(ROOT, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  return [...TOP, ...below.sort()].map(readDocPage);
}

/** Languages whose blocks are commands. */
const SHELLS = new Set(["sh", "bash", "shell", "console"]);

/**
 * The place where the commands of a block run; `sh cloud` runs on a deployment, `sh package` in an empty folder with the
 * package that `npm pack` makes, `sh not-run: REASON` nowhere.
 */
export type Runs = { where: "service" | "cloud" | "package" } | { where: "nowhere"; why: string };

/** @returns undefined for blocks that are no commands @throws Error for a note that says nothing known */
export function runsOf({ language, note, line }: CodeBlock): Runs | undefined {
  if (!SHELLS.has(language) && language !== "ts") return undefined;
  if (note === "") return { where: "service" };
  if (note === "cloud" || note === "package") return { where: note };
  const why = /^not-run: (.+)$/.exec(note)?.[1];
  if (why === undefined) throw new Error(`Line ${line}: '${note}' is no note of a block that runs`);
  return { where: "nowhere", why };
}

/** Checks the types of an example, then runs it. */
const scriptOf = (example: string): string =>
  ["cat > example.ts <<'EXAMPLE'", example, "EXAMPLE", "npx tsc -p tsconfig.example.json", "node example.ts"].join(
    "\n",
  );

export interface Command {
  script: string;
  /** Its output, when the page has it. */
  output: string | undefined;
  line: number;
}

/**
 * The commands of a page. `console`: each `$ ` line with the output below it. `sh`: the whole block is one script; a
 * `text` block that follows at once is its output. `ts`: an example that is type-checked and run.
 */
export function commandsOf(page: DocPage, where: "service" | "cloud" | "package"): Command[] {
  return page.blocks.flatMap((block, index): Command[] => {
    const { language, text, line } = block;
    if (runsOf(block)?.where !== where) return [];
    if (language === "console") {
      const steps = text.split(/^\$ /m).slice(1);
      return steps.map((step) => {
        const [script = "", ...output] = step.trimEnd().split("\n");
        return { script, output: output.join("\n"), line };
      });
    }
    if (language === "ts") return [{ script: scriptOf(text), output: undefined, line }];
    const next = page.blocks[index + 1];
    const output = next?.language === "text" && next.follows ? next.text : undefined;
    return [{ script: text, output, line }];
  });
}
