/**
 * The code of the functions: each entry bundled to a folder of its own, `{entry}/index.mjs`, by one run of the bundler
 * for all of them. A run for each would read the same packages forty times.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { ownPlaces, type SourceMap } from "./source-maps.ts";

/** Where the handlers and the packages are. */
export interface Sources {
  /** The folder of the entries, `{name}.ts` each. */
  handlers: string;
  /** The project's folder: its node_modules. */
  root: string;
}

/** Bundles are ES modules, and some packages in them still call `require`. */
const BANNER = 'import{createRequire as sheafRequire}from"node:module";const require=sheafRequire(import.meta.url);';

/** Ways to credentials that no Lambda function has; the SDK loads them when it comes to them, and it never does. */
const UNUSED = ["ini", "sso", "process", "web-identity", "http"].map((way) => `@aws-sdk/credential-provider-${way}`);

/** Compiled code, which a bundler cannot take in, and which only functions that read documents have beside them. */
const COMPILED = "sharp";

const SCHEMAS = /[/\\]@aws-sdk[/\\]client-[a-z0-9-]+[/\\]dist-es[/\\]schemas[/\\]schemas_\d+\.js$/;

/**
 * The text of a module whose constants name members, as `{ [_h]: 1 }` with `const _h = "http"`, with the names instead.
 * A bundler keeps what computes a name, and so the schemas of all operations of a service for the few that are called.
 */
export function withPlainNames(source: string): string {
  const constants = new Map(
    [...source.matchAll(/^const (_\w+) = ("[^"\\\n]*");$/gm)].map(([, name, text]) => [name, text]),
  );
  return source.replace(/([{,]\s*)\[(_\w+)\]:/g, (whole, before: string, name: string) => {
    const text = constants.get(name);
    return text === undefined ? whole : `${before}${text}:`;
  });
}

const plainNames: Plugin = {
  name: "plain-names",
  setup({ onLoad }) {
    onLoad({ filter: SCHEMAS }, async ({ path }) => ({ contents: withPlainNames(await readFile(path, "utf8")) }));
  },
};

/** Writes what was made, and of each map the project's own places, named from its folder wherever that stands. */
const ownMaps = (root: string): Plugin => ({
  name: "own-maps",
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents, text } of outputFiles) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, path.endsWith(".map") ? ownMap(JSON.parse(text), root, dirname(path)) : contents);
      }
    });
  },
});

function ownMap(map: SourceMap, root: string, folder: string): string {
  const sources = map.sources.map((source) => relative(root, resolve(folder, source)).replaceAll(sep, "/"));
  return JSON.stringify(ownPlaces({ ...map, sources }, (source) => !/^\.\.|(^|\/)node_modules\//.test(source)));
}

/** @throws when an entry cannot be bundled; the bundler has said why */
async function bundleAll({ handlers, root }: Sources, folder: string): Promise<void> {
  const entries = readdirSync(handlers).map((file) => basename(file, ".ts"));
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => ({ in: join(handlers, `${entry}.ts`), out: `${entry}/index` })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    banner: { js: BANNER },
    external: [...UNUSED, COMPILED],
    write: false,
    plugins: [plainNames, ownMaps(root)],
    logLevel: "warning",
  });
}

const made = new Map<string, string>();

/** The folder of an entry's code. All are made at the first call, and removed at the end of the process. */
export function bundleOf(sources: Sources, entry: string): string {
  let folder = made.get(sources.handlers);
  if (folder === undefined) {
    const created = mkdtempSync(join(tmpdir(), "sheaf-bundles-"));
    process.once("exit", () => rmSync(created, { recursive: true, force: true }));
    // A process, for constructs are made at once and bundlers with plugins are not.
    const program = [fileURLToPath(import.meta.url), sources.handlers, sources.root, created];
    execFileSync(process.execPath, program, { stdio: ["ignore", "inherit", "inherit"] });
    made.set(sources.handlers, created);
    folder = created;
  }
  return join(folder, entry);
}

if (import.meta.main) {
  const [handlers = "", root = "", folder = ""] = process.argv.slice(2);
  await bundleAll({ handlers, root }, folder);
}
