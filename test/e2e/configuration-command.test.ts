/** `sheaf configuration`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const files = {
  "/in/command.json": JSON.stringify({ schema: { total: "number" }, ours: 1 }),
  "/in/none.json": "[]",
  "/in/one.txt": "Total: 1.50 EUR",
};
const command = (...argv: string[]) =>
  sheaf(argv, { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("sheaf configuration saves, lists, shows, uses and removes", async () => {
  const name = "command line, é";
  const saved = await command("configuration", "save", name, "/in/command.json");
  expect([saved.exitCode, JSON.parse(saved.stdout).name]).toEqual([0, name]);
  const again = await command("configuration", "save", name, "/in/command.json");
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("Configuration name already exists")]);
  expect((await command("configuration", "save", name, "/in/command.json", "--overwrite")).exitCode).toBe(0);
  expect((await command("configuration", "save", name, "/in/none.json")).exitCode).toBe(2);
  const listed = JSON.parse((await command("configuration", "list")).stdout);
  expect(listed.map((one: { name: string }) => one.name)).toContain(name);
  const shown = await command("configuration", "show", name);
  expect(JSON.parse(shown.stdout)).toEqual({ schema: '{"total":"number"}', ours: 1 });
  const processed = await command("process", "/in/one.txt", "--configuration", name);
  expect([processed.exitCode, JSON.parse(processed.stdout)]).toEqual([0, { total: 1.5 }]);
  const schema = ["--schema", '{"currency":"string"}'];
  const batch = await command("batch", "/in/one.txt", "--configuration", name, ...schema);
  expect([batch.exitCode, JSON.parse(batch.stdout)]).toEqual([0, [{ currency: "EUR" }]]);
  const revisions = JSON.parse((await command("configuration", "revisions", name)).stdout);
  expect(revisions.map(({ revision }: { revision: number }) => revision)).toEqual([2, 1]);
  expect(JSON.parse((await command("configuration", "diff", name, "1", "2")).stdout)).toEqual([]);
  expect(JSON.parse((await command("configuration", "restore", name, "1")).stdout)).toMatchObject({ revision: 3 });
  expect((await command("configuration", "show", name, "--revision", "3")).stdout).toBe(shown.stdout);
  expect((await command("configuration", "show", name, "--revision", "0")).exitCode).toBe(2);
  const removed = await command("configuration", "remove", name);
  expect([removed.exitCode, removed.stderr]).toEqual([0, `configuration ${name}: deleted\n`]);
  expect((await command("configuration", "show", name)).exitCode).toBe(6);
  expect((await command("process", "/in/one.txt", "--configuration", name)).stderr).toContain(
    "There is no configuration",
  );
});

it("the client has the calls for configurations", async () => {
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  const { configurations } = client;
  const name = "client";
  const { id } = await configurations.save(name, { ocr: "AUTO", prompt: "x", ours: [1] });
  expect(await configurations.list()).toContainEqual(expect.objectContaining({ id, name }));
  expect((await configurations.save(name, { schema: { total: "number" } }, { overwrite: true })).id).toBe(id);
  expect(await configurations.get(name)).toEqual({ schema: '{"total":"number"}' });
  expect(await configurations.revisions(name)).toMatchObject([{ revision: 2 }, { revision: 1 }]);
  expect(await configurations.get(name, { revision: 1 })).toEqual({ ocr: "AUTO", prompt: "x", ours: [1] });
  expect(await configurations.diff(name, { from: 1, to: 2 })).toContainEqual({ path: "/ocr", from: "AUTO", to: null });
  expect(await configurations.restore(name, 2)).toMatchObject({ revision: 3 });
  const { guid } = await client.upload(Buffer.from("Total: 8 EUR"));
  await configurations.process(guid, name);
  await client.wait(guid);
  expect((await client.resultJson(guid)).json).toEqual({ total: 8 });
  const batch = await client.createBatch({ maxConcurrency: 2 });
  await client.uploadToBatch(batch.guid, Buffer.from("Total: 9 EUR"));
  expect(await configurations.processBatch(batch.guid, name, { trace: false })).toMatchObject({ maxConcurrency: 2 });
  await client.wait(batch.guid);
  expect((await client.resultJson(batch.guid)).json).toEqual([{ total: 9 }]);
  await configurations.remove(name);
  await expect(configurations.get(name)).rejects.toMatchObject({ status: 404 });
});

it("the commands of configurations stand by themselves, too", async () => {
  const saved = await command("save-configuration", "alone", "/in/command.json");
  expect([saved.exitCode, JSON.parse(saved.stdout).name]).toEqual([0, "alone"]);
  expect((await command("save-configuration", "alone", "/in/command.json", "--overwrite")).exitCode).toBe(0);
  expect((await command("list-configurations")).stdout).toContain('"alone"');
  expect(JSON.parse((await command("get-configuration", "alone", "--revision", "1")).stdout)).toMatchObject({
    ours: 1,
  });
  expect(await command("delete-configuration", "alone")).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await command("get-configuration", "alone")).exitCode).toBe(6);
});
