/** `sheaf mcp` as assistants use it: the SDK's own client over standard streams and over HTTP, and a running service. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { SheafClient } from "../../client/index.ts";
import { type HttpServer, serveOverHttp } from "../../client/mcp/http.ts";
import { makeServer } from "../../client/mcp/server.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { contracts } from "../support/knowledge-bases.ts";
import { startTestService, type TestService } from "../support/service.ts";

const TOOLS = ["process", "ocr", "fill", "status", "search", "templates", "knowledge_bases"];
const SCHEMA = { invoice_number: "string", total: "number" };
const PNG = "89504e470d0a1a0a";

let target: TestService;
const folder = mkdtempSync(join(tmpdir(), "sheaf-mcp-"));
const invoice = join(folder, "invoice.pdf");
const launcher = join(import.meta.dirname, "../../bin/sheaf.mjs");

beforeAll(async () => {
  target = await startTestService();
  writeFileSync(invoice, await drawInvoice());
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  await client.templates.upload("form-1", await templatePdf({ names: ["name", "invoice_number"] }), {
    fileName: "form.pdf",
  });
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = ({ content }: CallToolResult): string => (content[0]?.type === "text" ? content[0].text : "");
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by what the test expects
const dataOf = ({ structuredContent }: CallToolResult): any => structuredContent;
async function pictureAt(client: Client, uri: string): Promise<Buffer> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  return Buffer.from(first !== undefined && "blob" in first ? first.blob : "", "base64");
}

describe("sheaf mcp over standard streams", () => {
  const client = new Client({ name: "test", version: "1.0.0" });
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  beforeAll(async () => {
    const environment = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one, PATH: process.env.PATH ?? "" };
    const args = [launcher, "mcp"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: folder, env: environment, stderr: "inherit" }),
    );
  });
  afterAll(() => client.close());

  it("lists its tools with schemas of input and output, and its resources", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { name, inputSchema, outputSchema, description, annotations } of tools) {
      expect([inputSchema.additionalProperties, outputSchema?.type], name).toEqual([false, "object"]);
      expect([description?.length, annotations?.readOnlyHint], name).toEqual([expect.any(Number), expect.any(Boolean)]);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "sheaf://jobs/{guid}/pages/{page}.png",
      "sheaf://jobs/{guid}/pages/{page}/plain.png",
      "sheaf://jobs/{guid}/result",
    ]);
  });

  it("process extracts values with page, box and confidence, and links the page with its boxes", async () => {
    const answer = await call("process", { path: "invoice.pdf", schema: SCHEMA });
    expect(answer.isError, textOf(answer)).toBeUndefined();
    const { guid, status, finished, result, values, unlocated } = dataOf(answer);
    expect([status, finished, unlocated]).toEqual(["COMPLETED", true, []]);
    expect(result).toEqual({ invoice_number: "SH-2026-0117", total: 517.2 });
    const total = values.find((one: { pointer: string }) => one.pointer === "/total");
    expect(total).toMatchObject({ value: 517.2, page: 1, unit: "inch", confidence: expect.any(Number) });
    expect(total.box.left).toBeGreaterThan(6);
    expect(total.confidence).toBeGreaterThan(0.5);
    const uri = `sheaf://jobs/${guid}/pages/1.png`;
    expect(answer.content[1]).toMatchObject({ type: "resource_link", uri, mimeType: "image/png" });
    const [boxed, plain] = [await pictureAt(client, uri), await pictureAt(client, uri.replace(".png", "/plain.png"))];
    expect([boxed.subarray(0, 8).toString("hex"), plain.subarray(0, 8).toString("hex")]).toEqual([PNG, PNG]);
    expect(boxed.equals(plain)).toBe(false);
    const { contents } = await client.readResource({ uri: `sheaf://jobs/${guid}/result` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(result);
    expect(dataOf(await call("status", { guid }))).toEqual(dataOf(answer));
  });

  it("ocr reads text; its page has no boxes, and the error names the plain page", async () => {
    const content = Buffer.from("Dear Ada\nTotal: 12.50 EUR").toString("base64");
    const answer = await call("ocr", { content, fileName: "letter.txt", format: "plain" });
    expect(dataOf(answer)).toMatchObject({ status: "COMPLETED", text: expect.stringContaining("Dear Ada") });
    const read = call("ocr", { path: invoice, format: "markdown" });
    const { guid, text } = dataOf(await read);
    expect(text).toContain("Quire & Daughters");
    const page = client.readResource({ uri: `sheaf://jobs/${guid}/pages/1.png` });
    await expect(page).rejects.toThrow(`sheaf://jobs/${guid}/pages/1/plain.png`);
  });

  it("fill writes a new file or answers the document, and replaces no file", async () => {
    expect(dataOf(await call("templates", {})).templates).toMatchObject([{ name: "form-1", revision: 1 }]);
    const { fields } = dataOf(await call("templates", { name: "form-1" }));
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(["name", "invoice_number"]);
    const values = { template: "form-1", fields: { name: "Ada" } };
    const written = await call("fill", { ...values, outputPath: "filled.pdf" });
    expect(written.isError, textOf(written)).toBeUndefined();
    expect(await fieldsOf(readFileSync(join(folder, "filled.pdf")))).toEqual({ name: "Ada" });
    const again = await call("fill", { ...values, outputPath: "filled.pdf" });
    expect([again.isError, textOf(again)]).toEqual([true, expect.stringContaining("replaces no file")]);
    const { guid } = dataOf(await call("process", { path: "invoice.pdf", schema: SCHEMA }));
    const embedded = await call("fill", { template: "form-1", fromJob: guid, ignoreUnknown: true });
    expect(dataOf(embedded), textOf(embedded)).toMatchObject({ unknownFields: ["total"] });
    expect(textOf(embedded)).toContain("The template has no field for total: they are NOT in it");
    const { resource } = embedded.content[1] as { resource: { blob: string; mimeType: string } };
    expect(resource.mimeType).toBe("application/pdf");
    expect(await fieldsOf(Buffer.from(resource.blob, "base64"))).toMatchObject({ invoice_number: "SH-2026-0117" });
    const unknown = await call("fill", { template: "form-1", fields: { age: 3 }, outputPath: "unknown.pdf" });
    expect([unknown.isError, existsSync(join(folder, "unknown.pdf"))]).toEqual([true, false]);
  });

  it("reads and writes no file outside of its folders, through links neither", async () => {
    const outside = mkdtempSync(join(tmpdir(), "sheaf-mcp-outside-"));
    writeFileSync(join(outside, "secret.txt"), "secret");
    symlinkSync(outside, join(folder, "link"));
    try {
      for (const path of [join(outside, "secret.txt"), "../secret.txt", "link/secret.txt", "/etc/passwd"]) {
        const refused = await call("ocr", { path });
        expect([refused.isError, textOf(refused)], path).toEqual([
          true,
          expect.stringMatching(/outside of the folders of this server|no such file/),
        ]);
      }
      const values = { template: "form-1", fields: { name: "Ada" } };
      const refused = await call("fill", { ...values, outputPath: "link/out.pdf" });
      expect([refused.isError, existsSync(join(outside, "out.pdf"))]).toEqual([true, false]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("search finds passages with page and box", async () => {
    const { caseId, documentId } = await contracts(target.api);
    expect(dataOf(await call("knowledge_bases", {})).knowledgeBases).toContainEqual({ caseId, name: "Contracts" });
    const { passages } = dataOf(await call("search", { caseId, question: "roasted coffee", topK: 1 }));
    expect(passages).toMatchObject([{ documentId, page: 1, box: { left: expect.any(Number) } }]);
    const none = await call("search", { caseId: caseId + 1000, question: "coffee" });
    expect([none.isError, textOf(none)]).toEqual([true, expect.stringContaining("There is no knowledge base")]);
  });

  it("a failed job is an error with the service's sentence", async () => {
    const content = Buffer.from("%PDF-1.7 broken").toString("base64");
    const answer = await call("process", { content, fileName: "broken.pdf", schema: SCHEMA });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).not.toContain("COMPLETED");
  });
});

describe("sheaf mcp as a process", () => {
  it.each([
    ["its client closes its end", (child: ChildProcess) => void child.stdin?.end(), 0],
    ["it gets SIGTERM", (child: ChildProcess) => void child.kill("SIGTERM"), 143],
  ])("ends when %s, and prints nothing but messages", async (_name, end, code) => {
    const child = spawn(process.execPath, [launcher, "mcp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`);
    while (!printed.includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = once(child, "exit");
    end(child);
    expect((await ended)[0]).toBe(code);
    expect(JSON.parse(printed)).toMatchObject({ id: 7, result: {} });
  });
});

describe("sheaf mcp over HTTP", () => {
  let server: HttpServer;
  const logged: string[] = [];
  beforeAll(async () => {
    const log = (line: string): void => void logged.push(line);
    const make = (token: string) =>
      makeServer({ client: new SheafClient({ apiUrl: target.url, token }) }, { version: "1.0.0", log });
    const knows = (token: string) =>
      new SheafClient({ apiUrl: target.url, token }).me().then(
        () => true,
        () => false,
      );
    server = await serveOverHttp({ port: 0, host: "127.0.0.1", allowedHosts: [], make, knows, log });
  });
  afterAll(() => server.close());

  async function connected(key: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    return client;
  }

  it("takes documents as base64 and no path, and each key sees its own jobs only", async () => {
    const [one, two] = await Promise.all([connected(target.keys.one), connected(target.keys.two)]);
    const { tools } = await one.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { inputSchema, description, name } of tools) {
      expect(inputSchema.properties, name).not.toHaveProperty("path");
      expect(inputSchema.properties, name).not.toHaveProperty("outputPath");
      expect(description, name).not.toContain("local file");
    }
    const content = readFileSync(invoice).toString("base64");
    const answer = await one.callTool({ name: "process", arguments: { content, schema: SCHEMA } });
    const { guid, result } = dataOf(answer);
    expect(result).toEqual({ invoice_number: "SH-2026-0117", total: 517.2 });
    const strange = await two.callTool({ name: "status", arguments: { guid } });
    expect([strange.isError, strange.structuredContent]).toEqual([true, undefined]);
    const uri = `sheaf://jobs/${guid}/pages/1.png`;
    expect((await pictureAt(one, uri)).subarray(0, 8).toString("hex")).toBe(PNG);
    await expect(two.readResource({ uri })).rejects.toThrow();
    for (const path of [invoice, "/etc/passwd"]) {
      const refused = await one.callTool({ name: "ocr", arguments: { path } }).catch((error) => error);
      expect(refused instanceof Error || refused.isError === true).toBe(true);
    }
    await Promise.all([one.close(), two.close()]);
  });

  it("a key that the service does not know does nothing", async () => {
    await expect(connected("unknown-key")).rejects.toThrow("The service does not know this key");
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const requestInit = { headers: { Authorization: "Bearer unknown-key" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    const answer = await client.callTool({ name: "templates", arguments: {} });
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining("The key of this connection")]);
    await client.close();
  });
});
