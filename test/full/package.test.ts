/**
 * The service and the command line as a package: packed, installed in an empty folder, and used as docs/getting-started.md
 * says. Needs a registry, or npm's cache.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { SheafClient } from "../../client/index.ts";
import { type Command, commandsOf, ROOT, readDocPage } from "../support/doc-pages.ts";
import { difference } from "../support/doc-session.ts";
import { fieldsOf } from "../support/form-pdf.ts";

const READY = "Ctrl-C stops";
const PAGE = "docs/getting-started.md";
/** Most commands from nothing to a filled form. */
const MAX_COMMANDS = 5;

const folder = mkdtempSync(join(tmpdir(), "sheaf-package-"));
const environment: Record<string, string> = {
  HOME: process.env.HOME ?? folder,
  // No program of the repository.
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((one) => !one.startsWith(ROOT))
    .join(delimiter),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  npm_config_prefer_offline: "true",
  PORT: "0",
};

const shell = (script: string) =>
  spawnSync("bash", ["-c", `{ ${script.replace(/^npx /, "npx --no ")}; } 2>&1`], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: 240_000,
  });

const commands = commandsOf(readDocPage(PAGE), "package");
const [install, serve, ...rest] = commands as [Command, Command, ...Command[]];

function pack(): void {
  const args = ["pack", "--silent", "--pack-destination", folder];
  execFileSync("npm", args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}

pack();
const installed = shell(install.script);
const isOffline =
  installed.status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(installed.stdout);
if (isOffline) {
  console.warn("SKIPPED: the package in an empty folder; no registry answered");
  rmSync(folder, { recursive: true, force: true });
}

interface Running {
  url: string;
  printed: string;
  stop(): Promise<void>;
}

/** Runs `npx sheaf serve` until it is ready. */
async function start(script: string, more: Record<string, string> = {}): Promise<Running> {
  const child: ChildProcess = spawn("bash", ["-c", script], {
    cwd: folder,
    env: { ...environment, ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      printed += chunk;
    });
  }
  while (!printed.includes(READY) && child.exitCode === null) await new Promise((done) => setTimeout(done, 50));
  if (child.exitCode !== null) throw new Error(`The service ended at its start:\n${printed}`);
  const url = /ready at (http:\S+)/.exec(printed)?.[1] ?? "";
  return {
    url,
    printed,
    async stop() {
      const ended = once(child, "exit");
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
      await ended;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by what the test expects
const dataOf = ({ structuredContent }: CallToolResult): any => structuredContent;

describe.skipIf(isOffline)("the package", () => {
  let service: Running;
  let client: SheafClient;
  const invoice = join(folder, "invoice.pdf");

  beforeAll(async () => {
    expect(installed.status, installed.stdout).toBe(0);
    service = await start(serve.script);
    environment.SHEAF_API_URL = service.url;
    client = new SheafClient({ apiUrl: service.url, token: "sheaf-local" });
    writeFileSync(invoice, await drawInvoice());
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("has no TypeScript, no test and no secret, and types for its client", () => {
    const root = join(folder, "node_modules/sheaf");
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !path.startsWith("node_modules/"));
    expect(files.length).toBeGreaterThan(700);
    expect(files.filter((path) => /(?<!\.d)\.ts$|(^|\/)test\/|\.env|\.sqlite|\.tgz$/.test(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "NOTICE", "README.md", "dist/client/index.d.ts"]));
  });

  it(`leads from nothing to a filled form in ${MAX_COMMANDS} commands, which print what ${PAGE} shows`, async () => {
    expect(commands.length).toBeLessThanOrEqual(MAX_COMMANDS);
    expect(difference(serve.output ?? "", service.printed)).toBeUndefined();
    for (const { script, output = "" } of rest) {
      const { status, stdout } = shell(script);
      expect(status, `${script}\n${stdout}`).toBe(0);
      const other = difference(output, stdout);
      expect(other?.printed, script).toBe(other?.expected);
    }
    expect(await fieldsOf(readFileSync(join(folder, "filled.pdf")))).toMatchObject({
      "applicant.name": "Ada Lovelace",
    });
    expect(JSON.parse(readFileSync(join(folder, "fields.json"), "utf8")).length).toBeGreaterThan(1);
  });

  it("runs from its bundle, and recognises pictures", async () => {
    expect(service.printed).not.toContain("cannot be bundled");
    expect(readdirSync(join(folder, "node_modules/sheaf/node_modules/.cache/sheaf-code"))).toHaveLength(1);
    const { guid } = await client.upload(readFileSync(invoice), { fileName: "invoice.pdf" });
    const picture = await client.pageImage(guid, 0);
    const scan = await client.upload(picture, { fileName: "scan.png", mimeType: "image/png" });
    await client.process(scan.guid, { schema: { invoice_number: "string" }, sourceLocations: true });
    expect(await client.wait(scan.guid)).toMatchObject({ status: "COMPLETED" });
    expect((await client.resultJson(scan.guid)).json).toEqual({ invoice_number: "SH-2026-0117" });
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
  });

  it("exports its client to JavaScript and to TypeScript", () => {
    const program = `
import { SheafClient, SheafError, verifyWebhook } from "sheaf/client";
const client = new SheafClient({ apiUrl: process.argv[2], token: "sheaf-local" });
const failed = await client.status("no-job").catch((error) => error);
console.log(JSON.stringify([typeof verifyWebhook, failed instanceof SheafError, failed.status]));
`;
    writeFileSync(join(folder, "program.mjs"), program);
    expect(JSON.parse(shell(`node program.mjs ${service.url}`).stdout)).toEqual(["function", true, 404]);
    const typed = `import { SheafClient, type ProcessingJob } from "sheaf/client";
const client = new SheafClient({ apiUrl: "http://127.0.0.1:3000", token: "key" });
export const job: Promise<ProcessingJob> = client.wait("guid", { timeoutSeconds: 5 });
// @ts-expect-error: a job's GUID is text.
client.status(7);
`;
    writeFileSync(join(folder, "typed.mts"), typed);
    const compilerOptions = { module: "nodenext", target: "es2024", lib: ["es2024", "dom"], strict: true, types: [] };
    const project = { compilerOptions: { ...compilerOptions, noEmit: true }, files: ["typed.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const tsc = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
    expect(tsc.stdout).toBe("");
  });

  it("serves an assistant: a document of the folder, its values, and a page with boxes", async () => {
    const assistant = new Client({ name: "test", version: "1.0.0" });
    const transport = new StdioClientTransport({
      command: join(folder, "node_modules/.bin/sheaf"),
      args: ["mcp"],
      cwd: folder,
      env: environment,
      stderr: "inherit",
    });
    await assistant.connect(transport);
    try {
      const schema = { invoice_number: "string", total: "number" };
      const answer = await assistant.callTool({ name: "process", arguments: { path: "invoice.pdf", schema } });
      expect(dataOf(answer).result).toEqual({ invoice_number: "SH-2026-0117", total: 517.2 });
      const page = await assistant.readResource({ uri: `sheaf://jobs/${dataOf(answer).guid}/pages/1.png` });
      expect(page.contents[0]).toMatchObject({ mimeType: "image/png" });
    } finally {
      await assistant.close();
    }
  });

  it("runs from its files where it can keep no bundle", async () => {
    const cache = join(folder, "node_modules/sheaf/node_modules");
    rmSync(cache, { recursive: true });
    writeFileSync(cache, ""); // no folder can be made here
    const other = await start(serve.script, { SHEAF_DATA_DIR: join(folder, "other") });
    try {
      expect(other.printed).toContain("cannot be bundled");
      const own = new SheafClient({ apiUrl: other.url, token: "sheaf-local" });
      const { guid } = await own.uploadFiles(readFileSync(invoice), { schema: { total: "number" } });
      expect(await own.wait(guid)).toMatchObject({ status: "COMPLETED" });
      expect((await own.resultJson(guid)).json).toEqual({ total: 517.2 });
    } finally {
      await other.stop();
      rmSync(cache);
      mkdirSync(cache);
    }
  });
});
