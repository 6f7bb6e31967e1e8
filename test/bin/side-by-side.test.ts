/** The checks of `npm test` run at the same time: what they say, and that each of them counts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const PROGRAM = resolve(import.meta.dirname, "../support/side-by-side.mjs");
const SCRIPTS = {
  good: `node -e "console.log('all is well')"`,
  bad: `node -e "console.error('a fault'); process.exitCode = 3"`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sheaf-side-by-side-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: SCRIPTS }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [["good"], 0, /^all is well\n$/],
  [["good", "bad"], 1, /a fault\n/],
  [["bad", "good"], 1, /all is well\n/],
])("side-by-side.mjs runs the scripts %j, shows what they say, and exits with %i", (scripts, status, said) => {
  const run = spawnSync(process.execPath, [PROGRAM, ...scripts], { cwd: folder, encoding: "utf8" });
  expect(run.status).toBe(status);
  expect(run.stdout).toMatch(said);
});
