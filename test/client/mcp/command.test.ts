/** `sheaf mcp`: its options. The tests of the tools are in test/full/mcp.test.ts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { sheaf } from "../cli/memory-io.ts";

it.each([
  [["mcp", "--http", "70000"], /It is a port/],
  [["mcp", "--http", "0", "--folder", "."], /--folder goes without --http/],
  [["--token", "key-of-someone", "mcp", "--http", "0"], /--token goes without --http/],
  [["mcp", "--http", "0", "--host", "0.0.0.0"], /--host 0\.0\.0\.0 needs --allowed-host/],
  [["--api-url", "ftp://x", "mcp", "--http", "0"], /must be an http or https URL/],
  [["--api-url", "https://sheaf.test", "mcp"], /A key for https:\/\/sheaf\.test is needed/],
  [["mcp", "--allowed-host", "x"], /--allowed-host is of --http/],
  [["mcp", "--folder", "/no/such/folder"], /The folder \/no\/such\/folder cannot be used: there is no such file/],
  [["mcp", "--folder", import.meta.filename], /is not a folder/],
])("exits with code 2 and a sentence: %j", async (argv, sentence) => {
  const { exitCode, stdout, stderr } = await sheaf(argv);
  expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringMatching(sentence)]);
});

it("names the port that is in use", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { exitCode, stderr } = await sheaf(["mcp", "--http", String(port)]);
  other.close();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`port ${port}: the port is in use`)]);
});

it("serves over HTTP until Ctrl-C, and writes its address to standard error only", async () => {
  const ctrlC = new AbortController();
  setTimeout(() => ctrlC.abort(), 100);
  const { exitCode, stdout, stderr } = await sheaf(["mcp", "--http", "0"], { signal: ctrlC.signal });
  expect([exitCode, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^MCP is served at http:\/\/127\.0\.0\.1:\d+\/mcp; Ctrl-C ends it\n$/);
});
