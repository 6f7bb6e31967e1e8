/** Writes a bundle: one file for each entry, with its source map, and the list of packages' files that went in. */
import { closeSync, existsSync, fsyncSync, openSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, BuildResult, Plugin } from "esbuild";
import type { BundleOrder } from "./bundle-order.ts";
import { compileScript } from "./compile-script.ts";

/** Path → size in bytes and time of the last change in milliseconds. */
export type FileStates = Record<string, [size: number, changed: number]>;

export interface Manifest {
  /** The bundle's own files by name, with their sizes. */
  written: Record<string, number>;
  /** Files that went in, besides those whose content the bundle's name has. */
  packages: FileStates;
}

export const MANIFEST_FILE = "manifest.json";

/** Bundles are ES modules, but some packages in them call `require`. */
const REQUIRE_BANNER =
  'import{createRequire as sheafRequire}from"node:module";const require=sheafRequire(import.meta.url);';

/** Scripts are functions of what launch-script.mjs gives them, as strict as modules are. */
const SCRIPT_BANNER = '(function (require, module, exports) {"use strict";';
const SCRIPT_FOOTER = "})";

const OWN_PLACE = /\bimport\.meta\.(url|dirname|filename)\b/g;

/** Every module keeps the place of its own file, beside which it looks for data, threads and packages. */
const ownPlaces: Plugin = {
  name: "own-places",
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:m?js|ts)$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (source.search(OWN_PLACE) < 0) return undefined;
      const places: Record<string, string> = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const contents = source.replaceAll(OWN_PLACE, (_, name: string) => JSON.stringify(places[name]));
      return { contents, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
};

/** Leaves out packages that are named but never called; a call of one throws a TypeError. */
const leaveOut = (unused: BundleOrder["unused"]): Plugin => ({
  name: "leave-out",
  setup({ onResolve, onLoad }) {
    for (const [importer, imports] of Object.entries(unused)) {
      onResolve({ filter: imports }, ({ path, importer: from }) =>
        from.includes(`node_modules/${importer}/`) ? { path, namespace: "left-out" } : undefined,
      );
    }
    onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
});

let bundling = 0;

/** Runs the bundler, and ends its process, which would stay with 400 MB. Its end would strand others' builds. */
async function bundle<Options extends BuildOptions>(options: Options): Promise<BuildResult<Options>> {
  const { build, stop } = await import("esbuild");
  bundling += 1;
  try {
    return await build<Options>(options as never);
  } finally {
    bundling -= 1;
    if (bundling === 0) await stop();
  }
}

function keep(path: string): void {
  const handle = openSync(path, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

/** Bundles some entries of an order: as modules, or as scripts for launch-script.mjs. */
async function bundleEntries(order: BundleOrder, folder: string, names: readonly string[], kind: "module" | "script") {
  const { root, entries, external, unused } = order;
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: join(root, entries[name] ?? ""), out: name })),
    outdir: folder,
    bundle: true,
    platform: "node",
    ...(kind === "module"
      ? { format: "esm", outExtension: { ".js": ".mjs" }, banner: { js: REQUIRE_BANNER } }
      : {
          format: "cjs",
          // A script may not import; it requires.
          supported: { "dynamic-import": false },
          outExtension: { ".js": ".cjs" },
          banner: { js: SCRIPT_BANNER },
          footer: { js: SCRIPT_FOOTER },
        }),
    target: `node${process.versions.node}`,
    mainFields: ["module", "main"],
    sourcemap: "linked",
    sourcesContent: false,
    external: [...external],
    plugins: [leaveOut(unused), ownPlaces],
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.startsWith("left-out:"));
  return {
    inputs: inputs.map((path) => resolve(root, path)),
    outputs: Object.keys(metafile.outputs).map((path) => resolve(root, path)),
  };
}

/** Compiles a bundled script. @returns the files written */
async function compiledFiles(folder: string, name: string): Promise<string[]> {
  const [launcher, compiled] = [join(folder, `${name}.mjs`), join(folder, `${name}.compiled`)];
  await compileScript(launcher);
  return [launcher, ...(existsSync(compiled) ? [compiled] : [])];
}

/**
 * Bundles the entries of an order into an existing, empty folder. A script that does not start has no compiled code:
 * its process says at its own start what is wrong.
 * @param hashed files that the bundle's name covers @throws Error when the bundler is missing or an entry cannot be bundled
 */
export async function writeBundle(order: BundleOrder, hashed: ReadonlySet<string>, folder: string): Promise<void> {
  const { entries, scripts = [] } = order;
  const modules = Object.keys(entries).filter((name) => !scripts.includes(name));
  const bundled = await Promise.all([
    bundleEntries(order, folder, modules, "module"),
    bundleEntries(order, folder, scripts, "script"),
  ]);
  const compiled = await Promise.all(scripts.map((name) => compiledFiles(folder, name)));
  const inputs = new Set(bundled.flatMap((one) => one.inputs));
  const others = [...inputs].filter((path) => !hashed.has(path));
  const outputs = [...bundled.flatMap((one) => one.outputs), ...compiled.flat()];
  const manifest: Manifest = {
    written: Object.fromEntries(outputs.map((path) => [path.slice(folder.length + 1), statSync(path).size])),
    packages: Object.fromEntries(others.map((path) => [path, stateOf(statSync(path))])),
  };
  const list = join(folder, MANIFEST_FILE);
  writeFileSync(list, JSON.stringify(manifest));
  // A machine that loses power must not find the name of a bundle without its content.
  for (const path of [...outputs, list]) keep(path);
}

export const stateOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }): [number, number] => [size, mtimeMs];
