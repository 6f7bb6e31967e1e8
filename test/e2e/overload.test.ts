/** Overload: no more runs are opened, the caller is told when to come again, and all that reads goes on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService({ env: { SHEAF_MAX_OPEN_RUNS: "3", SHEAF_ORG_OPEN_RUNS: "2" } });
});
afterAll(() => target.close());

describe("more open runs than are allowed", () => {
  it("are answered 503 with Retry-After, per organization and in total, only by routes that start work", async () => {
    const { api, other } = target;
    const parent = await api.upload("The job that the others wait for");
    const [one, two, three] = [await api.upload("1"), await api.upload("2"), await api.upload("3")];
    // Waiting for another job, they stay open as long as the test needs them.
    for (const guid of [one, two]) {
      expect((await api.post(`/document/process/${guid}?dependsOn=${parent}`, { json: {} })).status).toBe(200);
    }
    const before = (await api.get("/job/list")).json.totalSize;
    const own = await api.post(`/document/process/${three}`, { json: {} });
    expect([own.status, own.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(own.json).toMatchObject({ error: "ServiceUnavailable", status: 503 });
    expect(own.json.message).toMatch(/^Your organization has too many open runs/);
    const refused = await api.post("/document/upload-files", {
      body: form("Total: 5"),
      headers: { "idempotency-key": "again" },
    });
    expect(refused.status).toBe(503);
    // Nothing is kept of what was refused.
    expect((await api.get("/job/list")).json.totalSize).toBe(before);

    const waiting = await other.upload("x");
    const theirs = await other.upload("y");
    expect((await other.post(`/document/process/${theirs}?dependsOn=${waiting}`, { json: {} })).status).toBe(200);
    expect((await other.post(`/document/process/${waiting}`, { json: {} })).json.message).toMatch(/^The service has/);
    expect((await other.get(`/job/status/${theirs}`)).status).toBe(200);
    expect((await other.post("/document/upload", { body: form("more") })).status).toBe(201);

    await api.post(`/job/${one}/cancel`);
    await api.post(`/job/${two}/cancel`);
    const again = await api.post("/document/upload-files", {
      body: form("Total: 5"),
      headers: { "idempotency-key": "again" },
    });
    expect(again.status).toBe(200);
    expect((await api.ended(again.json.guid)).status).toBe("COMPLETED");
    // Ended runs are not counted any more.
    expect((await api.post(`/document/process/${three}`, { json: {} })).status).toBe(200);
    expect((await api.ended(three)).status).toBe("COMPLETED");
  });
});
