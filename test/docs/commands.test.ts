/** The commands of every page are run by one part of test/e2e/docs, or by the full suite. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandsOf, docPages, ROOT, readDocPage } from "../support/doc-pages.ts";

const PARTS = "test/e2e/docs";
const LONG_PART = "test/full/documented-commands.test.ts";

/** The pages that a part names. */
const pagesOf = (part: string): string[] =>
  [...readFileSync(join(ROOT, part), "utf8").matchAll(/"([^"]+\.md)"/g)].map(([, page = ""]) => page);

it("each page with commands belongs to exactly one part, and no part names another page", () => {
  const parts = readdirSync(join(ROOT, PARTS)).map((part) => join(PARTS, part));
  const run = [...parts, LONG_PART].flatMap(pagesOf);
  const pages = docPages().filter((page) => commandsOf(page, "service").length > 0);
  expect(run.sort()).toEqual(pages.map(({ path }) => path).sort());
});

it("the README has commands to run", () => {
  expect(commandsOf(readDocPage("README.md"), "service").length).toBeGreaterThanOrEqual(7);
});
