/** `sheaf cases`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const TEXT = "Claim report\nClaim number: C-17\n";
const LARGE = "Claim report\n".repeat(350_000);
const files = { "/in/one.txt": TEXT, "/in/large.txt": LARGE };
const command = (...argv: string[]) =>
  sheaf(["cases", ...argv], { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });
async function answered(...argv: string[]) {
  const { exitCode, stdout, stderr } = await command(...argv);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

it("sheaf cases makes a case, fills it, shows it and deletes it", async () => {
  const { id, name } = await answered("create", "Claim, é", "--description", "Water");
  expect(name).toBe("Claim, é");
  const caseId = String(id);
  expect(await answered("get", caseId)).toMatchObject({ id, description: "Water" });
  expect(await answered("update", caseId, "Claim 2")).toMatchObject({ name: "Claim 2", description: "Water" });
  expect((await answered("list")).map((one: { id: number }) => one.id)).toContain(id);
  const metadata = '{"source":"mail","pages":2}';
  const { documentId, ...document } = await answered("upload-document", caseId, "/in/one.txt", "--metadata", metadata);
  expect(document).toMatchObject({ filename: "one.txt", metadata: { source: "mail", pages: "2" } });
  await target.api.ended(documentId);
  expect(await answered("get-document", caseId, documentId)).toMatchObject({ processingStatus: "COMPLETED" });
  const summary = await answered("get-summary", caseId, documentId);
  expect(summary.summary.key_facts).toEqual(["Claim number: C-17"]);
  expect(await answered("list-summaries", caseId)).toEqual([summary]);
  expect(await answered("list-documents", caseId, "--page", "0", "--size", "5")).toMatchObject({
    totalSize: 1,
    size: 5,
  });
  expect(await answered("list-documents", caseId, "--page", "7")).toMatchObject({ content: [] });
  const saved = await command("download", caseId, documentId, "-o", "-");
  expect([saved.exitCode, saved.stdout]).toEqual([0, TEXT]);
  expect((await command("delete-document", caseId, documentId)).stderr).toBe(`document ${documentId}: deleted\n`);
  expect((await command("get-document", caseId, documentId)).exitCode).toBe(6);
  expect((await command("delete", caseId)).stderr).toBe(`case ${caseId}: deleted\n`);
  expect((await command("get", caseId)).stderr).toContain(`There is no case ${caseId}`);
});

it("sheaf cases refuses what is no id, page or metadata, and sends nothing", async () => {
  for (const argv of [
    ["get", "x"],
    ["get", "0"],
    ["get-document", "1", "x"],
    ["list-documents", "1", "--page", "-1"],
  ]) {
    expect((await command(...argv)).exitCode, argv.join(" ")).toBe(2);
  }
  for (const metadata of ["[]", "{"]) {
    expect((await command("upload-document", "1", "/in/one.txt", "--metadata", metadata)).exitCode).toBe(2);
  }
});

it("sheaf cases sends a document over 4 MB past the limits of a request", async () => {
  const caseId = String((await answered("create", "Large")).id);
  const { documentId, ...document } = await answered("upload-document", caseId, "/in/large.txt");
  expect(document).toMatchObject({ filename: "large.txt", sizeBytes: LARGE.length, processingJobId: documentId });
  expect((await command("upload-document", caseId, "/in/large.txt", "--metadata", "{}")).exitCode).toBe(2);
  expect((await command("delete", caseId)).exitCode).toBe(0);
});

it("the client has the calls for cases", async () => {
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  const { cases } = client;
  const made = await cases.create({ name: "Client" });
  expect(await cases.get(made.id)).toEqual(made);
  expect(await cases.list()).toContainEqual(made);
  const { documentId } = await cases.upload(made.id, Buffer.from(TEXT), { fileName: "a.txt", metadata: { a: "b" } });
  const renamed = await cases.update(made.id, { name: "Renamed", updatedAt: made.updatedAt });
  await expect(cases.update(made.id, { name: "Late", updatedAt: made.updatedAt })).rejects.toMatchObject({
    status: 409,
  });
  expect(renamed.name).toBe("Renamed");
  await client.wait(documentId);
  expect(await cases.document(made.id, documentId)).toMatchObject({ metadata: { a: "b" }, filename: "a.txt" });
  expect((await cases.documents(made.id, { page: 0, size: 1 })).content).toHaveLength(1);
  expect(await cases.summaries(made.id)).toEqual([await cases.summary(made.id, documentId)]);
  const file = await cases.download(made.id, documentId);
  expect(Buffer.from(file.bytes).toString()).toBe(TEXT);
  // The document is processed without another upload.
  await client.process(documentId, { schema: { claim_number: "string" } });
  await client.wait(documentId);
  expect((await client.resultJson(documentId)).json).toEqual({ claim_number: "C-17" });
  await cases.removeDocument(made.id, documentId);
  await cases.remove(made.id);
  await expect(cases.get(made.id)).rejects.toMatchObject({ status: 404 });
});
