/** API keys made, rotated and revoked over the API and by the command line, and the settings that show none of them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../functions/api/routes.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { patternPng } from "../functions/engine/structure/figures/pictures.ts";
import { form } from "../support/api.ts";
import { templatePdf } from "../support/form-pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

/** Routes that take a document. */
const TAKING = ROUTES.filter(({ body }) => body.kind === "multipart" && "document" in body.parts);

/** Keeps nothing of its document. */
const ONLY_LOOKING = "/document/acroform-metadata";

/** The contract: a revoked key is refused everywhere within this time. */
const REVOKED_WITHIN_MS = 5_000;

const make = async (wish: object) => {
  const answer = await target.api.post("/keys", { json: wish });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: string; key: string; name: string; scopes: string[]; expiresAt: string | null };
};
const status = async (key: string, path = "/user/me") => (await target.api.call("GET", path, { key })).status;
const list = async () => (await target.api.get("/keys")).json as { id: string; name: string; lastUsedOn: string }[];

/** Asks until a key is refused. @returns the milliseconds until the last request was sent that was answered otherwise */
async function acceptedFor(key: string, path?: string): Promise<number> {
  const begun = Date.now();
  for (let accepted = 0; ; ) {
    const sent = Date.now() - begun;
    if ((await status(key, path)) === 401 || sent > 2 * REVOKED_WITHIN_MS) return accepted;
    accepted = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("POST /keys", () => {
  it("makes a key with its scopes, shown once, and the list tells the day of its use", async () => {
    const made = await make({ name: "reader", scopes: ["read"] });
    expect(made.key.startsWith(`sheaf_${target.keys.organizationId}_${made.id}_`)).toBe(true);
    expect(await status(made.key)).toBe(200);
    const refused = await target.api.call("GET", "/keys", { key: made.key });
    expect([refused.status, refused.json.message]).toEqual([403, "This API key lacks the scope 'admin'"]);
    await expect.poll(async () => (await list()).find(({ id }) => id === made.id)?.lastUsedOn).toMatch(/^\d{4}-/);
    expect((await target.api.get("/keys")).text).not.toContain(made.key.slice(-40));
  });

  it("gives no scope that the caller lacks, and refuses a wish that cannot be met", async () => {
    const admin = await make({ name: "admin only", scopes: ["admin"] });
    const more = await target.api.call("POST", "/keys", { key: admin.key, json: { name: "x", scopes: ["write"] } });
    expect([more.status, more.json.message]).toEqual([403, expect.stringContaining("'write'")]);
    for (const [json, path] of [
      [{ name: "x", scopes: [] }, "/scopes"],
      [{ name: "x", scopes: ["all"] }, "/scopes/0"],
      [{ name: "", scopes: ["read"] }, "/name"],
      [{ name: "x", scopes: ["read"], overlapHours: -1 }, "/overlapHours"],
      [{ name: "x", scopes: ["read"], expiresAt: "soon" }, "/expiresAt"],
    ] as const) {
      const answer = await target.api.post("/keys", { json });
      expect([answer.status, answer.json.errors?.[0]?.path], answer.text).toEqual([400, path]);
    }
    const unknown = await target.api.post("/keys", { json: { replaces: "unknown" } });
    expect(unknown.status).toBe(404);
    expect((await target.api.delete(`/keys/${admin.id}`)).status).toBe(204);
  });

  it.concurrent("makes a key that is refused from its end on", async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { key } = await make({ name: "short", scopes: ["read"], expiresAt });
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 1));
    const answer = await target.api.call("GET", "/user/me", { key });
    expect([answer.status, answer.json.message]).toEqual([401, "This API key has expired"]);
  });

  it.concurrent("rotates a key: both work, until the overlap ends", async () => {
    const old = await make({ name: "exporter", scopes: ["read", "billing"] });
    const fresh = await make({ replaces: old.id, overlapHours: 1 });
    expect([fresh.name, fresh.scopes]).toEqual(["exporter", ["read", "billing"]]);
    expect([await status(old.key), await status(fresh.key)]).toEqual([200, 200]);
    await make({ replaces: fresh.id, overlapHours: 0 });
    expect(await acceptedFor(fresh.key)).toBeLessThan(REVOKED_WITHIN_MS);
  });
});

describe("DELETE /keys/{id}", () => {
  it.concurrent("has the key refused by every route within 5 s", async () => {
    const { key, id } = await make({ name: "leaked", scopes: ["read", "write"] });
    for (const path of ["/user/me", "/job/list", "/configuration"]) expect(await status(key, path)).toBe(200);
    expect((await target.api.delete(`/keys/${id}`)).status).toBe(204);
    for (const path of ["/user/me", "/job/list", "/configuration"]) {
      expect(await acceptedFor(key, path), path).toBeLessThan(REVOKED_WITHIN_MS);
    }
    expect((await target.api.delete(`/keys/${id}`)).status).toBe(404);
    expect((await list()).map((one) => one.id)).not.toContain(id);
  });

  it("refuses keys of another organization, and those that the service's settings give", async () => {
    const { id } = await make({ name: "mine", scopes: ["read"] });
    expect((await target.other.delete(`/keys/${id}`)).status).toBe(404);
    expect((await target.other.get("/keys")).text).not.toContain(id);
    const given = (await list()).find(({ name }) => name === "SHEAF_API_KEYS");
    const answer = await target.api.delete(`/keys/${given?.id}`);
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining("SHEAF_API_KEYS")]);
  });
});

describe("GET /settings/view", () => {
  it("shows quotas and use, and neither a key nor a secret", async () => {
    const { key } = await make({ name: "secret", scopes: ["read"] });
    const webhook = await target.other.call("PUT", "/settings/webhook", {
      json: { url: "https://8.8.8.8/hook?token=t0k3n" },
    });
    const view = await target.other.get("/settings/view");
    expect(view.json).toMatchObject({
      quotas: { documentsPerDay: null, storageBytes: null },
      webhook: { configured: webhook.status === 200, disabled: false },
      retention: { auditDays: 365 },
    });
    const own = await target.api.get("/settings/view");
    expect(own.json.organizationId).toBe(target.keys.organizationId);
    for (const { text } of [view, own]) {
      for (const secret of [key.slice(-40), target.keys.one, target.keys.two, "t0k3n", "whsec", "hash"]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it("counts a document that comes in by any route, and a template's picture", async () => {
    const { api } = target;
    const pdf = await templatePdf();
    const today = async (): Promise<number> => (await api.get("/settings/view")).json.use.documentsToday;
    const values: Record<string, string> = {
      guid: (await api.post("/document/batch")).json.guid,
      name: `counted-${Date.now()}`,
      caseId: (await api.post("/cases", { json: { name: "Counted" } })).json.id,
    };
    let count = await today();
    for (const { method, path } of TAKING) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
      const answer = await api.call(method, filled, { body: form(pdf, { name: "a.pdf" }, { prompt: "The name" }) });
      expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
      count += path === ONLY_LOOKING ? 0 : 1;
      expect([path, await today()]).toEqual([path, count]);
    }
    const pictures = new FormData();
    pictures.append("images", new Blob([Buffer.from(await patternPng(20, 20))]), "logo.png");
    const stored = await api.post(`/template/${values.name}/images`, { body: pictures });
    expect(stored.status, stored.text).toBe(200);
    expect(await today()).toBe(count + 1);
  });

  it("counts a document when it comes in, and frees its bytes when its job is deleted", async () => {
    const use = async () => (await target.other.get("/settings/view")).json.use;
    const before = await use();
    const guid = await target.other.upload("Total: 5.00 EUR");
    const after = await use();
    expect(after.documentsToday).toBe(before.documentsToday + 1);
    expect(after.storedBytes).toBe(before.storedBytes + "Total: 5.00 EUR".length);
    expect((await target.other.delete(`/job/${guid}`)).status).toBeLessThan(300);
    await expect.poll(async () => (await use()).storedBytes, { timeout: 20_000 }).toBe(before.storedBytes);
  });

  it("counts a document of a case once, in every way that it comes, and frees its bytes with it", async () => {
    const { other } = target;
    const use = async () => (await other.get("/settings/view")).json.use;
    const text = "Total: 5.00 EUR";
    const before = await use();
    const caseId = (await other.post("/cases", { json: { name: "Counted" } })).json.id;
    const first = await other.post(`/cases/${caseId}/documents`, { body: form(text) });
    expect(first.status, first.text).toBe(201);
    const wish = { fileName: "a.txt", mimeType: "text/plain", size: text.length, caseId };
    const { guid, uploadUrl, method, headers } = (await other.post("/document/upload-url", { json: wish })).json;
    expect((await fetch(uploadUrl, { method, headers, body: text })).ok).toBe(true);
    await Promise.all([other.ended(first.json.documentId), other.ended(guid)]);
    const after = await use();
    expect(after.documentsToday).toBe(before.documentsToday + 2);
    expect(after.storedBytes).toBe(before.storedBytes + 2 * text.length);
    expect((await other.delete(`/cases/${caseId}/documents/${first.json.documentId}`)).status).toBe(204);
    expect((await other.delete(`/cases/${caseId}`)).status).toBe(204);
    await expect.poll(async () => (await use()).storedBytes, { timeout: 20_000 }).toBe(before.storedBytes);
  });
});

const command = (...argv: string[]) =>
  sheaf(argv, { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("sheaf keys makes, lists, rotates and revokes keys", async () => {
  const made = await command(
    "keys",
    "create",
    "--name",
    "nightly",
    "--scopes",
    "read,write",
    "--expires",
    "2999-01-01",
  );
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining("shown this once")]);
  const { id, key } = JSON.parse(made.stdout);
  const me = await sheaf(["keys", "list"], { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: key } });
  expect([me.exitCode, me.stderr]).toEqual([1, expect.stringContaining("lacks the scope 'admin'")]);
  const rotated = JSON.parse((await command("keys", "create", "--replaces", id, "--overlap-hours", "1")).stdout);
  expect(rotated).toMatchObject({ name: "nightly", scopes: ["read", "write"], expiresAt: null });
  expect((await command("keys", "revoke", id)).stderr).toBe(`key ${id}: revoked\n`);
  const listed = JSON.parse((await command("keys", "list")).stdout).map((one: { id: string }) => one.id);
  expect([listed.includes(id), listed.includes(rotated.id)]).toEqual([false, true]);
  for (const wrong of [
    ["create", "--name", "x", "--scopes", "all"],
    ["create", "--replaces", id, "--overlap-hours", "1000"],
    ["revoke"],
  ])
    expect((await command("keys", ...wrong)).exitCode, wrong.join(" ")).toBe(2);
});

it("sheaf settings view prints the quotas, and sheaf audit all entries as JSON lines", async () => {
  const view = JSON.parse((await command("settings", "view")).stdout);
  expect(view).toMatchObject({ organizationId: target.keys.organizationId, quotas: { documentsPerDay: null } });
  const { stdout } = await command("audit", "--from", "2020-01-01T00:00:00Z");
  const entries = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ method, path }) => `${method} ${path}`)).toContain("POST /keys");
  expect(stdout).not.toContain("sheaf_");
  expect((await command("audit", "--from", "never")).exitCode).toBe(1);
});
