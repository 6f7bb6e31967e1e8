/** One Idempotency-Key is one piece of work, however often and however concurrently it is sent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

const withKey = (key: string): { headers: Record<string, string> } => ({ headers: { "idempotency-key": key } });

describe("Idempotency-Key", () => {
  it("creates one job for twenty equal concurrent uploads", async () => {
    const { api } = target;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post("/document/upload", { body: form("The same text."), ...withKey("upload-1") }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => json.guid)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(19);
    expect((await api.get("/job/list")).json.totalSize).toBe(1);
  });

  it("refuses another request under the same key", async () => {
    const answer = await target.api.post("/document/upload", { body: form("Another text."), ...withKey("upload-1") });
    expect(answer.status).toBe(409);
    expect(answer.json.message).toMatch(/another request/);
  });

  it("belongs to one organization", async () => {
    const answer = await target.other.post("/document/upload", { body: form("Another text."), ...withKey("upload-1") });
    expect(answer.status).toBe(201);
  });

  it("opens one run for repeated requests", async () => {
    const { api } = target;
    const guid = await api.upload("Total: 5");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post(`/document/process/${guid}`, { json: {}, ...withKey("process-1") })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await api.ended(guid)).runs).toHaveLength(1);
    const late = await api.post(`/document/process/${guid}`, { json: {}, ...withKey("process-1") });
    expect(late.headers.get("idempotency-replayed")).toBe("true");
    expect((await api.get(`/job/status/${guid}`)).json.runs).toHaveLength(1);
  });

  it("stores no refusal", async () => {
    const { api } = target;
    expect((await api.post("/document/upload", { body: form(""), ...withKey("retry-1") })).status).toBe(422);
    expect((await api.post("/document/upload", { body: form("Now with text."), ...withKey("retry-1") })).status).toBe(
      201,
    );
  });

  it("must be printable", async () => {
    const answer = await target.api.post("/document/upload", { body: form("x"), ...withKey("a b") });
    expect(answer.status).toBe(400);
    const empty = await target.api.post("/document/upload", { body: form("x"), ...withKey("") });
    expect(empty.status).toBe(400);
  });
});
