/** The gate of prepaid tokens: every route that declares it, walked by the route table; reading stays open. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../../functions/api/http/route.ts";
import { ROUTES, routeKey } from "../../functions/api/routes.ts";
import { type CallOptions, form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

const GUID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const GATED = ROUTES.filter(({ gate }) => gate === "tokens");

let target: TestService;
beforeAll(async () => {
  const env = { SHEAF_BILLING: "enforced", SHEAF_CHECKOUT_URL: "https://example.com/buy" };
  target = await startTestService({ env });
});
afterAll(() => target.close());

/** A request that the route's own description calls right, of a job that is not there. */
function requestOf({ body }: Route): CallOptions {
  if (body.kind === "none") return {};
  if (body.kind === "multipart") return { body: form("Total: 5") };
  return { json: Object.values(body.examples)[0] ?? {} };
}
const pathOf = ({ path }: Route): string => path.replace(/\{name\}/, "a").replace(/\{\w+\}/g, GUID);

async function expectRefused(path: string, request: CallOptions): Promise<void> {
  const answer = await target.api.post(path, request);
  expect(answer.json).toEqual({
    status: 402,
    error: "PaymentRequired",
    code: "billing.insufficient_tokens",
    message: "Your organization has no prepaid tokens left; buy more at https://example.com/buy",
    balance: 0,
    checkout_url: "https://example.com/buy",
    portal_url: null,
    request_id: answer.headers.get("x-request-id"),
    organization_id: 1,
    timestamp: expect.any(String),
    path,
  });
  expect(answer.status).toBe(402);
}

describe("the gate", () => {
  it("is on every route that starts paid work, and on no other", () => {
    expect(GATED.map(routeKey).sort()).toEqual([
      "POST /document/analyze",
      "POST /document/batch/{guid}/process",
      "POST /document/batch/{guid}/process/with-configuration/{name}",
      "POST /document/generate-schema",
      "POST /document/ocr/sync",
      "POST /document/ocr/{guid}",
      "POST /document/process/{guid}",
      "POST /document/process/{guid}/with-configuration/{name}",
      "POST /document/upload-files",
      "POST /document/upload-files/sync",
      "POST /job/{parentJobGuid}/pdf-acroform/apply",
      "POST /operation",
      "POST /operation/{parentJobId}/generative-task",
    ]);
  });

  it.each(GATED.map((route) => [routeKey(route), route] as const))(
    "of %s answers 402 with its whole body while no tokens are there",
    async (_, route) => {
      await expectRefused(pathOf(route), requestOf(route));
      await expectRefused(`/compat${pathOf(route)}`, { ...requestOf(route), undocumented: true });
    },
  );

  it.each(["pdf-acroform", "error-analysis", "ocr-correct", "image-select", "generative-task"])(
    "of an operation %s answers the same",
    (type) => expectRefused("/operation", { json: { jobGuid: GUID, type } }),
  );

  it("keeps nothing of what it refuses", async () => {
    expect((await target.api.get("/job/list")).json.totalSize).toBe(0);
    expect((await target.api.get("/billing/usage")).json.entries).toEqual([]);
  });

  it("leaves reading, uploading and quotes open", async () => {
    const { api } = target;
    const guid = await api.upload("Total: 5");
    expect((await api.get(`/job/status/${guid}`)).status).toBe(200);
    expect((await api.post("/quotes", { json: { guid, command: {} } })).status).toBe(200);
    expect((await api.get("/billing/balance")).json).toEqual({
      organizationId: 1,
      balance: 0,
      status: "exhausted",
      held: 0,
      available: 0,
    });
  });
});
