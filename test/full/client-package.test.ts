/** The client as a package: packed, installed in an empty project without a network, compiled against, and run. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/import-graph.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Bytes that the minified module may have. */
const MAX_BYTES = 30_000;

const PROGRAM = `
import { SheafClient, SheafError } from "sheaf-client";
const client = new SheafClient({ apiUrl: process.argv[2], token: process.argv[3] });
const document = new TextEncoder().encode("Invoice no: A-17\\nTotal: 120.00 EUR");
const { guid } = await client.upload(document, { fileName: "note.txt", mimeType: "text/plain" });
await client.process(guid, { schema: { total: "number" } });
const job = await client.wait(guid);
const failed = await client.status("no-job").catch((error) => error);
console.log(JSON.stringify([job.status, (await client.resultJson(guid)).json, failed instanceof SheafError, failed.status]));
`;

const TYPED = `
import { SheafClient, type ProcessingJob } from "sheaf-client";
export const client = new SheafClient({ apiUrl: "http://127.0.0.1:3000", token: "key" });
export const job: Promise<ProcessingJob> = client.wait("guid", { timeoutSeconds: 5 });
// @ts-expect-error: a job's GUID is text.
client.status(7);
// @ts-expect-error: the command has no such member.
client.process("guid", { schemas: {} });
`;

/** Settings of consumers: Node's own resolution, and a bundler's with the DOM's types and all checks of libraries. */
const CONSUMERS = {
  "under Node": { module: "nodenext", moduleResolution: "nodenext", lib: ["es2024", "dom"] },
  "under a bundler": { module: "esnext", moduleResolution: "bundler", lib: ["es2024", "dom"] },
};

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
    expect(JSON.parse(stdout)).toEqual(["COMPLETED", { total: 120 }, true, 404]);
  });

  it.each(Object.entries(CONSUMERS))("has types %s", (_name, compilerOptions) => {
    writeFileSync(join(folder, "typed.ts"), TYPED);
    const options = { ...compilerOptions, target: "es2024", strict: true, noEmit: true, types: [] };
    const project = join(folder, "tsconfig.json");
    writeFileSync(project, JSON.stringify({ compilerOptions: options, files: ["typed.ts"] }));
    expect(execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" })).toBe("");
  });
});
