/** `sheaf batch` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Interrupted } from "../../client/cli/io.ts";
import { SheafClient } from "../../client/index.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const files = {
  "/in/one.txt": "Invoice number: A-1\nTotal: 1.50 EUR\n",
  "/in/blank.txt": " \n",
  "/in/two.txt": "Invoice number: A-2\nTotal: 2.50 EUR\n",
  "/in/program.bin": "\u007fELF\u0001\u0002",
  "/in/big.pdf": new Uint8Array(10_000_001),
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

  it("takes a folder's documents and quoted patterns", async () => {
    const more = {
      ...files,
      "/scans/a.txt": "Total: 1.00 EUR",
      "/scans/b.md": "Total: 2.00 EUR",
      "/scans/notes.bin": "x",
    };
    const env = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one };
    const batch = (...argv: string[]) => sheaf(["batch", ...argv, ...SCHEMA], { files: more, env });
    const folder = await batch("/scans");
    expect([folder.exitCode, JSON.parse(folder.stdout)]).toEqual([0, [{ total: 1 }, { total: 2 }]]);
    expect(folder.stderr).toContain("/scans: 2 documents; 1 other files are left out\n");
    const pattern = await batch("/scans/*.txt", "/scans/b.md");
    expect([pattern.exitCode, JSON.parse(pattern.stdout)]).toEqual([0, [{ total: 1 }, { total: 2 }]]);
    expect(await batch("/scans/*.pdf")).toMatchObject({ exitCode: 2, stderr: "error: No file matches /scans/*.pdf\n" });
  });

  it("draws a bar for each document on a terminal, and a table for each result", async () => {
    const env = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one, NO_COLOR: "1" };
    const world = { files, env, isTTY: true, columns: 100 };
    const { exitCode, stdout, stderr } = await sheaf(
      ["batch", "/in/one.txt", "/in/program.bin", "/in/blank.txt", ...SCHEMA],
      world,
    );
    expect(exitCode).toBe(5);
    const bars = stderr.slice(stderr.lastIndexOf("\u001b[0J")).split("\n").slice(0, 3);
    expect(bars).toEqual([
      "\u001b[0Jone.txt      ████████████  done",
      "program.bin  ████████████  refused",
      "blank.txt    ████████████  failed",
    ]);
    expect(stderr).toContain("one.txt      ███████░░░░░  working");
    expect(stdout).toMatch(
      /^document 0: \/in\/one\.txt\nFIELD +VALUE +PAGE +PLACE +CONFIDENCE\n\/total +1\.5 +1 +[\d.,]+ to /,
    );
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

  it("names a refused file, goes on with the others, and exits with 5 and the list of the refused", async () => {
    const { exitCode, stdout, stderr } = await run("/in/one.txt", "/in/program.bin", "/in/two.txt", ...SCHEMA);
    expect([exitCode, JSON.parse(stdout)]).toEqual([5, [{ total: 1.5 }, { total: 2.5 }]]);
    expect(stderr).toMatch(/^refused: \/in\/program\.bin: .+$/m);
    expect(stderr).toContain("document 1: two.txt");
    expect(stderr).toMatch(/warning: 1 of 3 files was refused and is not in the list:\n {2}\/in\/program\.bin: .+\n$/);
    const later = await run("/in/program.bin", "/in/one.txt", "--no-wait");
    expect([later.exitCode, later.stderr]).toEqual([5, expect.stringContaining("1 of 2 files was refused")]);
  });

  it("leaves no batch behind that was not started, and sends nothing while files are missing", async () => {
    const before = (await target.api.get("/job/list?size=1")).json.totalSize;
    const refused = await run("/in/program.bin", "/in/program.bin");
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^error: All 2 files were refused, no batch was started$/m);
    const missing = await run("/in/one.txt", "/in/missing.txt", "/in/gone.txt", "/in/big.pdf");
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      "error: /in/missing.txt cannot be read: there is no such file\n" +
        "error: /in/gone.txt cannot be read: there is no such file\n" +
        "error: /in/big.pdf is over 10 MB; the service reads documents of up to 10 MB\n",
    ]);
    expect((await run("/in/one.txt", "--max-concurrency", "0")).exitCode).toBe(2);
    expect((await target.api.get("/job/list?size=1")).json.totalSize).toBe(before);
  });

  /** Runs a batch of two files and sends Ctrl-C when a call with this path is made. */
  async function interruptAt(path: RegExp) {
    const stop = new AbortController();
    let batch = "";
    const fetch: typeof globalThis.fetch = async (input, init) => {
      batch = /batch\/([^/]+)/.exec(String(input))?.[1] ?? batch;
      const answer = globalThis.fetch(input, init);
      if (path.test(String(input))) stop.abort(new Interrupted(2));
      return answer;
    };
    const env = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one };
    const outcome = await sheaf(["batch", "/in/one.txt", "/in/two.txt"], { files, env, fetch, signal: stop.signal });
    return { ...outcome, batch };
  }

  it("deletes a batch that Ctrl-C ends before its start, and names one that runs", async () => {
    const early = await interruptAt(/upload$/);
    expect([early.exitCode, early.stderr]).toEqual([
      130,
      expect.stringContaining(`Job ${early.batch} was not started; it is deleted\n`),
    ]);
    expect((await target.api.get(`/job/status/${early.batch}`)).status).toBe(404);
    const late = await interruptAt(/process$/);
    expect([late.exitCode, late.stderr]).toEqual([130, expect.stringContaining(`sheaf wait ${late.batch}\n`)]);
    expect((await target.api.ended(late.batch)).status).toBe("COMPLETED");
  });
});
