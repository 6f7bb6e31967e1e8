/** `sheaf batch` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

const files = {
  "/in/one.txt": "Invoice number: A-1\nTotal: 1.50 EUR\n",
  "/in/blank.txt": " \n",
  "/in/two.txt": "Invoice number: A-2\nTotal: 2.50 EUR\n",
  "/in/program.bin": "\u007fELF\u0001\u0002",
};
const SCHEMA = ["--schema", '{"total":"number"}'];
const run = (...argv: string[]) =>
  sheaf(["batch", ...argv], { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

describe("sheaf batch", () => {
  it("prints the list in the order of the files", async () => {
    const { exitCode, stdout, stderr } = await run("/in/two.txt", "/in/one.txt", ...SCHEMA, "--max-concurrency", "2");
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, [{ total: 2.5 }, { total: 1.5 }]]);
    expect(stderr).toContain("document 1: one.txt, 36 bytes, text/plain\n");
  });

  it("exits with 5 and prints the list when documents failed, and with 1 when all did", async () => {
    const some = await run("/in/one.txt", "/in/blank.txt", ...SCHEMA);
    expect([some.exitCode, JSON.parse(some.stdout)]).toEqual([
      5,
      [{ total: 1.5 }, "Processing failed: Text extraction failed"],
    ]);
    expect(some.stderr).toContain("1 of 2 documents failed");
    const none = await run("/in/blank.txt");
    expect([none.exitCode, none.stdout]).toEqual([1, ""]);
    expect(none.stderr).toContain("1 of 1 documents failed");
  });

  it("prints the batch with --no-wait", async () => {
    const { exitCode, stdout, stderr } = await run("/in/one.txt", "--no-wait");
    const { guid, status } = JSON.parse(stdout);
    expect([exitCode, status]).toEqual([0, "PENDING"]);
    expect(stderr).toContain(`wait ${guid}`);
    expect((await target.api.ended(guid)).status).toBe("COMPLETED");
  });

  it("uses the client's calls", async () => {
    const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
    const { guid } = await client.createBatch({ maxConcurrency: 2 });
    const bytes = new TextEncoder().encode(files["/in/one.txt"]);
    expect(await client.uploadToBatch(guid, bytes, { fileName: "one.txt" })).toMatchObject({ index: 0 });
    expect(await client.scheduleBatch(guid)).toMatchObject({ scheduled: false, status: "PENDING" });
    expect(await client.processBatch(guid, { maxConcurrency: 3 })).toMatchObject({ maxConcurrency: 3 });
    expect((await client.wait(guid)).status).toBe("COMPLETED");
  });

  it("leaves no batch behind that was not started", async () => {
    const before = (await target.api.get("/job/list?size=1")).json.totalSize;
    const refused = await run("/in/one.txt", "/in/program.bin");
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect((await run("/in/one.txt", "/in/missing.txt")).exitCode).toBe(2);
    expect((await run("/in/one.txt", "--max-concurrency", "0")).exitCode).toBe(2);
    expect((await target.api.get("/job/list?size=1")).json.totalSize).toBe(before);
  });
});
