/** Jobs that behave: one behind the other, cancelled, listed while others are deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

const UNKNOWN = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

describe("dependsOn", () => {
  it("waits for the other job, and reads the same document once", async () => {
    const { api, other } = target;
    const invoice = await drawInvoice();
    const [parent, child] = [await api.upload(invoice), await api.upload(invoice)];
    const answer = await api.post(`/document/process/${child}?dependsOn=${parent.toUpperCase()}`, {
      json: { schema: { total: "number" }, sourceLocations: true },
    });
    expect(answer.json).toEqual({ guid: child, status: "PENDING" });
    expect((await api.get(`/job/dependencies/${child}`)).json).toMatchObject({
      guid: child,
      dependsOnGuid: parent,
      dependencyStatus: "WAITING",
      parentJob: { guid: parent, status: "PENDING", dependencyStatus: "NONE" },
    });
    expect((await api.post(`/document/process/${child}`, { json: {} })).status).toBe(409);
    expect((await api.delete(`/job/${child}`)).status).toBe(409);
    const circle = await api.post(`/document/process/${parent}?dependsOn=${child}`, { json: {} });
    expect(circle.status).toBe(409);
    expect((await other.get(`/job/dependencies/${child}`)).status).toBe(404);
    await api.post(`/document/process/${parent}`, { json: {} });
    expect(await api.ended(child)).toMatchObject({ status: "COMPLETED", usage: { ocrPages: 0 } });
    expect((await api.get(`/job/result/${child}`)).json).toEqual({ total: 517.2 });
    const sources = (await api.get(`/job/result/${child}/source-locations`)).json;
    expect(Object.keys(sources.locations)).toEqual(["/total"]);
    expect((await api.get(`/job/dependencies/${child}`)).json.dependencyStatus).toBe("SATISFIED");
    expect((await api.get(`/job/dependencies/${parent}`)).json).toEqual({
      guid: parent,
      dependsOnGuid: null,
      dependencyStatus: "NONE",
    });
  });

  it("names the other job's failure, and knows no job that is not there", async () => {
    const { api, other } = target;
    const [parent, child] = [await api.upload(" \n "), await api.upload("Total: 5")];
    await api.post(`/document/process/${parent}`, { json: {} });
    const failed = await api.ended(parent);
    expect(failed.status).toBe("FAILED");
    await api.post(`/document/process/${child}?dependsOn=${parent}`, { json: {} });
    const why = failed.error.replace("Processing failed: ", "");
    expect((await api.ended(child)).error).toBe(
      `Processing failed: Job ${parent}, which it depends on, failed: ${why}`,
    );
    for (const guid of [UNKNOWN, "nothing", await other.upload("x")]) {
      expect((await api.post(`/document/process/${child}?dependsOn=${guid}`, { json: {} })).status).toBe(404);
    }
    // An empty one is none.
    await api.post(`/document/process/${child}?dependsOn=`, { json: { schema: { total: "number" } } });
    expect((await api.ended(child)).status).toBe("COMPLETED");
  });
});

describe("cancelling", () => {
  it("ends a job and what waits for it, once", async () => {
    const { api, other } = target;
    const [parent, child] = [await api.upload("Total: 5"), await api.upload("Total: 6")];
    await api.post(`/document/process/${child}?dependsOn=${parent}`, { json: {} });
    expect((await other.post(`/job/${parent}/cancel`)).status).toBe(404);
    const answer = await api.post(`/job/${parent}/cancel`);
    expect(answer.json).toMatchObject({ guid: parent, status: "CANCELLED", error: null });
    expect((await api.post(`/job/${parent}/cancel`)).status).toBe(409);
    expect(await api.ended(child)).toMatchObject({
      status: "FAILED",
      error: `Processing failed: Job ${parent}, which it depends on, was cancelled`,
    });
    expect((await api.get(`/job/result/${parent}`)).status).toBe(404);
    expect((await api.get("/job/list?status=cancelled")).json.content[0].guid).toBe(parent);
    // Terminal: it can be processed again, and deleted.
    await api.post(`/document/process/${parent}`, { json: { schema: { total: "number" } } });
    expect((await api.ended(parent)).status).toBe("COMPLETED");
    expect((await api.post(`/job/${parent}/cancel`)).status).toBe(409);
    expect((await api.delete(`/job/${parent}`)).status).toBe(200);
    expect((await api.post(`/job/${parent}/cancel`)).status).toBe(404);
  });
});

describe("a list", () => {
  it("goes on behind a job that was deleted meanwhile, and in its own order only", async () => {
    const { other } = target;
    for (const text of ["one", "two", "three"]) await other.upload(text);
    const { json: first } = await other.get("/job/list?size=2&sort=createdAt,asc");
    await other.delete(`/job/${first.content[1].guid}`);
    const query = `size=2&cursor=${first.nextCursor}`;
    const second = await other.get(`/job/list?${query}&sort=createdAt,asc`);
    expect(second.json.content[0].createdAt >= first.content[1].createdAt).toBe(true);
    expect(second.json.content[0].guid).not.toBe(first.content[1].guid);
    expect((await other.get(`/job/list?${query}`)).status).toBe(400);
    expect((await other.get("/job/list?cursor=nothing")).status).toBe(400);
  });
});
