/** Jobs that behave: one behind the other, cancelled, listed while others are deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const UNKNOWN = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";

describe("dependsOn", () => {
  it("waits for the other job, and recognises the same document once", async () => {
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

  it("names the other job's failure, and refuses an unknown job", async () => {
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
  it("ends a job and the jobs that wait for it, once", async () => {
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

describe("a result exported as a table", () => {
  it("is CSV and a workbook, under the document's name", async () => {
    const { api, other } = target;
    const schema = { invoice_number: "string", line_items: [{ description: "string", quantity: "number" }] };
    const { guid } = await api.processed(await drawInvoice(), { schema }, { name: "Rechnung ü.pdf" });
    const data = (await api.get(`/job/result/${guid}`)).json;
    const csv = await api.get(`/job/result/${guid}/csv`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe(
      `attachment; filename="Rechnung _.csv"; filename*=UTF-8''Rechnung%20%C3%BC.csv`,
    );
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines[0]).toBe("invoice_number,line_items.description,line_items.quantity");
    expect(lines).toHaveLength(data.line_items.length + 1);
    expect(lines[1]?.startsWith(`${data.invoice_number},`)).toBe(true);
    expect((await api.get(`/job/result/${guid}/csv?bom=true&run=1`)).bytes.subarray(0, 3)).toEqual(
      new Uint8Array([0xef, 0xbb, 0xbf]),
    );
    // Again: as it was kept.
    expect((await api.get(`/job/result/${guid}/csv`)).text).toBe(csv.text);
    const excel = await api.get(`/job/result/${guid}/excel?configuration=`);
    expect(excel.headers.get("content-disposition")).toContain(".xlsx");
    expect(Buffer.from(excel.bytes.subarray(0, 2)).toString()).toBe("PK");
    expect((await other.get(`/job/result/${guid}/csv`)).status).toBe(404);
  });

  it("is refused for a text, and is missing before the result exists", async () => {
    const { api } = target;
    const guid = await api.upload("Some text");
    for (const format of ["csv", "excel"]) expect((await api.get(`/job/result/${guid}/${format}`)).status).toBe(404);
    await api.post(`/document/ocr/${guid}`, { json: {} });
    await api.ended(guid);
    for (const format of ["csv", "excel"]) expect((await api.get(`/job/result/${guid}/${format}`)).status).toBe(415);
  });
});

describe("the job list", () => {
  it("continues after a job that was deleted meanwhile, and in its own order only", async () => {
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
