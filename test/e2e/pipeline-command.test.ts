/** `sheaf process --pipeline` and `sheaf batch --pipeline`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PipelineDefinition, SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const definition: PipelineDefinition = {
  nodes: [
    { id: "read", type: "extract", schema: { total: "number" } },
    { id: "done", type: "final", output: { sum: "$nodes.read.result.total" } },
  ],
  finals: [{ node: "done" }],
};
const files = {
  "/in/graph.json": JSON.stringify(definition),
  "/in/cycle.json": JSON.stringify({ ...definition, finals: [{ node: "nobody" }] }),
  "/in/none.json": "[]",
  "/in/one.txt": "Total: 1.50 EUR",
  "/in/two.txt": "Total: 2.50 EUR",
};
const command = (...argv: string[]) =>
  sheaf(argv, { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("sheaf process and sheaf batch run a definition over a document and over a batch", async () => {
  const one = await command("process", "/in/one.txt", "--pipeline", "/in/graph.json");
  expect([one.exitCode, JSON.parse(one.stdout)]).toEqual([0, { sum: 1.5 }]);
  const batch = await command("batch", "/in/one.txt", "/in/two.txt", "--pipeline", "/in/graph.json");
  expect([batch.exitCode, JSON.parse(batch.stdout)]).toEqual([0, [{ sum: 1.5 }, { sum: 2.5 }]]);
});

it("sheaf pipeline run runs a definition, and sheaf pipeline nodes prints the nodes", async () => {
  const started = await command("pipeline", "run", "/in/graph.json", "/in/two.txt", "--no-wait");
  const { guid } = JSON.parse(started.stdout);
  const waited = await command("wait", guid);
  expect([waited.exitCode, JSON.parse(waited.stdout)]).toEqual([0, { sum: 2.5 }]);
  const printed = await command("pipeline", "nodes", guid, "--run", "1");
  expect(JSON.parse(printed.stdout)).toMatchObject([
    { id: "read", type: "extract", status: "COMPLETED" },
    { id: "done", status: "COMPLETED" },
  ]);
  const env = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one, NO_COLOR: "1" };
  const shown = await sheaf(["pipeline", "nodes", guid], { files, env, columns: 80 });
  expect(shown.stdout).toMatch(/^NODE +TYPE +STATUS +WARNINGS\nread +extract +COMPLETED/);
});

it("sheaf process reports the faults of a definition, and leaves nothing behind", async () => {
  const before = (await target.api.get("/job/list")).json.totalSize;
  const faulty = await command("process", "/in/one.txt", "--pipeline", "/in/cycle.json");
  expect([faulty.exitCode, faulty.stderr]).toEqual([1, expect.stringContaining("/pipeline/finals/0/node")]);
  const batch = await command("batch", "/in/one.txt", "--pipeline", "/in/cycle.json");
  expect([batch.exitCode, batch.stderr]).toEqual([1, expect.stringContaining("/pipeline/finals/0/node")]);
  expect((await command("process", "/in/one.txt", "--pipeline", "/in/none.json")).exitCode).toBe(2);
  const both = await command("process", "/in/one.txt", "--pipeline", "/in/graph.json", "--prompt", "x");
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("--prompt")]);
  expect((await target.api.get("/job/list")).json.totalSize).toBe(before);
});

it("the client checks a definition, runs it and reads its nodes", async () => {
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  expect(await client.pipelines.validate(definition)).toMatchObject({
    valid: true,
    nodes: [
      { id: "read", dependsOn: [] },
      { id: "done", dependsOn: ["read"] },
    ],
    finals: ["done"],
  });
  expect(await client.pipelines.validate({ nodes: [] })).toMatchObject({ valid: false });
  const { guid } = await client.uploadFiles(Buffer.from("Total: 8 EUR"), { metadata: { pipeline: definition } });
  await client.wait(guid);
  expect((await client.resultJson(guid)).json).toEqual({ sum: 8 });
  const nodes = await client.pipelines.nodes(guid, { run: 1 });
  expect(nodes.map(({ id, status }) => [id, status])).toEqual([
    ["read", "COMPLETED"],
    ["done", "COMPLETED"],
  ]);
  const batch = await client.createBatch({ maxConcurrency: 2 });
  await client.uploadToBatch(batch.guid, Buffer.from("Total: 9 EUR"));
  await client.processBatch(batch.guid, { pipeline: definition });
  await client.wait(batch.guid);
  expect((await client.pipelines.nodes(batch.guid, { batchIndex: 0 })).map(({ id }) => id)).toEqual(["read", "done"]);
});
