/** The rate limit on the wire: headers on every answer, 429 with its body, polling that never fails for it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  // One a minute: the test sees no token come back.
  target = await startTestService({ env: { SHEAF_RATE_LIMIT: "1:4" } });
});
afterAll(() => target.close());

const remaining = ({ headers }: Answer): number => Number(headers.get("x-ratelimit-remaining") ?? Number.NaN);

describe("a rate limit", () => {
  it("is reported in the headers, and ends in a 429 that says when to try again", async () => {
    const { api } = target;
    const first = await api.get("/job/list");
    expect(first.headers.get("x-ratelimit-limit")).toBe("1");
    expect(remaining(first)).toBe(3);
    const ahead = Number(first.headers.get("x-ratelimit-reset")) - Date.now() / 1000;
    expect(ahead).toBeGreaterThan(50);
    expect(ahead).toBeLessThan(62);
    // A refusal is an answer to an authenticated request as well, and counts.
    const forbidden = await api.post("/document/upload", { key: target.keys.reader, body: "x" });
    expect([forbidden.status, remaining(forbidden)]).toEqual([403, 2]);
    const unknown = await api.get("/job/result/none");
    expect([unknown.status, remaining(unknown)]).toEqual([404, 1]);
    // Uploading and processing in one call counts as two requests; one is left.
    const heavy = await api.post("/document/upload-files", { body: "x" });
    expect([heavy.status, remaining(heavy)]).toEqual([429, 1]);
    expect(remaining(await api.get("/job/list"))).toBe(0);
    const refused = await api.get("/job/list");
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ status: 429, error: "TooManyRequests", retryAfter: expect.any(Number) });
    expect(refused.json.message).toMatch(/^More than 1 requests a minute; try again in \d+ s$/);
    expect(refused.headers.get("retry-after")).toBe(String(refused.json.retryAfter));
    expect(refused.json.retryAfter).toBeGreaterThan(30);
    expect(remaining(refused)).toBe(0);
  });

  it("never blocks polling, the public routes, or another organization", async () => {
    const { api, other } = target;
    for (let poll = 0; poll < 5; poll += 1) {
      const status = await api.get("/job/status/none");
      expect([status.status, remaining(status)]).toEqual([404, 0]);
    }
    expect((await api.get("/health", { key: null })).headers.get("x-ratelimit-limit")).toBeNull();
    const stranger = await api.get("/job/list", { key: "nobody-knows-me" });
    expect([stranger.status, stranger.headers.get("x-ratelimit-limit")]).toEqual([401, null]);
    expect(remaining(await other.get("/job/list"))).toBe(3);
  });

  it("is off on one machine unless it is set", async () => {
    const free = await startTestService({ env: {} });
    expect((await free.api.get("/job/list")).headers.get("x-ratelimit-limit")).toBeNull();
    await free.close();
  });

  it("lets requests pass, and logs it, when its records fail", async () => {
    const failing = await startTestService({
      env: { SHEAF_RATE_LIMIT: "1:1" },
      wrap: ({ records, blobs }) => ({
        records: {
          get: (key) => (key.partition.endsWith("/rate") ? Promise.reject(new Error("down")) : records.get(key)),
          put: (...parameters) => records.put(...parameters),
          delete: (...parameters) => records.delete(...parameters),
          add: (...parameters) => records.add(...parameters),
          query: (query) => records.query(query),
          transact: (...parameters) => records.transact(...parameters),
        },
        blobs,
      }),
    });
    for (let request = 0; request < 3; request += 1) expect((await failing.api.get("/job/list")).status).toBe(200);
    expect(failing.log()).toContain("request not counted");
    await failing.close();
  });
});
