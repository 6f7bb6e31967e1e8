/** `sheaf llm` and `sheaf ocr`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const SECRET = "a-secret-of-the-command-line";
async function run(...argv: string[]) {
  const { exitCode, stdout, stderr } = await sheaf(argv, {
    env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one },
    files: {},
  });
  expect(stdout + stderr).not.toContain(SECRET);
  return { exitCode, stderr, json: stdout === "" ? undefined : JSON.parse(stdout) };
}

it.each([
  ["llm", ["--type", "CUSTOM", "--base-url", "https://models.invalid/v1", "--model", "m"], "HIGH"],
  ["ocr", ["--endpoint", "https://ocr.invalid/page", "--features", '{"tables": true}'], "PREMIUM"],
])("sheaf %s saves, lists, changes, binds, tests and deletes a provider", async (kind, settings, key) => {
  const created = await run(kind, "create", "--name", "ours", "--api-key", SECRET, ...settings);
  expect(created.exitCode, created.stderr).toBe(0);
  const id = String(created.json.id);
  expect((await run(kind, "providers")).json).toContainEqual(created.json);
  const updated = await run(kind, "update", id, "--description", "a note", "--status", "INACTIVE");
  expect(updated.json).toMatchObject({ name: "ours", description: "a note", status: "INACTIVE", hasApiKey: true });
  expect((await run(kind, "get", id)).json).toEqual(updated.json);
  expect((await run(kind, "bind", key, "--provider-id", id)).json).toMatchObject({ providerId: Number(id) });
  expect((await run(kind, "keys")).json.at(-1)).toEqual({ key, providerId: Number(id), providerName: "ours" });
  const tested = await run(kind, "test", id);
  expect([tested.exitCode, tested.json.ok]).toEqual([1, false]);
  expect((await run(kind, "bind", key)).json).toMatchObject({ providerId: null });
  expect((await run(kind, "delete", id)).json).toMatchObject({ status: "DELETED" });
  const gone = await run(kind, "get", id);
  expect(gone.exitCode).toBe(6);
  expect(gone.stderr).toMatch(/There is no (LLM|OCR) provider/);
  const all = (await run(kind, "providers", "--deleted")).json;
  expect(all).toContainEqual(expect.objectContaining({ id: Number(id), status: "DELETED" }));
});

it("sheaf llm create says what is missing", async () => {
  const { exitCode, stderr } = await run("llm", "create", "--name", "ours");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--type");
});

it("the client changes a provider for the state that it saw", async () => {
  const { llm } = new SheafClient({ apiUrl: target.url, token: target.keys.one }).providers;
  const made = await llm.create({ name: "client", type: "OPENAI", model: "m" });
  const changed = await llm.update(made.id, { name: "renamed", updatedAt: made.updatedAt });
  expect(changed.name).toBe("renamed");
  await expect(llm.update(made.id, { name: "again", updatedAt: made.updatedAt })).rejects.toMatchObject({
    status: 409,
  });
  await llm.remove(made.id);
});
