/** The route table, walked with another organization's ids, without a key, with a bad key, with a scope missing. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import type { Route } from "../../functions/api/http/route.ts";
import { ROUTES } from "../../functions/api/routes.ts";
import { type CallOptions, form } from "../support/api.ts";
import { templatePdf } from "../support/form-pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let guid: string;
let caseId: string;
let documentId: string;
/** A provider of the first organization. */
let provider: number;

beforeAll(async () => {
  target = await sharedTestService();
  const done = await target.api.processed(await drawInvoice(), { sourceLocations: true });
  guid = done.guid;
  expect((await target.api.post("/configuration/plain?overwrite=true", { json: {} })).status).toBe(201);
  const template = await target.api.post("/template/plain?replace=true", { body: form(await templatePdf()) });
  expect(template.status, template.text).toBe(200);
  const made = await target.api.post("/cases", { json: { name: "Mine" } });
  caseId = String(made.json.id);
  const document = await target.api.post(`/cases/${caseId}/documents`, { body: form("Some text.") });
  expect(document.status, document.text).toBe(201);
  ({ documentId } = document.json);
  await target.api.ended(documentId);
  const own = { name: "theirs", type: "CUSTOM", baseUrl: "https://models.invalid/v1", model: "a-model" };
  provider = (await target.api.post("/llm/providers", { json: own })).json.id;
});
afterAll(() => target.close());

/** The queries of routes that refuse a request without one. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  "/configuration/{name}/diff": "?from=1&to=1",
  "/knowledge-bases/{caseId}/search": "?q=words",
};

/** A request that is right but for whose it is. */
function requestFor(route: Route): { path: string; options: CallOptions } {
  const values: Record<string, string> = {
    guid,
    jobGuid: guid,
    parentJobId: guid,
    parentJobGuid: guid,
    operationGuid: guid,
    type: "error-analysis",
    pageIndex: "0",
    imageId: "p1f1",
    id: route.path.includes("/providers/") ? String(provider) : "msg_none",
    key: "DEFAULT",
    name: "plain",
    n: "1",
    caseId,
    documentId,
  };
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  const path = filled + (REQUIRED_QUERIES[route.path] ?? "");
  expect(path, "every placeholder is known to this walk").not.toMatch(/[{}]/);
  if (route.body.kind === "json")
    return { path, options: { json: { prompt: "What is it?", name: "Theirs", providerId: provider } } };
  if (route.body.kind === "json-bytes") return { path, options: { json: { fields: {}, fieldDefinitions: [] } } };
  if (route.body.kind === "multipart") return { path, options: { body: form("Some text.") } };
  return { path, options: {} };
}

const closed = ROUTES.filter((route) => route.scope !== null);
const nameOf = (route: Route): string => `${route.method} ${route.path}`;
/** A name is another one in each organization. */
const MAKES = new Set(["POST /configuration/{name}", "POST /template/{name}"]);

it("the route table has routes with ids", () => {
  expect(closed.length).toBeGreaterThanOrEqual(12);
});

const naming = closed.filter((route) => route.path.includes("{") && !MAKES.has(nameOf(route)));

it.each(naming.map((route) => [nameOf(route), route] as const))(
  "%s finds nothing for another organization",
  async (_name, route) => {
    const { path, options } = requestFor(route);
    const answer = await target.other.call(route.method, path, options);
    // A batch that is missing is a conflict by the contract, whosever it may be.
    const missing = route.path.startsWith("/document/batch/") ? 409 : 404;
    expect(answer.status, answer.text).toBe(missing);
    expect(answer.text).not.toContain("organization");
    // And it is there all the same for its owner.
    expect((await target.api.get(`/job/status/${guid}`)).status).toBe(200);
  },
);

it.each(closed.map((route) => [nameOf(route), route] as const))(
  "%s needs a key with its scope",
  async (_name, route) => {
    const { path, options } = requestFor(route);
    expect((await target.api.call(route.method, path, { ...options, key: null })).status).toBe(401);
    expect(
      (await target.api.call(route.method, path, { ...options, key: "sheaf_1_abcdefgh_0123456789abcdef0" })).status,
    ).toBe(401);
    if (route.scope === "read") return;
    const answer = await target.api.call(route.method, path, { ...options, key: target.keys.reader });
    expect(answer.status, answer.text).toBe(403);
    expect(answer.json.message).toContain(`'${route.scope}'`);
  },
);

it("a request never overwrites another organization's configuration", async () => {
  const path = "/configuration/plain?overwrite=true";
  const theirs = await target.other.post(path, { json: { prompt: "Theirs" } });
  expect(theirs.json.organizationId).not.toBe(target.keys.organizationId);
  expect((await target.api.get("/configuration/plain")).json).toEqual({});
  expect((await target.other.delete("/configuration/plain")).status).toBe(200);
  expect((await target.api.get("/configuration/plain")).status).toBe(200);
});

it("a request never lists another organization's jobs", async () => {
  await target.other.upload("Mine alone.");
  const mine = (await target.api.get("/job/list?size=1000")).json.content;
  expect(mine.every((job: { organizationId: number }) => job.organizationId === target.keys.organizationId)).toBe(true);
});
