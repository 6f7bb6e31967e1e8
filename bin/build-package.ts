/**
 * Writes the service and the command line as JavaScript to `dist`, for Node.js runs no TypeScript below node_modules.
 * `npm pack` runs it. Each source becomes one file in the same folders, so that code finds its threads, processes and
 * data beside itself as it does in the repository; packages stay outside.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stop, transform } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");
const OUTPUT = join(ROOT, "dist");
const FOLDERS = ["bin", "client", "functions", "statemachines"];
/** Parts of the deployment to AWS, which needs the repository, and builds of packages. */
const LEFT_OUT = /^(?:bin\/(?:cloud[./]|restore\.ts|build-package\.ts)|client\/(?:build\.ts|dist\/|.*package\.json$))/;
/** Relative names of files in code: of imports, threads and processes. */
const RELATIVE_NAME = /(["'`])(\.{1,2}\/[^"'`\n]*?)\.ts\1/g;
/** A relative import of the written code, or a place of `new URL(…, import.meta.url)`. */
const USED_NAME = /(?:\bfrom |\bimport\(|\bimport |new URL\()["'](\.{1,2}\/[^"'`\n]+\.\w+)["']/g;

/** Paths of the sources, with slashes. */
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll("\\", "/"),
    ),
).filter((path) => /\.(?:ts|mjs|cjs|json)$/.test(path) && !LEFT_OUT.test(path));

/** Written files that are named but missing: a build with one would fail at its user's. */
function missingNames(path: string, code: string): string[] {
  const names = [...code.matchAll(USED_NAME)].map(([, name = ""]) => name);
  return names
    .filter((name) => !existsSync(join(dirname(path), name)))
    .map((name) => `${path.slice(OUTPUT.length + 1)} names ${name}`);
}

/** Writes one source. @returns its path in the output */
async function write(source: string): Promise<string> {
  const target = join(OUTPUT, source.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  if (!source.endsWith(".ts")) {
    copyFileSync(join(ROOT, source), target);
    return target;
  }
  const text = readFileSync(join(ROOT, source), "utf8");
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node24", sourcefile: source });
  writeFileSync(target, code.replaceAll(RELATIVE_NAME, "$1$2.js$1"));
  return target;
}

/** Types of the client, the one part that other code imports. */
function writeTypes(): void {
  const settings = {
    extends: "../tsconfig.json",
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: ".",
      rootDir: "..",
      types: [],
      lib: ["es2024", "dom"],
    },
    include: [],
    files: ["../client/index.ts"],
  };
  const project = join(OUTPUT, "tsconfig.json");
  writeFileSync(project, JSON.stringify(settings));
  execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", project], { stdio: "inherit" });
  rmSync(project);
}

rmSync(OUTPUT, { recursive: true, force: true });
const written = await Promise.all(sources.map(write));
await stop();
copyFileSync(join(ROOT, "package.json"), join(OUTPUT, "package.json"));
const missing = written
  .filter((path) => path.endsWith(".js"))
  .flatMap((path) => missingNames(path, readFileSync(path, "utf8")));
if (missing.length > 0) throw new Error(`The package would lack files:\n${missing.join("\n")}`);
writeTypes();
process.stderr.write(`dist: ${written.length} files\n`);
