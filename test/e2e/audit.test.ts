/** The audit: every mutating route of the OpenAPI document leaves an entry, and none holds content. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallOptions } from "../support/api.ts";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let document: { paths: Record<string, Record<string, { security?: object[]; requestBody?: { content: object } }>> };
beforeAll(async () => {
  target = await startTestService();
  document = (await target.api.get("/openapi.json")).json;
});
afterAll(() => target.close());

interface Entry {
  at: string;
  keyId: string;
  method: string;
  path: string;
  resource: string | null;
  address: string | null;
  status: number | null;
  replayed: boolean;
}

const entries = async (query = ""): Promise<Entry[]> => (await target.api.get(`/audit?size=900${query}`)).json.entries;

/** A made-up id, which each route takes as an id and finds nothing for. */
const ID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d77";
const SECRET = "top-secret-content";

/** The calls of all routes that need a key and are no GET. */
const mutating = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { security }]) => !["get", "head"].includes(method) && security?.length !== 0)
      .map(([method, { requestBody }]) => ({ method: method.toUpperCase(), path, content: requestBody?.content })),
  );

/** A body that a route reads: JSON, a form, or none. */
function optionsFor(content: object | undefined): CallOptions {
  if (content === undefined) return {};
  if ("multipart/form-data" in content) return { body: form(SECRET, {}, { prompt: SECRET }) };
  return { json: { prompt: SECRET, note: SECRET } };
}

describe("an entry of the audit", () => {
  it("is left by every route that is no GET, with its template, its ids and its status", async () => {
    const calls = mutating();
    expect(calls.length).toBeGreaterThan(30);
    const from = new Date(Date.now() - 1_000).toISOString();
    const me = (await target.api.get("/user/me")).json.id;
    const statuses: number[] = [];
    for (const { method, path, content } of calls) {
      const at = `${path.replaceAll(/\{\w+\}/g, ID)}?note=${SECRET}`;
      statuses.push((await target.api.call(method, at, optionsFor(content))).status);
    }
    const left = await entries(`&from=${from}`);
    for (const [index, { method, path }] of calls.entries()) {
      const found = left.filter((one) => one.method === method && one.path === path);
      expect(found, `${method} ${path} leaves one entry`).toHaveLength(1);
      expect(found[0]).toMatchObject({ keyId: me, status: statuses[index], replayed: false });
      const ids = path.match(/\{\w+\}/g) ?? [];
      if (ids.length > 0) expect(found[0]?.resource).toBe(ids.map(() => ID).join("/"));
      expect(found[0]?.address).toMatch(/^[0-9a-f.:]+$/);
    }
    expect(JSON.stringify(left)).not.toContain(SECRET);
  });

  it("names what was made, and is left by no GET", async () => {
    const guid = await target.api.upload("Total: 5.00 EUR");
    await target.api.get(`/job/status/${guid}`);
    const made = (await entries()).filter(({ resource }) => resource === guid);
    expect(made).toMatchObject([{ method: "POST", path: "/document/upload", status: 201 }]);
  });

  it("says that a request was replayed, and is left by a refused one too", async () => {
    const headers = { "Idempotency-Key": `audit-${Date.now()}` };
    const first = await target.api.post("/document/batch", { headers });
    await target.api.post("/document/batch", { headers });
    const found = (await entries()).filter(({ resource }) => resource === first.json.guid);
    expect(found.map(({ replayed }) => replayed)).toEqual([true, false]);
    await target.api.call("DELETE", `/job/${ID}`, { key: target.keys.reader });
    expect((await entries())[0]).toMatchObject({ method: "DELETE", path: "/job/{guid}", resource: ID, status: 403 });
  });

  it("has the caller's own address, and none that the caller writes into a header", async () => {
    const forged = "203.0.113.77";
    const headers = { "X-Forwarded-For": forged, Forwarded: `for=${forged}`, "X-Real-IP": forged };
    await target.api.post("/document/batch", { headers });
    expect((await entries())[0]?.address).not.toBe(forged);
  });

  it("is the organization's own, and only its administrators read it", async () => {
    expect((await target.other.get("/audit")).text).not.toContain(ID);
    const refused = await target.api.call("GET", "/audit", { key: target.keys.reader });
    expect([refused.status, refused.json.message]).toEqual([403, "This API key lacks the scope 'admin'"]);
  });
});

describe("GET /audit", () => {
  it("pages from the newest entry to the oldest, each once", async () => {
    const whole = await entries();
    const to = whole[0]?.at ?? "";
    const paged: Entry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = (await target.api.get(`/audit?size=7&to=${to}&from=${whole.at(-1)?.at}${after}`)).json;
      paged.push(...page.entries);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(whole);
    for (const query of ["size=0", "cursor=none", "from=yesterday"]) {
      expect((await target.api.get(`/audit?${query}`)).status, query).toBe(400);
    }
  });
});
