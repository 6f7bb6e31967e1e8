/** Assistants' tools are loaded by `sheaf mcp` only: not by functions of the cloud, the client, or other commands. */
import { expect, it } from "vitest";
import { filesBelow, importsOf, loadedBy } from "../../support/import-graph.ts";

const isTools = (target: string): boolean => /^client\/mcp\/|^@modelcontextprotocol\//.test(target);

it("only client/mcp and its command import the tools and their SDK", () => {
  const files = ["bin", "client", "functions", "lib", "statemachines"].flatMap(filesBelow);
  const importing = files.filter((file) => importsOf(file).some(({ target }) => isTools(target)));
  const others = importing.filter((file) => !file.startsWith("client/mcp/"));
  expect(others).toEqual(["client/cli/mcp.ts"]);
});

it("the client loads no tools, and the tools nothing of the service", () => {
  expect([...loadedBy("client/index.ts")].filter(isTools)).toEqual([]);
  const loaded = [...loadedBy("client/mcp/server.ts"), ...loadedBy("client/mcp/http.ts")];
  expect(loaded.length).toBeGreaterThan(30);
  expect(loaded.filter((file) => /^(functions|bin|statemachines|lib)\//.test(file))).toEqual([]);
});
