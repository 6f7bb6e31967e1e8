import {
  chmodSync,
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
    ["a source of the same length", () => write("code/lower.ts", 'export const text: string = "LOWER";\n')],
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
