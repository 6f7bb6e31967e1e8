/** `sheaf admin`: backups of a running service, restored whole; export and erasure of one organization. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { ZipFile } from "../../functions/adapters/local/admin/zip-file.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { startTestService, type TestService } from "../support/service.ts";

let home: string;
let dataDir: string;
let target: TestService | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sheaf-admin-"));
  dataDir = join(home, "data");
});
afterEach(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

const run = (...args: string[]) => sheaf(["admin", ...args], { env: { SHEAF_DATA_DIR: dataDir } }, [admin]);
const started = async (folder = dataDir): Promise<TestService> => {
  target = await startTestService({ dataDir: folder });
  return target;
};
const stop = async (): Promise<void> => {
  const running = target;
  target = undefined;
  await running?.close();
};
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe("sheaf admin backup", () => {
  it("of a busy service restores every job whole, without jobs deleted meanwhile", async () => {
    const { api } = await started();
    const invoice = await drawInvoice();
    const { guid } = await api.processed(invoice, { schema: { total: "number" }, sourceLocations: true });
    const sources = (await api.get(`/job/result/${guid}/source-locations`)).json;
    await api.post("/configuration/kept", { json: { prompt: "Kept" } });
    const short = await Promise.all(Array.from({ length: 8 }, (_, index) => api.upload(`Total: ${index} EUR`)));
    let busy = true;
    const churn = (async () => {
      for (let at = 0; busy && at < short.length; at++) {
        if (at % 3 === 0) await api.delete(`/job/${short[at]}`);
        else await api.processed(`Total: ${at}.50 EUR`, { schema: { total: "number" } });
      }
    })();
    const backup = join(home, "backup");
    expect(await run("backup", backup)).toMatchObject({ exitCode: 0, stdout: "" });
    busy = false;
    await churn;
    await stop();

    const sums = spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: backup, encoding: "utf8" });
    if (sums.error === undefined) expect([sums.status, sums.stdout]).toEqual([0, ""]);
    for (const file of filesBelow(backup)) expect(statSync(file).mode & 0o077).toBe(0);
    const restored = join(home, "restored");
    const outcome = await run("restore", backup, "--data-dir", restored);
    expect(outcome.stderr).toMatch(/^Restored \d+ files of /);
    const second = await started(restored);
    expect((await second.api.get(`/job/result/${guid}`)).json).toEqual({ total: 517.2 });
    expect((await second.api.get(`/job/result/${guid}/source-locations`)).json).toEqual(sources);
    expect((await second.api.get("/configuration/kept")).json).toEqual({ prompt: "Kept" });
    const { content } = (await second.api.get("/job/list?size=100")).json;
    expect(content.length).toBeGreaterThan(5);
    const asked = content.filter((job: { runs: unknown[] }, index: number) => job.runs.length > 0 || index < 2);
    for (const job of asked) {
      const ended = ["PENDING", "PROCESSING"].includes(job.status) && job.runs.length > 0;
      const { status } = ended ? await second.api.ended(job.guid) : job;
      // Its document exists: it can be processed again, or its result is served.
      if (status === "COMPLETED") expect((await second.api.get(`/job/result/${job.guid}`)).status).toBe(200);
      else if (status === "PENDING") {
        await second.api.post(`/document/process/${job.guid}`, { json: { schema: { total: "number" } } });
        expect((await second.api.ended(job.guid)).status).toBe("COMPLETED");
      } else throw new Error(`Job ${job.guid} is ${status}: ${job.error}`);
    }
  }, 90_000);

  it("restores only into an empty folder, and only an unchanged backup", async () => {
    const { api } = await started();
    await api.upload("One document");
    await stop();
    const backup = join(home, "backup");
    expect((await run("backup", join(dataDir, "inside"))).stderr).toMatch(/must not stand in each other/);
    writeFileSync(join(home, "file"), "x");
    expect((await run("backup", home)).exitCode).toBe(1);
    await run("backup", backup);
    expect((await run("restore", backup)).stderr).toMatch(/is not empty/);
    const restored = join(home, "restored");
    const [blob = ""] = filesBelow(join(backup, "blobs"));
    const bytes = readFileSync(blob);
    for (const [change, sentence] of [
      [() => writeFileSync(blob, "changed"), /has another content/],
      [() => rmSync(blob), /is missing/],
    ] as const) {
      change();
      expect((await run("restore", backup, "--data-dir", restored)).stderr).toMatch(sentence);
      expect(existsSync(restored)).toBe(false);
      writeFileSync(blob, bytes);
    }
    writeFileSync(join(backup, "SHA256SUMS"), "");
    expect((await run("restore", backup, "--data-dir", restored)).stderr).toMatch(/is not the one that was written/);
    expect((await run("backup", join(home, "other"), "--data-dir", restored)).stderr).toMatch(/There is no data/);
  });
});

describe("sheaf admin export and erase", () => {
  it("exports all data of an organization, erases all of it, and touches no other organization", async () => {
    const { api, other } = await started();
    const { guid } = await api.processed("Total: 12.50 EUR", { schema: { total: "number" } }, { name: "a/b:c.txt" });
    await api.upload("Unique-secret-of-one");
    await api.post("/configuration/theirs alone", { json: { prompt: "Unique-prompt-of-one" } });
    const theirs = await other.processed("Total: 7 EUR", { schema: { total: "number" } });
    const zip = join(home, "one.zip");
    expect((await run("export-org", "1", zip)).stderr).toMatch(/^Exported 2 jobs with \d+ files to /);
    const entries = unzipSync(readFileSync(zip));
    const json = (name: string) => JSON.parse(Buffer.from(entries[name] ?? []).toString("utf8"));
    expect(json("organization.json")).toMatchObject({ organizationId: 1, jobs: 2 });
    expect(json(`jobs/${guid}/job.json`)).toMatchObject({ guid, status: "COMPLETED" });
    const resultKey: string = json(`jobs/${guid}/job.json`).runs[0].resultKey;
    expect(json(resultKey)).toEqual({ total: 12.5 });
    expect(Buffer.from(entries[`jobs/${guid}/source/b_c.txt`] ?? []).toString()).toBe("Total: 12.50 EUR");
    expect(json("usage.json")).toMatchObject([{ guid, event_type: "ocr" }]);
    expect(Object.keys(entries).join()).not.toContain(theirs.guid);
    expect(Buffer.from(entries["records.jsonl"] ?? []).toString()).toContain("Unique-prompt-of-one");

    expect(await run("erase-org", "1")).toMatchObject({ exitCode: 2 });
    expect((await run("erase-org", "1", "--yes")).stderr).toMatch(/Another Sheaf service is using/);
    await stop();
    expect((await run("erase-org", "1", "--yes")).stderr).toMatch(/^Erased \d+ records and all files/);
    for (const file of filesBelow(dataDir)) {
      const content = readFileSync(file, "latin1");
      for (const trace of [guid, "Unique-secret-of-one", "Unique-prompt-of-one", "12.50 EUR"])
        expect(content, file).not.toContain(trace);
    }
    expect((await run("export-org", "1", zip)).stderr).toMatch(/There are no data of organization 1/);
    const second = await started();
    expect((await second.api.get("/job/list")).json.totalSize).toBe(0);
    expect((await second.api.get("/configuration")).json).toEqual([]);
    expect((await second.other.get(`/job/result/${theirs.guid}`)).json).toEqual({ total: 7 });
  });

  it("splits an export into several zips, each complete", () => {
    const file = new ZipFile(join(home, "many.zip"), { entries: 2, bytes: 1000 });
    for (let index = 0; index < 5; index++) file.add(`${index}.txt`, Buffer.from(`text ${index}`));
    const zips = file.end();
    expect(zips.map((path) => path.slice(home.length + 1))).toEqual(["many.zip", "many-2.zip", "many-3.zip"]);
    const names = zips.flatMap((path) => Object.keys(unzipSync(readFileSync(path))));
    expect(names).toEqual([0, 1, 2, 3, 4].map((index) => `${index}.txt`));
  });
});
