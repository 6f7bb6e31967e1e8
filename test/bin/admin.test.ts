/** `sheaf admin`: backups of a running service, restored whole; export and erasure of one organization. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { fingerprintOf, KEY_FINGERPRINT } from "../../functions/adapters/local/admin/files.ts";
import { ZipFile } from "../../functions/adapters/local/admin/zip-file.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { openVault } from "../../functions/service/organizations/vault.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { form as multipart } from "../support/api.ts";
import { templatePdf } from "../support/form-pdf.ts";
import { startTestService, type TestService } from "../support/service.ts";

const WEBHOOK = { partition: "org/1/settings", sort: "webhook" };
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
    const form = await templatePdf();
    const uploadTemplate = async (name: string) =>
      expect((await api.post(`/template/${name}`, { body: multipart(form) })).status).toBe(200);
    await uploadTemplate("kept");
    for (let at = 0; at < 6; at++) await uploadTemplate(`short-${at}`);
    const short = await Promise.all(Array.from({ length: 8 }, (_, index) => api.upload(`Total: ${index} EUR`)));
    let busy = true;
    const churn = (async () => {
      for (let at = 0; busy && at < short.length; at++) {
        if (at < 6) await api.delete(`/template/short-${at}`);
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
    for (const { name } of (await second.api.get("/template/list")).json) {
      const filled = await second.api.post(`/template/fill/${name}`, { json: { fields: { agreed: true } } });
      expect([name, filled.status], filled.text.slice(0, 200)).toEqual([name, 200]);
    }
    expect((await second.api.get("/template/kept/revisions")).json).toHaveLength(1);
    const { content, totalSize } = (await second.api.get("/job/list?size=100")).json;
    expect(content.length).toBeGreaterThan(5);
    expect(totalSize).toBe(content.length);
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

describe("sheaf admin backup --without-key", () => {
  let backup: string;
  let restored: string;
  let key: string;
  /** A data folder with a webhook of organization 1 and an issued API key, backed up without its server key. */
  beforeEach(async () => {
    backup = join(home, "backup");
    restored = join(home, "restored");
    key = join(dataDir, "server.key");
    mkdirSync(dataDir);
    writeFileSync(key, randomBytes(32));
    const records = openRecords(join(dataDir, "records.sqlite"), { clock: systemClock() });
    const sealed = await openVault(async () => readFileSync(key)).seal("whsec_kept", "org/1/webhook");
    const secrets = [{ sealed, createdAt: "2026-11-23T00:00:00.000Z", expiresAt: null }];
    await records.put(WEBHOOK, { v: 1, url: "https://1.1.1.1/events", secrets });
    await records.put({ partition: "sys/keys", sort: "a1" }, { v: 1, organizationId: 1, managedBy: "api" });
    await records.put(KEY_FINGERPRINT, { v: 1, fingerprint: fingerprintOf(readFileSync(key)) });
    await records.put({ partition: "org/1/settings", sort: "other" }, { v: 1 });
    records.close();
    const made = await run("backup", backup, "--without-key");
    expect(made.exitCode).toBe(0);
    expect(made.stderr).toContain(`Keep a copy of ${key} elsewhere`);
    expect(existsSync(join(backup, "server.key"))).toBe(false);
    for (const file of filesBelow(backup)) expect(readFileSync(file).includes(readFileSync(key)), file).toBe(false);
  });
  const restoreTo = (...args: string[]) => run("restore", backup, "--data-dir", restored, ...args);

  it("is restored whole with the key of its data folder", async () => {
    expect(await restoreTo("--key", key)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(restored, "server.key"))).toEqual(readFileSync(key));
    expect(statSync(join(restored, "server.key")).mode & 0o777).toBe(0o600);
    const records = openRecords(join(restored, "records.sqlite"), { clock: systemClock() });
    const settings = (await records.get<{ v: 1; secrets: { sealed: string }[] }>(WEBHOOK))?.value;
    records.close();
    const vault = openVault(async () => readFileSync(join(restored, "server.key")));
    expect(await vault.open(settings?.secrets[0]?.sealed ?? "", "org/1/webhook")).toBe("whsec_kept");
  });

  it("is not restored without a key, nor with another key", async () => {
    const other = join(home, "other.key");
    writeFileSync(other, "k".repeat(32));
    for (const [args, sentence] of [
      [[], /was made without server\.key.* --key FILE, or .* --new-key/],
      [["--key", other], /other\.key is not the server\.key of the data folder that was backed up/],
      [["--key", join(home, "none")], /none cannot be read/],
    ] as const) {
      const outcome = await restoreTo(...args);
      expect([outcome.exitCode, outcome.stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect(existsSync(restored)).toBe(false);
    }
    expect(await restoreTo("--key", key, "--new-key")).toMatchObject({ exitCode: 2 });
  });

  it("is restored under a new key without all that only the old key opens", async () => {
    const outcome = await restoreTo("--new-key");
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr).toMatch(
      /new server\.key; the webhooks of organizations 1 were removed.*; 1 issued API keys/,
    );
    expect(readFileSync(join(restored, "server.key"))).not.toEqual(readFileSync(key));
    const { api } = await started(restored);
    expect((await api.get("/settings/webhook")).json.url).toBe(null);
    const address = { url: "http://127.0.0.1:8099/events" };
    const { json } = await api.call("PUT", "/settings/webhook", { json: address });
    expect(json.secret).toMatch(/^whsec_/);
    await stop();
    using records = new DatabaseSync(join(restored, "records.sqlite"));
    const kept = records.prepare("SELECT sort FROM records WHERE partition IN ('org/1/settings', 'sys/keys')").all();
    expect(kept.map(({ sort }) => sort)).toEqual(expect.arrayContaining(["other", "webhook"]));
    expect(kept.map(({ sort }) => sort)).not.toContain("a1");
  });

  it("is the only kind that takes a key", async () => {
    const whole = join(home, "whole");
    await run("backup", whole);
    for (const args of [["--key", key], ["--new-key"]]) {
      const outcome = await run("restore", whole, "--data-dir", restored, ...args);
      expect(outcome.stderr).toMatch(/contains its server\.key; leave out --key and --new-key/);
    }
    rmSync(key);
    expect((await run("backup", join(home, "keyless"))).stderr).toMatch(/server\.key is missing in .*put it back/);
  });
});

describe("sheaf admin export and erase", () => {
  it("exports all data of an organization, erases all of it, and touches no other organization", async () => {
    const { api, other } = await started();
    const { guid } = await api.processed("Total: 12.50 EUR", { schema: { total: "number" } }, { name: "a/b:c.txt" });
    await api.upload("Unique-secret-of-one");
    await api.post("/configuration/theirs alone", { json: { prompt: "Unique-prompt-of-one" } });
    const theirs = await other.processed("Total: 7 EUR", { schema: { total: "number" } });
    const forms = [await templatePdf(), await templatePdf({ extra: "comment" })] as const;
    for (const one of forms) await api.post("/template/form.one?replace=true", { body: multipart(one) });
    const picture = new FormData();
    picture.append("images", new Blob([Buffer.from("89504e470d0a1a0a00", "hex")]), "a/logo.png");
    expect((await api.post("/template/form.one/images", { body: picture })).status).toBe(200);
    const zip = join(home, "one.zip");
    expect((await run("export-org", "1", zip)).stderr).toMatch(/^Exported 2 jobs with \d+ files to /);
    const entries = unzipSync(readFileSync(zip));
    const json = (name: string) => JSON.parse(Buffer.from(entries[name] ?? []).toString("utf8"));
    expect(json("organization.json")).toMatchObject({ organizationId: 1, jobs: 2 });
    expect(json(`jobs/${guid}/job.json`)).toMatchObject({ guid, status: "COMPLETED" });
    const resultKey: string = json(`jobs/${guid}/job.json`).runs[0].resultKey;
    expect(json(resultKey)).toEqual({ total: 12.5 });
    expect(Buffer.from(entries[`jobs/${guid}/source/b_c.txt`] ?? []).toString()).toBe("Total: 12.50 EUR");
    expect(forms.map((one) => one.length)).toEqual(
      [1, 2].map((revision) => entries[`templates/form.one/${revision}.pdf`]?.length),
    );
    expect(entries["templates/form.one/pictures/a_logo.png"]).toHaveLength(9);
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
    expect((await second.api.get("/template/list")).json).toEqual([]);
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
