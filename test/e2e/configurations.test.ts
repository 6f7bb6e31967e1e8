/** Saved configurations as a user sees them; a deployed service shows the same. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { form } from "../support/api.ts";
import { INVOICE_STATES, router, statesOf } from "../support/router.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
let invoice: Uint8Array;

beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

/** Names of this run's own: where the service is another's, others have theirs. */
const run = randomBytes(4).toString("hex");
const named = (what: string): string => `${what} ${run}`;
const at = (name: string): string => `/configuration/${encodeURIComponent(name)}`;

async function saved(what: string, command: object): Promise<string> {
  const name = named(what);
  const answer = await target.api.post(at(name), { json: command });
  expect(answer.status, answer.text).toBe(201);
  return name;
}
const dataOf = async (guid: string) => {
  const { status, error } = await target.api.ended(guid);
  expect([status, error]).toEqual(["COMPLETED", null]);
  return (await target.api.get(`/job/result/${guid}/json`)).json;
};
const INVOICE = { schema: { invoice_number: "string", total: "number" }, ocr: "AUTO" };
const DATA = { invoice_number: "SH-2026-0117", total: 517.2 };

describe("a configuration", () => {
  const sent = {
    ocr: "premium",
    llm: "Mini",
    extractionMode: "simple",
    sourceLocationGranularity: "word",
    schema: { invoice_number: "string" },
    prompt: " ",
    barcodes: null,
    mapReduce: { splitType: "markdown-header", header: { pageLimit: 2, schema: { customer: "string" }, prompt: null } },
    metadata: { shop: 7 },
    ours: { "kept as": [1, "it is"] },
  };

  it("is saved, listed, read normalised, overwritten and deleted", async () => {
    const name = await saved("Invoices (ours), é ☃", sent);
    const entry = async () =>
      (await target.api.get("/configuration")).json.find((one: { name: string }) => one.name === name);
    const first = await entry();
    expect(first).toMatchObject({ name, organizationId: target.keys.organizationId, createdAt: first.updatedAt });
    expect((await target.api.get(at(name))).json).toEqual({
      ocr: "PREMIUM",
      llm: "MINI",
      extractionMode: "SIMPLE",
      sourceLocationGranularity: "WORD",
      schema: '{"invoice_number":"string"}',
      mapReduce: {
        enabled: false,
        splitType: "MARKDOWN_HEADER",
        header: { enabled: false, pageLimit: 2, schema: '{"customer":"string"}' },
      },
      metadata: { shop: 7 },
      ours: { "kept as": [1, "it is"] },
    });

    const again = await target.api.post(at(name), { json: {} });
    expect(again.json).toMatchObject({ status: 409, message: "Configuration name already exists" });
    const over = await target.api.post(`${at(name)}?overwrite=true`, { json: { llm: "high" } });
    expect([over.status, over.json]).toEqual([201, await entry()]);
    expect(over.json).toMatchObject({ id: first.id, createdAt: first.createdAt });
    expect(Date.parse(over.json.updatedAt)).toBeGreaterThan(Date.parse(first.updatedAt));
    expect((await target.api.get(at(name))).json).toEqual({ llm: "HIGH" });

    const gone = await target.api.delete(at(name));
    expect([gone.status, gone.json]).toEqual([200, {}]);
    for (const call of [target.api.get, target.api.delete]) expect((await call(at(name))).status).toBe(404);
    expect(await entry()).toBeUndefined();
  });

  it("keeps every save as a revision, which a command can pin", async () => {
    const name = await saved("revisions", { ...INVOICE, llm: "MINI" });
    const schema = { total: "number" };
    expect((await target.api.post(`${at(name)}?overwrite=true`, { json: { ...INVOICE, schema } })).status).toBe(201);
    const all = (await target.api.get(`${at(name)}/revisions`)).json;
    expect(all).toMatchObject([{ revision: 2 }, { revision: 1 }]);
    for (const one of all) expect(one).toMatchObject({ savedBy: expect.any(String), createdAt: expect.any(String) });
    expect((await target.api.get(`${at(name)}/revisions/1`)).json).toMatchObject({ llm: "MINI" });
    expect((await target.api.get(`${at(name)}/diff?from=1&to=2`)).json).toEqual([
      { path: "/llm", from: "MINI", to: null },
      { path: "/schema/invoice_number", from: "string", to: null },
    ]);

    const guid = await target.api.upload(invoice);
    await target.api.post(`/document/process/${guid}`, { json: { configuration: `${name}@1` } });
    expect(await dataOf(guid)).toEqual(DATA);
    const status = (await target.api.get(`/job/status/${guid}`)).json;
    expect(status).toMatchObject({ configuration: name, configurationRevision: 1 });
    expect((await target.api.get(`/job/params/${guid}`)).json).toMatchObject({ configuration: `${name}@1` });
    await target.api.post(`/document/process/${guid}/with-configuration/${encodeURIComponent(name)}`);
    expect(await dataOf(guid)).toEqual({ total: DATA.total });
    expect((await target.api.get(`/job/status/${guid}`)).json).toMatchObject({ configurationRevision: 2 });
    await target.api.post(`/document/process/${guid}`, { json: INVOICE });
    expect(await dataOf(guid)).toEqual(DATA);
    expect((await target.api.get(`/job/status/${guid}`)).json).toMatchObject({
      configuration: null,
      configurationRevision: null,
    });

    const restored = await target.api.post(`${at(name)}/revisions/1/restore`, { json: {} });
    expect([restored.status, restored.json]).toMatchObject([201, { revision: 3, savedBy: all[0].savedBy }]);
    expect((await target.api.get(at(name))).json).toMatchObject({ llm: "MINI" });
  });

  it("has no revisions beyond its newest, and none for another organization", async () => {
    const name = await saved("numbers", INVOICE);
    const refused = async (path: string, api = target.api) => (await api.get(`${at(name)}${path}`)).status;
    for (const path of ["/revisions/0", "/revisions/x", "/diff?from=1", "/diff?from=1&to=0"]) {
      expect(await refused(path), path).toBe(400);
    }
    for (const path of ["/revisions/2", "/diff?from=1&to=2"]) expect(await refused(path), path).toBe(404);
    for (const path of ["/revisions", "/revisions/1", "/diff?from=1&to=1"]) {
      expect(await refused(path, target.other), path).toBe(404);
    }
    const restore = (n: string, api = target.api) => api.post(`${at(name)}/revisions/${n}/restore`, { json: {} });
    expect([(await restore("2")).status, (await restore("0")).status]).toEqual([404, 400]);
    expect((await restore("1", target.other)).status).toBe(404);
    const guid = await target.api.upload(invoice);
    const pinned = await target.api.post(`/document/process/${guid}`, { json: { configuration: `${name}@2` } });
    expect(pinned.json).toMatchObject({ status: 404, message: expect.stringContaining("has no revision 2") });
  });

  it("is saved once for one Idempotency-Key", async () => {
    const call = () => target.api.post(at(named("once")), { json: {}, headers: { "idempotency-key": `once-${run}` } });
    const [first, second] = [await call(), await call()];
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
  });

  it("has a name that can stand in a path", async () => {
    // For a slash, a gateway has no route.
    const slash = REMOTE_URL === undefined ? ["a%2Fb"] : [];
    for (const name of [...slash, "a%3Fb", "a%23b", "a%25b", "a%5Cb", "%20a", "a@7", "x".repeat(129)]) {
      const answer = await target.api.post(`/configuration/${name}`, { json: {} });
      expect(answer.json, name).toMatchObject({ status: 400, errors: [{ path: "/name" }] });
      expect((await target.api.get(`/configuration/${name}`)).status, name).toBe(404);
    }
  });

  it("is visible to its organization only", async () => {
    const name = await saved("mine", INVOICE);
    const { other } = target;
    const guid = await other.upload(invoice);
    const batch = (await other.post("/document/batch", { json: {} })).json.guid;
    for (const answer of [
      await other.get(at(name)),
      await other.delete(at(name)),
      await other.post(`/document/process/${guid}/with-configuration/${encodeURIComponent(name)}`),
      await other.post(`/document/process/${guid}`, { json: { configuration: name } }),
      await other.post(`/document/batch/${batch}/process/with-configuration/${encodeURIComponent(name)}`),
      await other.post("/document/upload-files", {
        body: form(invoice, {}, { metadata: JSON.stringify({ configuration: name }) }),
      }),
      await other.post(`/document/upload-files/sync?configuration=${encodeURIComponent(name)}`, {
        body: form(invoice),
      }),
    ]) {
      expect(answer.json).toMatchObject({ status: 404, message: `There is no configuration ${JSON.stringify(name)}` });
    }
    expect((await other.get("/configuration")).text).not.toContain(name);
    // They may have one of the same name.
    expect((await other.post(at(name), { json: {} })).status).toBe(201);
    expect((await target.api.get(at(name))).json).toHaveProperty("schema");
  });
});

describe("saving a configuration is refused like processing its command, with the same paths", () => {
  const node = { id: "read", type: "extract" };
  const rows: [string, object, number, string[]][] = [
    ["enumerations and flags", { ocr: "BEST", trace: "yes" }, 400, ["/ocr", "/trace"]],
    ["pages", { pageRange: [1, 0] }, 400, ["/pageRange/1"]],
    ["a schema", { schema: '{"type":"strin"}' }, 422, ["/schema"]],
    [
      "a schema in chunks",
      { mapReduce: { enabled: true, header: { enabled: true, schema: "{" } } },
      422,
      ["/mapReduce/header/schema"],
    ],
    [
      "chunks",
      { mapReduce: { enabled: true, overlapPages: 1 } },
      400,
      ["/mapReduce/overlapPages", "/mapReduce/dedupKey"],
    ],
    ["tools", { tools: [{ type: "KNOWLEDGE_BASE_SEARCH" }, 7] }, 400, ["/tools/0/config/caseId", "/tools/1"]],
    [
      "a case that there is not",
      { tools: [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: "999999999" } }] },
      400,
      ["/tools/0/config/caseId"],
    ],
    [
      "a pipeline",
      {
        pipeline: {
          nodes: [
            { ...node, source: "$nodes.b" },
            { ...node, type: "x" },
          ],
        },
      },
      400,
      [],
    ],
    ["a pipeline's mode", { extractionMode: "PIPELINE" }, 400, ["/pipeline"]],
    ["what this release does not do", { excelTemplate: {} }, 400, ["/excelTemplate"]],
  ];
  it.each(rows)("for %s", async (_what, command, status, paths) => {
    const guid = await target.api.upload(invoice);
    const processed = await target.api.post(`/document/process/${guid}`, { json: command });
    const refused = await target.api.post(at(named("bad")), { json: command });
    const facts = ({ json: { message, errors } }: typeof processed) => ({ message, errors });
    expect([refused.status, facts(refused)]).toEqual([processed.status, facts(processed)]);
    expect(refused.status).toBe(status);
    const told = refused.json.errors.map(({ path }: { path: string }) => path);
    if (paths.length > 0) expect(told).toEqual(paths);
    else for (const path of told) expect(path).toMatch(/^\/pipeline\/nodes\/\d/);
    expect((await target.api.get(at(named("bad")))).status).toBe(404);
  });

  it("for another configuration's name, an invalid body, and one that is too large", async () => {
    const save = (options: Parameters<typeof target.api.post>[1]) => target.api.post(at(named("bad")), options);
    const nested = await save({ json: { configuration: named("mine") } });
    expect(nested.json).toMatchObject({ status: 400, errors: [{ path: "/configuration" }] });
    expect((await save({})).status).toBe(400);
    const headers = { "content-type": "application/json" };
    const deep = await save({ body: `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, headers });
    expect(deep.json).toMatchObject({ status: 400, message: "The body is nested more than 1000 levels deep" });
    expect((await save({ json: { ours: "x".repeat(350_000) } })).status).toBe(413);
  });
});

describe("processing a document", () => {
  it("uses a configuration, whose changes affect later runs only", async () => {
    const name = await saved("plain", INVOICE);
    const guid = await target.api.upload(invoice);
    const path = `/document/process/${guid}/with-configuration/${encodeURIComponent(name)}`;
    const started = await target.api.post(path);
    expect([started.status, started.json]).toEqual([200, { guid, status: "PENDING" }]);
    await target.api.post(`${at(name)}?overwrite=true`, { json: { ...INVOICE, schema: { total: "number" } } });
    expect(await dataOf(guid)).toEqual(DATA);
    expect((await target.api.post(path, { json: {} })).status).toBe(200);
    expect(await dataOf(guid)).toEqual({ total: 517.2 });
    const missing = await target.api.post(`/document/process/${guid}/with-configuration/%20`);
    expect(missing.json).toMatchObject({ status: 404, message: 'There is no configuration " "' });
  });

  it("merges a command with the configuration it names; the command's members win, blank and null ones are absent", async () => {
    const name = await saved("members", { ...INVOICE, sourceLocations: true });
    const blank = { configuration: name, schema: "", prompt: " ", mimeType: "", sourceLocations: null };
    const status = await target.api.processed(invoice, blank);
    expect(await dataOf(status.guid)).toEqual(DATA);
    expect((await target.api.get(`/job/result/${status.guid}/source-locations`)).status).toBe(200);
    const own = { configuration: name, schema: { currency: "string" }, sourceLocations: false };
    const second = await target.api.processed(invoice, own);
    expect(await dataOf(second.guid)).toEqual({ currency: "GBP" });
    expect((await target.api.get(`/job/result/${second.guid}/source-locations`)).status).toBe(404);
    const missing = await target.api.post(`/document/process/${status.guid}`, { json: { configuration: "none" } });
    expect(missing.json).toMatchObject({ status: 404, message: 'There is no configuration "none"' });
    const refused = { configuration: name, extractionMode: "PIPELINE" };
    expect((await target.api.post(`/document/process/${status.guid}`, { json: refused })).json).toMatchObject({
      status: 400,
      errors: [{ path: "/pipeline" }],
    });
  });

  it("uses a configuration in one call", async () => {
    const name = await saved("one call", INVOICE);
    const metadata = (configuration: string) => ({ metadata: JSON.stringify({ configuration }) });
    const files = await target.api.post("/document/upload-files", { body: form(invoice, {}, metadata(name)) });
    expect(await dataOf(files.json.guid)).toEqual(DATA);
    const sync = (texts: Record<string, string>) =>
      target.api.post(`/document/upload-files/sync?configuration=${encodeURIComponent(name)}`, {
        body: form(invoice, {}, texts),
      });
    expect((await sync({})).json).toEqual(DATA);
    expect((await sync({ ...metadata("another"), schema: '{"total":"number"}' })).json).toEqual({ total: 517.2 });
  });

  it("uses a configuration with a pipeline", async () => {
    const pipeline = router();
    const name = await saved("router", { extractionMode: "pipeline", pipeline });
    expect((await target.api.get(at(name))).json).toEqual({ extractionMode: "PIPELINE", pipeline });
    const guid = await target.api.upload(invoice);
    await target.api.post(`/document/process/${guid}/with-configuration/${encodeURIComponent(name)}`);
    expect(await dataOf(guid)).toEqual({ branch: "invoice", data: { invoice_number: "SH-2026-0117", net_total: 431 } });
    const { pipeline: shown, jobMode } = (await target.api.get(`/job/status/${guid}`)).json;
    expect([jobMode, statesOf(shown.nodes)]).toEqual(["PIPELINE", INVOICE_STATES]);
  });
});

it("processing a batch uses a configuration", async () => {
  const { api } = target;
  const name = await saved("batch", { schema: { total: "number" }, maxConcurrency: 3 });
  const { guid } = (await api.post("/document/batch", { json: {} })).json;
  for (const total of [1, 2])
    await api.post(`/document/batch/${guid}/upload`, { body: form(`Total: ${total}.50 EUR`) });
  const path = `/document/batch/${guid}/process/with-configuration/${encodeURIComponent(name)}`;
  expect((await api.post(`${path}?trace=perhaps`, { json: {} })).json).toMatchObject({ status: 400 });
  const started = await api.post(`${path}?trace=true`, { json: {} });
  expect([started.status, started.json]).toEqual([200, { guid, jobGuid: guid, maxConcurrency: 3, status: "PENDING" }]);
  expect(await dataOf(guid)).toEqual([{ total: 1.5 }, { total: 2.5 }]);
  const own = { configuration: name, maxConcurrency: 1, schema: { currency: "string" } };
  expect((await api.post(`/document/batch/${guid}/process`, { json: own })).json.maxConcurrency).toBe(1);
  expect(await dataOf(guid)).toEqual([{ currency: "EUR" }, { currency: "EUR" }]);
});
