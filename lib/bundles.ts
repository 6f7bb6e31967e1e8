/**
 * The code of the functions: each entry is bundled to `{entry}/index.mjs`, all by one run of the bundler. A run for
 * each would read the same packages forty times.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { keepOwnMappings, type SourceMap } from "./source-maps.ts";

/** Folders of the handlers and of the packages. */
export interface Sources {
  /** The folder of the entries, `{name}.ts` each. */
  handlers: string;
  /** The project's folder with its node_modules. */
  root: string;
}

/** Bundles are ES modules, but some packages in them call `require`. */
const REQUIRE_BANNER =
  'import{createRequire as sheafRequire}from"node:module";const require=sheafRequire(import.meta.url);';

/** Credential providers that a Lambda function never uses; the SDK imports them lazily. */
const UNUSED_CREDENTIAL_PROVIDERS = ["ini", "sso", "process", "web-identity", "http"].map(
  (way) => `@aws-sdk/credential-provider-${way}`,
);

/** Native code cannot be bundled; only functions that read documents carry it. */
const NATIVE_PACKAGE = "sharp";

const SDK_SCHEMA_FILE_PATTERN = /[/\\]@aws-sdk[/\\]client-[a-z0-9-]+[/\\]dist-es[/\\]schemas[/\\]schemas_\d+\.js$/;

/**
 * Inlines computed member names: `{ [_h]: 1 }` with `const _h = "http"` becomes `{ "http": 1 }`. A bundler keeps
 * computed names, and with them the schemas of all operations of an SDK client.
 */
export function inlineComputedNames(source: string): string {
  const constants = new Map(
    [...source.matchAll(/^const (_\w+) = ("[^"\\\n]*");$/gm)].map(([, name, text]) => [name, text]),
  );
  return source.replace(/([{,]\s*)\[(_\w+)\]:/g, (whole, before: string, name: string) => {
    const text = constants.get(name);
    return text === undefined ? whole : `${before}${text}:`;
  });
}

const inlineMemberNames: Plugin = {
  name: "plain-names",
  setup({ onLoad }) {
    onLoad({ filter: SDK_SCHEMA_FILE_PATTERN }, async ({ path }) => ({
      contents: inlineComputedNames(await readFile(path, "utf8")),
    }));
  },
};

/** Writes the bundles and trims each source map to the project's own sources, with paths relative to its folder. */
const trimSourceMaps = (root: string): Plugin => ({
  name: "own-maps",
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents, text } of outputFiles) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, path.endsWith(".map") ? trimSourceMap(JSON.parse(text), root, dirname(path)) : contents);
      }
    });
  },
});

function trimSourceMap(map: SourceMap, root: string, folder: string): string {
  const sources = map.sources.map((source) => relative(root, resolve(folder, source)).replaceAll(sep, "/"));
  return JSON.stringify(keepOwnMappings({ ...map, sources }, (source) => !/^\.\.|(^|\/)node_modules\//.test(source)));
}

/** @throws when an entry cannot be bundled; the bundler has printed the reason */
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
    // Words of other alphabets take six bytes a letter as escapes.
    charset: "utf8",
    sourcemap: "linked",
    sourcesContent: false,
    banner: { js: REQUIRE_BANNER },
    external: [...UNUSED_CREDENTIAL_PROVIDERS, NATIVE_PACKAGE],
    write: false,
    plugins: [inlineMemberNames, trimSourceMaps(root)],
    logLevel: "warning",
  });
}

const bundleFolders = new Map<string, string>();

/** The folder of an entry's bundle. The first call bundles all entries; the folder is removed when the process ends. */
export function bundleOf(sources: Sources, entry: string): string {
  let folder = bundleFolders.get(sources.handlers);
  if (folder === undefined) {
    const created = mkdtempSync(join(tmpdir(), "sheaf-bundles-"));
    process.once("exit", () => rmSync(created, { recursive: true, force: true }));
    // A separate process: constructs are synchronous, bundlers with plugins are not.
    const program = [fileURLToPath(import.meta.url), sources.handlers, sources.root, created];
    execFileSync(process.execPath, program, { stdio: ["ignore", "inherit", "inherit"] });
    bundleFolders.set(sources.handlers, created);
    folder = created;
  }
  return join(folder, entry);
}

if (import.meta.main) {
  const [handlers = "", root = "", folder = ""] = process.argv.slice(2);
  await bundleAll({ handlers, root }, folder);
}
