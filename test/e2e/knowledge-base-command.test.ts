/** `sheaf knowledge-base`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { contracts } from "../support/knowledge-bases.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const command = (...argv: string[]) =>
  sheaf(["knowledge-base", ...argv], { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });
async function answered(...argv: string[]) {
  const { exitCode, stdout, stderr } = await command(...argv);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

it("sheaf knowledge-base adds a case, shows it, searches it and removes it", async () => {
  const { caseId, documentId } = await contracts(target.api);
  const id = String(caseId);
  expect(await answered("add", id)).toMatchObject({ id: caseId, isKnowledgeBase: true });
  expect(await answered("get", id)).toMatchObject({ id: caseId });
  expect((await answered("list")).map((one: { id: number }) => one.id)).toContain(caseId);
  const found = await answered("search", id, "roasted coffee", "--top-k", "1");
  expect(found).toMatchObject([{ documentId, filename: "contract.pdf", pageNumber: 1 }]);
  const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
  expect(await client.knowledgeBases.search(caseId, "roasted coffee", { topK: 1 })).toEqual(found);
  expect((await command("remove", id)).stderr).toBe(`case ${id}: no longer a knowledge base\n`);
  expect((await command("search", id, "coffee")).stderr).toContain(`There is no knowledge base ${id}`);
});

it("sheaf knowledge-base refuses what is no id and no number of passages, and sends nothing", async () => {
  for (const argv of [
    ["get", "x"],
    ["add", "0"],
    ["search", "1", "coffee", "--top-k", "51"],
  ]) {
    expect((await command(...argv)).exitCode, argv.join(" ")).toBe(2);
  }
});
