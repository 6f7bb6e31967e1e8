/** The client as a package: packed, installed in an empty project without a network, compiled against, and run. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocPage } from "../support/doc-pages.ts";
import { ROOT } from "../support/import-graph.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Bytes that the minified module may have. */
const MAX_BYTES = 30_000;

const PROGRAM = `
import { Sheaf, SheafError } from "sheaf-client";
const sheaf = new Sheaf({ baseUrl: process.argv[2], apiKey: process.argv[3] });
const file = new File(["Invoice no: A-17\\nTotal: 120.00 EUR"], "note.txt", { type: "text/plain" });
const { data, job } = await sheaf.documents.process(file, { schema: { total: "number" } });
const failed = await sheaf.jobs.status("no-job").catch((error) => error);
console.log(JSON.stringify([job.status, data, failed instanceof SheafError, failed.status, failed.requestId !== undefined]));
`;

/** Prints the job at once, and its data later. */
const RESUMED = `
import { Sheaf } from "sheaf-client";
const sheaf = new Sheaf({ baseUrl: process.argv[2], apiKey: process.argv[3] });
const file = new File(["Invoice no: A-17\\nTotal: 77.00 EUR"], "note.txt", { type: "text/plain" });
const job = await sheaf.documents.start(file, { schema: { total: "number" }, idempotencyKey: process.argv[4] });
console.log(job.guid);
console.log((await job.result()).data.total);
`;

const TYPED = `
import { definePipeline, eq, Sheaf, type ProcessingJob } from "sheaf-client";
const sheaf = new Sheaf({ baseUrl: "http://127.0.0.1:3000", apiKey: "key" });
export const job: Promise<ProcessingJob> = sheaf.jobs.wait("guid", { timeoutSeconds: 5 });
// @ts-expect-error: a job's GUID is text.
sheaf.jobs.status(7);
// @ts-expect-error: there is no such option.
sheaf.documents.process(new Blob(), { schemas: {} });
export const { data } = await sheaf.documents.process(new Blob(), {
  schema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
});
export const total: number | null = data.total;
// @ts-expect-error: the schema has no such member.
data.vat;
const p = definePipeline();
const classify = p.extract("classify", { schema: { document_type: "text" } });
export const end = p.final("end", { when: eq(classify.result.document_type, "invoice"), output: { branch: "invoice" } });
// @ts-expect-error: the schema has no such member.
classify.result.kind;
const { data: routed } = await sheaf.documents.process(new Blob(), { pipeline: p.finalOrder(end) });
export const branch: "invoice" = routed.branch;
`;

/** Settings of consumers: Node's own resolution, and a bundler's with the DOM's types and all checks of libraries. */
const CONSUMERS = {
  "under Node": { module: "nodenext", moduleResolution: "nodenext", lib: ["es2024", "dom"] },
  "under a bundler": { module: "esnext", moduleResolution: "bundler", lib: ["es2024", "dom"] },
};

/** Compiles a file as a consumer's project does. @returns what the compiler prints */
function compile(folder: string, file: string, compilerOptions: object): string {
  const options = { ...compilerOptions, target: "es2024", strict: true, noEmit: true, types: [] };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions: options, files: [file] }));
  return execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" });
}

describe("the client's package", () => {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-client-"));
  const npm = (args: string[], cwd: string) =>
    execFileSync("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd, encoding: "utf8" });
  let target: TestService;

  beforeAll(async () => {
    target = await startTestService();
    const packed = npm(["pack", "--pack-destination", folder], join(ROOT, "client")).trim();
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
    npm(["install", "--offline", `./${packed}`], folder);
  });
  afterAll(async () => {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the service's version, no dependencies, and less than 30 kB", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules/sheaf-client/package.json"), "utf8"));
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect([manifest.version, manifest.dependencies]).toEqual([version, undefined]);
    const { size } = statSync(join(folder, "node_modules/sheaf-client/dist/index.js"));
    expect(size).toBeGreaterThan(5_000);
    expect(size).toBeLessThan(MAX_BYTES);
  });

  it("processes a document under Node", async () => {
    writeFileSync(join(folder, "program.js"), PROGRAM);
    const args = [join(folder, "program.js"), target.url, target.keys.one];
    // The service runs in this process, which must not be held.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(["COMPLETED", { total: 120 }, true, 404, true]);
  });

  it("joins the work of a program that was killed, with the key of both", async () => {
    const program = join(folder, "resumed.js");
    writeFileSync(program, RESUMED);
    const args = [program, target.url, target.keys.one, randomUUID()];
    const killed = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const [first] = await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(stdout.trimEnd().split("\n")).toEqual([String(first).split("\n")[0], "77"]);
  });

  it("bundles for browsers, with nothing of Node.js in it", async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: 'export * from "sheaf-client";', resolveDir: folder },
      bundle: true,
      format: "esm",
      platform: "browser",
      metafile: true,
      write: false,
    });
    // A module of Node.js would fail the build; one that is left out would be an import of its output.
    const [output] = Object.values(metafile.outputs);
    expect([output?.imports, Object.keys(metafile.inputs).length]).toEqual([[], 2]);
    expect(outputFiles[0]?.text).not.toMatch(/\brequire\(|\bprocess\.(env|argv|version)|\bBuffer\b/);
  });

  it("runs where there is only what browsers have", async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export * from "sheaf-client";', resolveDir: folder },
      bundle: true,
      format: "iife",
      globalName: "client",
      platform: "browser",
      write: false,
    });
    const web = { fetch, Blob, File, Headers, Response, URL, AbortController, AbortSignal, TextEncoder, TextDecoder };
    const context = createContext({ ...web, crypto, performance, setTimeout, clearTimeout, atob });
    runInContext(`${outputFiles[0]?.text}; globalThis.client = client;`, context);
    const { Sheaf } = context.client as typeof import("../../client/index.ts");
    const sheaf = new Sheaf({ baseUrl: target.url, apiKey: target.keys.one });
    const file = new File(["Invoice no: A-17\nTotal: 21.00 EUR"], "note.txt", { type: "text/plain" });
    expect((await sheaf.documents.process(file, { schema: { total: "number" } })).data.total).toBe(21);
    const large = new File(["Total: 22.00 EUR\n", " ".repeat(4_000_001)], "large.txt", { type: "text/plain" });
    expect((await sheaf.documents.process(large, { schema: { total: "number" } })).data.total).toBe(22);
  });

  it("does what its README shows, as it stands there", async () => {
    const { text } = readDocPage("client/README.md");
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
    expect(blocks.length).toBeGreaterThan(7);
    const example = blocks.join("\n").replaceAll("http://127.0.0.1:3000", target.url);
    writeFileSync(join(folder, "readme.ts"), example.replaceAll("sheaf-local", target.keys.one));
    const output = join(folder, "readme.js");
    compile(folder, "readme.ts", CONSUMERS["under Node"]);
    await build({ entryPoints: [join(folder, "readme.ts")], outfile: output, format: "esm", logLevel: "silent" });
    const { stdout } = await promisify(execFile)(process.execPath, [output], { cwd: folder });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "A-17 120",
      "120 EUR",
      "1",
      "COMPLETED 120",
      "empty.txt The part 'document' is empty",
      "note.txt 120",
      "A-1 4.5, A-2 6",
      expect.stringMatching(/^(small|not an invoice)$/),
      "422 UnprocessableEntity The part 'document' is empty",
      "true",
      expect.stringMatching(/./),
    ]);
  });

  it.each(Object.entries(CONSUMERS))("has types %s", (_name, compilerOptions) => {
    writeFileSync(join(folder, "typed.ts"), TYPED);
    expect(compile(folder, "typed.ts", compilerOptions)).toBe("");
  });
});
