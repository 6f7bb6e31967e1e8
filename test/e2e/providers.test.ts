/** An organization's own providers as its administrators see them: saved, bound, changed, deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../support/scans.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const LLM = {
  name: "ours",
  type: "CUSTOM",
  baseUrl: "https://models.invalid/v1",
  model: "a-model",
  apiKey: "a-secret-key",
};
const OCR = { name: "scanner", endpoint: "https://ocr.invalid/page", apiKey: "another-secret" };

const created = async (kind: "llm" | "ocr", wish: object) => {
  const answer = await target.api.post(`/${kind}/providers`, { json: wish });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const changed = (kind: "llm" | "ocr", id: number, json: object) =>
  target.api.call("PATCH", `/${kind}/providers/${id}`, { json });
const bound = (kind: "llm" | "ocr", key: string, json: object) =>
  target.api.call("PUT", `/${kind}/keys/${key}`, { json });

describe("an LLM provider", () => {
  it("has its settings under the contract's names, and never its key", async () => {
    const made = await created("llm", { ...LLM, kwargs: { top_p: 0.5, gone: null }, credentialId: null });
    expect(made).toEqual({
      id: expect.any(Number),
      name: "ours",
      apiUrl: "https://models.invalid/v1",
      modelType: "CUSTOM",
      deploymentName: "a-model",
      kwargs: { top_p: 0.5 },
      description: "",
      status: "ACTIVE",
      credentialId: null,
      hasApiKey: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await target.api.get(`/llm/providers/${made.id}`)).json).toEqual(made);
    expect((await target.api.get("/llm/providers")).json).toContainEqual(made);
  });

  it("has the public address of its type, where that has one", async () => {
    expect(await created("llm", { name: "n", type: "OPENAI" })).toMatchObject({
      apiUrl: "https://api.openai.com/v1",
      hasApiKey: false,
    });
    const answer = await target.api.post("/llm/providers", { json: { name: "n", type: "CUSTOM" } });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(/^apiUrl is missing/);
  });

  it.each([
    ["http://models.invalid/v1", /^The url must begin with https/],
    ["file:///etc/passwd", /^The url must begin with https/],
    ["https://169.254.169.254/latest/meta-data", /not public/],
    ["https://10.0.0.1/v1", /not public/],
    ["https://[::ffff:10.0.0.1]/v1", /not public/],
    ["https://0x7f.1:8443/v1", /^The url/],
    ["https://user:pw@models.invalid/v1", /must not hold a user/],
    ["https://models.invalid:22/v1", /port/],
    ["https://models.invalid/v1?api_key=abc", /is shown in answers/],
    ["not an address", /must be a whole address/],
  ])("is refused with the address %s", async (baseUrl, message) => {
    // One machine may ask itself.
    const isSelf = baseUrl.includes("0x7f") && target.log() !== "";
    const answer = await target.api.post("/llm/providers", { json: { ...LLM, baseUrl } });
    expect(answer.status, answer.text).toBe(isSelf ? 200 : 400);
    if (!isSelf) expect(answer.json.message).toMatch(message);
    const { id } = await created("llm", LLM);
    if (!isSelf) expect((await changed("llm", id, { baseUrl, apiKey: "a-key" })).status).toBe(400);
    const scanner = await target.api.post("/ocr/providers", { json: { ...OCR, endpoint: baseUrl } });
    expect(scanner.status).toBe(isSelf ? 200 : 400);
  });

  it("refuses a secret where answers would show it", async () => {
    const answer = await target.api.post("/llm/providers", { json: { ...LLM, kwargs: { headers: { api_key: "x" } } } });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toBe("kwargs is shown in answers and must hold no secret; send api_key as apiKey");
  });

  it("keeps its key for the host that it was given for", async () => {
    const { id } = await created("llm", LLM);
    const elsewhere = "https://other.invalid/v1";
    const refused = await changed("llm", id, { baseUrl: elsewhere });
    expect(refused.status).toBe(400);
    expect(refused.json.message).toMatch(/send apiKey with it$/);
    expect((await changed("llm", id, { baseUrl: "https://models.invalid/v2" })).json.hasApiKey).toBe(true);
    expect((await changed("llm", id, { baseUrl: elsewhere, apiKey: "" })).json).toMatchObject({ hasApiKey: false });
    const same = await created("llm", { ...LLM, apiKey: undefined, credentialId: (await created("llm", LLM)).id });
    expect(same.hasApiKey).toBe(true);
    const other = { ...LLM, apiKey: undefined, baseUrl: elsewhere, credentialId: same.id };
    expect((await target.api.post("/llm/providers", { json: other })).status).toBe(400);
  });

  it("is changed for the state that its caller saw: concurrent changes are conflicts", async () => {
    const { id, updatedAt } = await created("llm", LLM);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => changed("llm", id, { description: `change ${at}` })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => [200, 409].includes(status))).toBe(true);
    const stale = await changed("llm", id, { name: "stale", updatedAt });
    expect(stale.status).toBe(409);
    expect(stale.json.message).toMatch(/^Concurrent modification: LLM provider \d+/);
  });

  it("is gone when it is deleted, and its id is never given again", async () => {
    const { id } = await created("llm", LLM);
    await bound("llm", "HIGH", { providerId: id });
    const deleted = await target.api.delete(`/llm/providers/${id}`);
    expect(deleted.json).toMatchObject({ id, status: "DELETED", hasApiKey: false });
    expect((await target.api.delete(`/llm/providers/${id}`)).status).toBe(404);
    expect((await changed("llm", id, { name: "back" })).status).toBe(404);
    expect((await bound("llm", "HIGH", { providerId: id })).status).toBe(404);
    expect((await target.api.get("/llm/keys")).json[3]).toEqual({ key: "HIGH", providerId: null, providerName: null });
    expect((await created("llm", LLM)).id).toBeGreaterThan(id);
    expect((await target.api.get("/llm/providers")).json.map((one: { id: number }) => one.id)).not.toContain(id);
  });

  it("lists deleted ones on request", async () => {
    const { id } = await created("llm", LLM);
    await target.api.delete(`/llm/providers/${id}`);
    const ids = async (query: string) =>
      (await target.api.get(`/llm/providers${query}`)).json.map((one: { id: number }) => one.id);
    expect(await ids("?deleted=true")).toContain(id);
    expect(await ids("")).not.toContain(id);
    for (const kind of ["llm", "ocr"])
      expect((await target.api.get(`/${kind}/providers?deleted=maybe`)).status).toBe(400);
  });

  it("answers a test with a sentence that says no word of its server", async () => {
    const { id } = await created("llm", LLM);
    for (const name of ["test", "verify"]) {
      const answer = await target.api.post(`/llm/providers/${id}/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({ ok: false, message: `AI service unavailable (LLM provider ${id})` });
    }
  }, 90_000);
});

describe("an OCR provider", () => {
  it("reads either name of its settings", async () => {
    const { json } = await target.api.post("/ocr/providers", { json: { ...OCR, modelId: "a", model: "b" } });
    expect(json).toEqual({
      id: expect.any(Number),
      name: "scanner",
      endpoint: "https://ocr.invalid/page",
      modelId: "a",
      features: {},
      description: "",
      status: "ACTIVE",
      hasApiKey: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await changed("ocr", json.id, { modelId: "c", features: ["tables"] })).json).toMatchObject({
      modelId: "c",
      features: ["tables"],
    });
    expect(await created("ocr", { name: "n" })).toMatchObject({ endpoint: "", modelId: "", hasApiKey: false });
  });
});

describe("a run", () => {
  it("opens the key of its provider, and fails with one sentence when that cannot be reached", async () => {
    const { id } = await created("ocr", OCR);
    await bound("ocr", "PREMIUM", { providerId: id });
    const picture = await pngOf({ width: 100, height: 100, pixels: new Uint8Array(10_000).fill(255) }, 100);
    const file = { name: "scan.png", type: "image/png" };
    const status = await target.api.processed(picture, { ocr: "PREMIUM", schema: { total: "number" } }, file);
    await bound("ocr", "PREMIUM", { providerId: null });
    expect(status).toMatchObject({ status: "FAILED", error: `Processing failed: OCR provider ${id} is unavailable` });
  }, 60_000);

  // The tries of a model take a quarter of a minute.
  it.runIf(REMOTE_URL !== undefined)(
    "does the same with its model",
    async () => {
      const { id } = await created("llm", LLM);
      await bound("llm", "HIGH", { providerId: id });
      const command = { schema: { total: "number" }, llm: "HIGH" };
      const status = await target.api.processed("Total: 5", command, { type: "text/plain" });
      await bound("llm", "HIGH", { providerId: null });
      const error = `Processing failed: AI service unavailable (LLM provider ${id})`;
      expect(status).toMatchObject({ status: "FAILED", error });
    },
    90_000,
  );
});

describe("bindings", () => {
  it("list each key once, and are cleared by null", async () => {
    const { id } = await created("ocr", OCR);
    expect((await target.api.get("/ocr/keys")).json.map(({ key }: { key: string }) => key)).toEqual([
      "DEFAULT",
      "PREMIUM",
    ]);
    expect((await bound("ocr", "premium", { providerId: id })).json).toEqual({
      key: "PREMIUM",
      providerId: id,
      providerName: "scanner",
    });
    expect((await bound("ocr", "PREMIUM", { providerId: null })).json.providerId).toBeNull();
    expect((await bound("ocr", "NANO", { providerId: id })).status).toBe(404);
    expect((await bound("llm", "NANO", { providerId: id })).status).toBe(404);
  });

  it("refuse a provider that cannot be asked", async () => {
    const { id } = await created("ocr", { name: "n" });
    const answer = await bound("ocr", "DEFAULT", { providerId: id });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toBe(`OCR provider ${id} has no endpoint; set it before binding it`);
    const probe = await target.api.post(`/ocr/providers/${id}/test`);
    expect(probe.json).toEqual({ ok: false, message: `OCR provider ${id} has no endpoint` });
  });
});
