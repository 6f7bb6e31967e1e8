import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenedBundle, openCodeBundle } from "../../../../functions/adapters/local/code-bundle/code-bundle.ts";
import { inSources } from "../../../../functions/adapters/local/code-bundle/source-places.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sheaf-code-bundle-")));
  write("code/main.ts", MAIN);
  write("code/lower.ts", 'export const text: string = "lower";\n');
  write("node_modules/packaged/package.json", '{"name":"packaged","type":"module","main":"index.js"}');
  write("node_modules/packaged/index.js", "export const packaged = 1;\n");
  write("node_modules/caller/package.json", '{"name":"caller","type":"module","main":"index.js"}');
  write("node_modules/caller/index.js", 'import { send } from "@cloud/client";\nexport const call = () => send();\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** As long as the text that the tests begin with. */
const OTHER_TEXT = 'export const text: string = "LOWER";\n';

const MAIN = `import { packaged } from "packaged";
import { call } from "caller";
import { text } from "./lower.ts";
export const found = { text, packaged, url: import.meta.url, folder: import.meta.dirname };
export { call };
export function fail(): never {
  throw new Error("on purpose");
}
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const open = (): Promise<OpenedBundle> =>
  openCodeBundle({
    root,
    entries: { main: "code/main.ts" },
    sources: ["code", "package-lock.json"],
    external: [],
    unused: { caller: /^@cloud\// },
    cache: join(root, "cache"),
  });

interface Main {
  found: { text: string; packaged: number; url: string; folder: string };
  call(): void;
}

const fileOf = ({ bundle, fault }: OpenedBundle): string => {
  expect(fault).toBeUndefined();
  return fileURLToPath(bundle?.fileOf("main") ?? "");
};
const load = async (opened: OpenedBundle): Promise<Main> => import(pathToFileURL(fileOf(opened)).href);
const cached = (): string[] => readdirSync(join(root, "cache"));

describe("openCodeBundle", () => {
  test("makes one file that needs no sources, and finds it again", async () => {
    const first = await open();
    const { mtimeMs } = statSync(fileOf(first));
    const { found } = await load(first);
    expect(found).toMatchObject({ text: "lower", packaged: 1 });
    const again = await open();
    expect(fileOf(again)).toBe(fileOf(first));
    expect(statSync(fileOf(again)).mtimeMs).toBe(mtimeMs);
  });

  test("keeps the place of each source, beside which code looks for its data", async () => {
    const { found } = await load(await open());
    expect(found.url).toBe(pathToFileURL(join(root, "code/main.ts")).href);
    expect(found.folder).toBe(join(root, "code"));
  });

  test("leaves out what is never called, and throws when it is", async () => {
    const { call } = await load(await open());
    expect(call).toThrow(TypeError);
  });

  test.each([
    ["a source", () => write("code/lower.ts", 'export const text = "changed";\n')],
    ["a source of the same length", () => write("code/lower.ts", OTHER_TEXT)],
    ["a file beside the sources in use", () => write("code/new.ts", "")],
    ["the lockfile", () => write("package-lock.json", "{}")],
  ])("makes another after a change of %s", async (_name, change) => {
    const first = fileOf(await open());
    change();
    const second = await open();
    expect(fileOf(second)).not.toBe(first);
    expect((await load(second)).found.text).toBe(
      /text[^"]*"(\w+)"/.exec(readFileSync(join(root, "code/lower.ts"), "utf8"))?.[1],
    );
  });

  test("replaces a bundle of packages that have changed under the same lockfile", async () => {
    await open();
    write("node_modules/packaged/index.js", "export const packaged = 22;\n");
    expect((await load(await open())).found.packaged).toBe(22);
    expect(cached()).toHaveLength(1);
  });

  test.each(["main.mjs", "manifest.json"])("replaces a bundle whose %s is cut off", async (name) => {
    const file = fileOf(await open());
    truncateSync(join(dirname(file), name), 10);
    expect((await load(await open())).found.text).toBe("lower");
  });

  test("serves starts at the same time, and leaves nothing unfinished", async () => {
    const files = (await Promise.all([open(), open(), open()])).map(fileOf);
    expect(new Set(files).size).toBe(1);
    expect(cached()).toHaveLength(1);
  });

  test("keeps the bundles used last, and removes what processes that died have left", async () => {
    mkdirSync(join(root, "cache/unfinished-old"), { recursive: true });
    mkdirSync(join(root, "cache/unfinished-young"));
    utimesSync(join(root, "cache/unfinished-old"), new Date(0), new Date(0));
    for (let version = 0; version < 6; version += 1) {
      write("code/lower.ts", `export const text: string = "${version}";\n`);
      await open();
    }
    expect(cached().filter((name) => !name.startsWith("unfinished"))).toHaveLength(4);
    expect(cached().filter((name) => name.startsWith("unfinished"))).toEqual(["unfinished-young"]);
  });

  test("says why there is none: a cache that cannot be written, code that cannot be bundled", async () => {
    write("cache", "a file where the folder belongs");
    expect((await open()).fault).toMatch(/^The code cannot be bundled \(.+\); it runs from its sources/);
    rmSync(join(root, "cache"));
    write("code/lower.ts", "export const text = ;\n");
    expect((await open()).fault).toMatch(/^The code cannot be bundled/);
    expect(cached()).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("uses a bundle that it may only read", async () => {
    const file = fileOf(await open());
    chmodSync(join(root, "cache"), 0o555);
    expect(fileOf(await open())).toBe(file);
    chmodSync(join(root, "cache"), 0o755);
  });
});

describe("a script of openCodeBundle", () => {
  const openScript = (): Promise<OpenedBundle> =>
    openCodeBundle({
      root,
      entries: { script: "code/script.ts", main: "code/main.ts" },
      scripts: ["script"],
      sources: ["code"],
      external: [],
      unused: {},
      cache: join(root, "cache"),
    });

  /** Its launcher. */
  async function scriptFile(): Promise<string> {
    const { bundle, fault } = await openScript();
    expect(fault).toBeUndefined();
    return fileURLToPath(bundle?.fileOf("script") ?? "");
  }
  const compiledOf = (launcher: string): string => launcher.replace(/mjs$/, "compiled");
  const run = (launcher: string): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [launcher, "", String(process.pid), String(2 ** 30)], { encoding: "utf8" });

  beforeEach(() => {
    write("node_modules/@cloud/client/package.json", '{"name":"@cloud/client","main":"index.js"}');
    write("node_modules/@cloud/client/index.js", "exports.send = () => 1;\n");
    write(
      "code/script.ts",
      `import { text } from "./lower.ts";
async function serve(): Promise<void> {
  const { packaged } = await import("packaged");
  console.log(text, packaged, import.meta.url);
}
export const serving = serve();
`,
    );
  });

  test("runs as a module would, beside others", async () => {
    const launcher = await scriptFile();
    const { stdout, stderr } = run(launcher);
    expect(stderr).toBe("");
    expect(stdout).toBe(`lower 1 ${pathToFileURL(join(root, "code/script.ts")).href}\n`);
    expect(readdirSync(dirname(launcher)).sort()).toEqual([
      "main.mjs",
      "main.mjs.map",
      "manifest.json",
      "script.cjs",
      "script.cjs.map",
      "script.compiled",
      "script.mjs",
    ]);
  });

  test("runs from its compiled code, and never from that of other sources", async () => {
    const first = await scriptFile();
    write("code/lower.ts", OTHER_TEXT);
    const second = await scriptFile();
    expect(second).not.toBe(first);
    expect(run(second).stdout).toMatch(/^LOWER 1 /);
    expect(run(first).stdout).toMatch(/^lower 1 /);
    // V8 compares no more than the length of the source: the name of the folder keeps them apart.
    copyFileSync(compiledOf(second), compiledOf(first));
    expect(run(first).stdout).toMatch(/^LOWER 1 /);
  });

  test("runs from its source when the compiled code cannot be read, or is of another version", async () => {
    const launcher = await scriptFile();
    const { size } = statSync(compiledOf(launcher));
    writeFileSync(compiledOf(launcher), Buffer.alloc(size, 1));
    expect(run(launcher).stdout).toMatch(/^lower 1 /);
    rmSync(compiledOf(launcher));
    expect(run(launcher).stdout).toMatch(/^lower 1 /);
  });

  test("is compiled again when its compiled code is cut off", async () => {
    const launcher = await scriptFile();
    const { size } = statSync(compiledOf(launcher));
    truncateSync(compiledOf(launcher), 10);
    expect(await scriptFile()).toBe(launcher);
    expect(statSync(compiledOf(launcher)).size).toBeGreaterThan(size / 2);
  });

  test("that does not start has no compiled code, and says so when it is run", async () => {
    write("code/script.ts", 'export const serving = Promise.reject(new Error("no start"));\n');
    const launcher = await scriptFile();
    expect(existsSync(compiledOf(launcher))).toBe(false);
    expect(run(launcher)).toMatchObject({ status: 1, stderr: expect.stringContaining("no start") });
    expect(await scriptFile()).toBe(launcher);
  });
});

describe("inSources", () => {
  test("names the place in the sources, and keeps a place that has no map", async () => {
    const file = fileOf(await open());
    const lines = readFileSync(file, "utf8").split("\n");
    const line = lines.findIndex((text) => text.includes('"on purpose"'));
    const place = `${pathToFileURL(file).href}:${line + 1}:${(lines[line] ?? "").indexOf("new Error") + 1}`;
    expect(inSources(`at fail (${place})`)).toBe(`at fail (${pathToFileURL(join(root, "code/main.ts")).href}:7:9)`);
    expect(inSources("at x (file:///none/main.mjs:1:2)")).toBe("at x (file:///none/main.mjs:1:2)");
  });
});
