/** `sheaf admin create-org|create-key|list-keys|revoke-key|quota|set-quota|audit`, beside a running service. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let dataDir: string;
let target: TestService;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-keys-"));
  target = await startTestService({ dataDir });
});
afterAll(async () => {
  await target.close();
  rmSync(dataDir, { recursive: true });
});

const run = (...args: string[]) => sheaf(["admin", ...args], { env: { SHEAF_DATA_DIR: dataDir } }, [admin]);
const lines = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const call = (key: string, path: string) => target.api.call("GET", path, { key });

describe("sheaf admin create-org and create-key", () => {
  it("make an organization whose key works at once, is listed without itself, and is revoked", async () => {
    const made = await run("create-org");
    expect(made).toMatchObject({ exitCode: 0 });
    const { organizationId } = JSON.parse(made.stdout);
    expect(organizationId).toBe(3);
    expect(await run("create-org", "--id", "3")).toMatchObject({
      exitCode: 1,
      stderr: "error: Organization 3 exists\n",
    });
    const created = await run("create-key", "3", "--name", "first", "--scopes", "read,admin");
    const { key, id } = JSON.parse(created.stdout);
    expect((await call(key, "/user/me")).json).toMatchObject({ id, organizationId: 3 });
    const listed = await run("list-keys", "3");
    expect(lines(listed.stdout)).toMatchObject([{ id, name: "first", scopes: ["read", "admin"], expiresAt: null }]);
    expect(listed.stdout).not.toContain(key);
    expect((await run("revoke-key", id)).stderr).toContain("last one with the scope 'admin'");
    expect((await run("revoke-key", id, "--last")).exitCode).toBe(0);
    await expect.poll(async () => (await call(key, "/user/me")).status, { timeout: 5_000 }).toBe(401);
  });

  it("rotate a key, with an end for the old one", async () => {
    const old = JSON.parse((await run("create-key", "1", "--name", "old", "--scopes", "read")).stdout);
    const fresh = JSON.parse((await run("create-key", "1", "--replaces", old.id, "--overlap-hours", "0")).stdout);
    expect(fresh).toMatchObject({ name: "old", scopes: ["read"] });
    await expect.poll(async () => (await call(old.key, "/user/me")).status, { timeout: 5_000 }).toBe(401);
    expect((await call(fresh.key, "/user/me")).status).toBe(200);
  });

  it("refuse what cannot be meant", async () => {
    for (const [args, exitCode] of [
      [["create-key", "1", "--name", "x", "--scopes", "all"], 2],
      [["create-key", "1", "--name", "x", "--scopes", "read", "--expires", "soon"], 2],
      [["create-key", "1", "--name", "x", "--scopes", "read", "--expires", "2020-01-01"], 1],
      [["create-key", "1"], 1],
      [["create-key", "77", "--name", "x", "--scopes", "read"], 1],
      [["list-keys", "77"], 1],
      [["revoke-key", "unknown"], 1],
      [["set-quota", "1"], 1],
      [["set-quota", "1", "--documents", "-1"], 2],
      [["quota", "77"], 1],
    ] as const)
      expect((await run(...args)).exitCode, args.join(" ")).toBe(exitCode);
    expect((await run("list-keys", "77")).stderr).toBe(
      "error: There is no organization 77; make it by sheaf admin create-org --id 77\n",
    );
  });
});

describe("sheaf admin set-quota", () => {
  it("is held at once: of 50 uploads in every way exactly so many come in, and 403 names the quota", async () => {
    const { api } = target;
    const used = JSON.parse((await run("quota", "1")).stdout).documentsToday;
    const set = await run("set-quota", "1", "--documents", String(used + 12), "--storage", "1000000");
    expect(JSON.parse(set.stdout)).toMatchObject({ documentsPerDay: used + 12, storageBytes: 1_000_000 });
    const batch = (await api.post("/document/batch")).json.guid;
    const ways = [
      () => api.post("/document/upload", { body: form("One.") }),
      () => api.post(`/document/batch/${batch}/upload`, { body: form("Two.") }),
      () => api.post("/document/upload-url", { json: { filename: "a.txt", mimeType: "text/plain", size: 5 } }),
      () => api.post("/document/analyze", { body: form("Four.") }),
      () => api.post("/document/upload-files", { body: form("Five.") }),
    ];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ways[index % ways.length]?.()));
    const taken = answers.filter((one) => (one?.status ?? 500) < 300);
    const refused = answers.filter((one) => one?.status === 403);
    expect([taken.length, refused.length]).toEqual([12, 38]);
    expect(refused[0]?.json.message).toBe(
      `Your organization may send ${used + 12} documents a day and has sent them; send more after 00:00 UTC`,
    );
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await api.get("/settings/view")).json).toMatchObject({
      quotas: { documentsPerDay: used + 12, storageBytes: 1_000_000 },
      use: { documentsToday: used + 12 },
    });
    expect((await target.other.upload("Mine.")).length).toBe(36);
  });

  it("frees stored bytes with a deletion, and counts none of the files that are made", async () => {
    const { api } = target;
    const { storedBytes } = JSON.parse((await run("set-quota", "1", "--documents", "none")).stdout);
    await run("set-quota", "1", "--storage", String(storedBytes + 20));
    const { guid } = await api.processed("Total: 5.00 EUR!!", {});
    const full = await api.post("/document/upload", { body: form("Some more text.") });
    expect([full.status, full.json.message]).toEqual([403, expect.stringContaining("and 3 are left")]);
    await api.delete(`/job/${guid}`);
    const again = async () => (await api.post("/document/upload", { body: form("Some more text.") })).status;
    await expect.poll(again, { timeout: 10_000, interval: 200 }).toBe(201);
    await run("set-quota", "1", "--storage", "none");
  });
});

describe("sheaf admin audit", () => {
  it("prints what callers and the operator changed, newest first, as the API does", async () => {
    const entries = lines((await run("audit", "1")).stdout);
    expect(entries.filter(({ keyId }) => keyId === "operator").map(({ path }) => path)).toContain("set-quota");
    expect(entries.map(({ path }) => path)).toContain("/document/upload");
    const { entries: page } = (await target.api.get("/audit")).json;
    expect(entries.slice(0, page.length)).toEqual(page);
    const org3 = lines((await run("audit", "3")).stdout);
    expect(org3.map(({ path }) => path)).toEqual(["revoke-key", "create-key", "create-org"]);
    expect(JSON.stringify([entries, org3])).not.toMatch(/sheaf_\d|Total|Some more/);
    expect(lines((await run("audit", "1", "--from", "2999-01-01")).stdout)).toEqual([]);
  });
});
