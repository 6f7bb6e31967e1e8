/** Links, paths, scripts, benches, routes and settings that the published pages name exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../../functions/api/routes.ts";
import project from "../../package.json" with { type: "json" };
import { docPages, ROOT, readDocPage, runsOf } from "../support/doc-pages.ts";

const pages = docPages();
const MAX_README_LINES = 200;
/** Blocks of commands that nobody runs; each has its reason beside it. */
const MAX_NOT_RUN = 6;
const MAX_IMAGE_BYTES = 150_000;

/** As GitHub makes them of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** A page without its code blocks. */
const proseOf = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, "");

const anchorsOf = (text: string): string[] => {
  const all = [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  return all.map((anchor, index) => {
    const before = all.slice(0, index).filter((one) => one === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};

const linksOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Everything between single backticks, on pages and in their diagrams. */
const codeOf = (text: string): string[] => [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() && !["node_modules", "cdk.out", "demo-output", ".git", ".sheaf"].includes(entry.name),
  )
  .map(({ name }) => name);
/** A path below one of the repository's folders, without placeholders: `tasks/x.ts` of a folder that is meant. */
const isPath = (code: string): boolean =>
  /^[\w.@-]+(\/[\w.@*-]+)*\/?$/.test(code) && code.includes("/") && FOLDERS.includes(code.split("/")[0] ?? "");
const isPlaceholder = (path: string): boolean => /\*|(^|\/)(x|NAME)(\.|$)/.test(path);

describe("README.md", () => {
  it(`has at most ${MAX_README_LINES} lines`, () => {
    expect(readDocPage("README.md").text.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it("links every page of docs/", () => {
    const links = linksOf(readDocPage("README.md").text);
    const unlinked = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/[^/]+\.md$/.test(path) && !links.includes(path));
    expect(unlinked).toEqual([]);
  });
});

describe("Published pages", () => {
  it.each(pages.map(({ path, text }) => [path, text] as const))(
    "%s: every relative link leads to a file and a heading",
    (path, text) => {
      const broken = linksOf(text).filter((link) => {
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(join(ROOT, target), "utf8")).includes(anchor);
      });
      expect(broken).toEqual([]);
    },
  );

  it.each(pages.filter(({ path }) => path !== "CHANGELOG.md").map(({ path, text }) => [path, text] as const))(
    "%s: every path of the repository exists",
    (_path, text) => {
      const missing = codeOf(text).filter(
        (code) => isPath(code) && !isPlaceholder(code) && !existsSync(join(ROOT, code)),
      );
      expect(missing).toEqual([]);
    },
  );

  it("name paths where the architecture and the contributions are explained", () => {
    for (const path of ["docs/architecture.md", "CONTRIBUTING.md"]) {
      expect(codeOf(readDocPage(path).text).filter(isPath).length, path).toBeGreaterThan(15);
    }
  });

  it.each(pages.map(({ path, text }) => [path, text] as const))(
    "%s: every script and every bench exists",
    (_path, text) => {
      const scripts = [...text.matchAll(/npm run (?:-s )?(\w[\w:-]*)/g)].map(([, name = ""]) => name);
      expect(scripts.filter((name) => !(name in project.scripts))).toEqual([]);
      const benches = [...text.matchAll(/npm run bench -- ([a-z][\w-]*)/g)].map(([, name = ""]) => name);
      expect(benches.filter((name) => !existsSync(join(ROOT, `bench/${name}.ts`)))).toEqual([]);
    },
  );

  it("docs/api.md names every route", () => {
    const documented = readDocPage("docs/api.md").text.replaceAll(/\{\w+\}/g, "{}");
    const unnamed = ROUTES.map(({ path }) => path.replaceAll(/\{\w+\}/g, "{}")).filter((path) => {
      const shortened = `…/${path.split("/").slice(-1)[0]}\``;
      return !documented.includes(path) && !documented.includes(shortened);
    });
    expect(unnamed).toEqual([]);
  });

  it("name settings that the code reads", () => {
    const sources = readdirSync(join(ROOT, "bin"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");
    const tests = readFileSync(join(ROOT, "test/support/target.ts"), "utf8");
    const client = ["connection", "password"].map((name) => readFileSync(join(ROOT, `client/cli/${name}.ts`), "utf8"));
    const all = [sources, tests, ...client].join("\n");
    // The settings of what is not built stand there too.
    const own = pages.filter(({ path }) => path !== "docs/conformance.md");
    const names = own.flatMap(({ text }) => text.match(/\b(SHEAF|OPENAI|LLM)_[A-Z_]+[A-Z]\b/g) ?? []);
    const tiers = /^LLM_MODEL_(NANO|MINI|HIGH)$/;
    expect([...new Set(names)].filter((name) => !tiers.test(name) && !all.includes(name))).toEqual([]);
  });

  it(`leave at most ${MAX_NOT_RUN} blocks of commands unrun, each with a reason`, () => {
    const unrun = pages.flatMap(({ path, blocks }) =>
      blocks.flatMap((block) => {
        const runs = runsOf(block);
        return runs?.where === "nowhere" ? [`${path}:${block.line}: ${runs.why}`] : [];
      }),
    );
    expect(unrun.length, unrun.join("\n")).toBeLessThanOrEqual(MAX_NOT_RUN);
  });

  it("show images of 150 KB at most", () => {
    const folder = join(ROOT, "docs/images");
    const large = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).length > MAX_IMAGE_BYTES);
    expect(large).toEqual([]);
  });
});
