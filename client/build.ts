/**
 * Makes the client a package that Node and browsers run: one module of JavaScript, and the types of its sources.
 * `npm pack ./client` runs it. @throws when the sources do not compile
 */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const FOLDER = import.meta.dirname;
const OUTPUT = join(FOLDER, "dist");
const TYPESCRIPT = join(FOLDER, "../node_modules/.bin/tsc");

/** Types for consumers that check with the DOM's `fetch` and those that check with Node's. */
const DECLARATIONS = {
  extends: "../../tsconfig.json",
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: "types",
    rootDir: "..",
    types: [],
    lib: ["es2024", "dom"],
  },
  include: [],
  files: ["../index.ts"],
};

rmSync(OUTPUT, { recursive: true, force: true });
await build({
  entryPoints: [join(FOLDER, "index.ts")],
  outfile: join(OUTPUT, "index.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  // Fields that only have a type are left out, which saves 300 bytes.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  logLevel: "warning",
});
const project = join(OUTPUT, "tsconfig.json");
writeFileSync(project, JSON.stringify(DECLARATIONS));
execFileSync(TYPESCRIPT, ["-p", project], { stdio: "inherit" });
rmSync(project);
