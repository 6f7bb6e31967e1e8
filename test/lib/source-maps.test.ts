/** A bundle's deployed source map, read by Node's own reader. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { keepOwnMappings } from "../../lib/source-maps.ts";

const FILES = {
  "node_modules/packaged/index.js": "export function theirs(value) {\n  return [value, 'theirs'];\n}\n",
  "first.ts":
    "import { theirs } from 'packaged';\nexport const first = (value: number) =>\n  theirs(`first ${value}`);\n",
  "entry.ts":
    "import { theirs } from 'packaged';\nimport { first } from './first.ts';\nconsole.log(first(1), theirs('entry'));\n",
};

it("keepOwnMappings keeps every mapping of the project's own code, and none of a package", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-maps-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["entry.ts"],
    outdir: ".",
    bundle: true,
    minify: true,
    format: "esm",
    sourcemap: "linked",
    write: false,
  });
  rmSync(folder, { recursive: true });
  const [map = "", code = ""] = ["map", "js"].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text);
  const whole = JSON.parse(map);
  const own = keepOwnMappings(whole, (source) => !source.startsWith("node_modules/"));
  expect(whole.sources).toHaveLength(3);
  expect(own.sources).toEqual(["first.ts", "entry.ts"]);
  const [before, after] = [new SourceMap(whole), new SourceMap(own)];
  let kept = 0;
  for (const [line, text] of code.split("\n").entries()) {
    for (let column = 0; column < text.length; column += 1) {
      const expected = before.findEntry(line, column);
      const found = after.findEntry(line, column);
      if (!("originalSource" in expected) || expected.originalSource?.startsWith("node_modules/")) {
        expect("originalSource" in found ? found.originalSource : undefined).toBeUndefined();
        continue;
      }
      kept += 1;
      const { originalSource, originalLine, originalColumn } = expected;
      expect(found).toMatchObject({ originalSource, originalLine, originalColumn });
    }
  }
  expect(kept).toBeGreaterThan(40);
});
