import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SheafClient, SheafError, SheafUnreachable } from "../../client/index.ts";
import { cut, cutAfterWork, FakeService, type Fault, KEY, refuse } from "./fake-service.ts";

const service = new FakeService();
let client: SheafClient;

beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => {
  service.forget();
  client = new SheafClient({ apiUrl: service.url, token: KEY });
});

const bytes = new TextEncoder().encode("Invoice 7");
const busy = (seconds: number) =>
  refuse(503, "ServiceUnavailable", "Too much to do", { headers: { "retry-after": String(seconds) } });

describe("SheafClient's retries", () => {
  test("repeat a read after cut connections, before and inside an answer", async () => {
    const { guid } = service.addJob("COMPLETED");
    service.failNext("GET", /status/, cut, (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"guid":');
      setTimeout(() => response.socket?.destroy(), 20);
      return true;
    });
    expect(await client.status(guid)).toMatchObject({ guid });
    expect(service.requests).toHaveLength(3);
  });

  test("repeat work whose answer was lost with the same key and bytes, so that it is done once", async () => {
    service.failNext("POST", /upload/, cutAfterWork);
    const { guid } = await client.upload(bytes, { fileName: "a.txt" });
    expect([...service.jobs.keys()]).toEqual([guid]);
    const [first, second] = service.requests;
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);

    service.failNext("POST", /process/, cut, cutAfterWork);
    await client.process(guid, { prompt: "x" });
    expect(service.jobs.get(guid)?.runs).toBe(1);
    expect(new Set(service.seen("POST", /process/).map((one) => one.headers["idempotency-key"])).size).toBe(1);
  });

  test("repeat a call after the Retry-After of a 503", async () => {
    const { guid } = service.addJob();
    service.failNext("POST", /process/, busy(1), refuse(429, "TooManyRequests", "Slower"));
    const begun = performance.now();
    await client.process(guid);
    expect(performance.now() - begun).toBeGreaterThan(950);
    expect(service.requests).toHaveLength(3);
  });

  test("repeat calls that only compute, and send a key where money is asked for", async () => {
    service.failNext("POST", /quotes|validate|fill/, cut, cut, cut);
    // This service has none of these routes: its 404 is the answer to the second try.
    const calls = [
      client.billing.quote({ pages: 1 }),
      client.pipelines.validate({ nodes: [] }),
      client.templates.fill("form", { fields: {} }),
    ];
    const outcomes = await Promise.allSettled<unknown>(calls);
    expect(outcomes).toMatchObject([404, 404, 404].map((status) => ({ status: "rejected", reason: { status } })));
    expect(service.requests.map(({ path }) => path).sort()).toEqual([
      ...["/pipeline/validate", "/pipeline/validate"],
      ...["/quotes", "/quotes"],
      ...["/template/fill/form", "/template/fill/form"],
    ]);
    service.forget();
    service.failNext("POST", /checkout/, cut);
    await expect(client.billing.checkout("price")).rejects.toMatchObject({ status: 404 });
    const keys = service.requests.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, typeof keys[0], new Set(keys).size]).toEqual([2, "string", 1]);
  });

  test("send no call without a key again after a proxy's 503, which may follow work that was done", async () => {
    const gateway: Fault = (_request, response) => {
      response.writeHead(503, { "content-type": "application/json" }).end('{"message":"Service Unavailable"}');
      return true;
    };
    service.failNext("POST", /keys/, gateway, gateway);
    await expect(client.keys.create({ name: "a", scopes: ["read"] })).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(1);
    service.failNext("GET", /list/, gateway);
    expect(await client.list()).toMatchObject({ totalSize: 0 });
  });

  test("rotate the secret of a webhook once, and set its address again", async () => {
    service.failNext("PUT", /webhook/, cutAfterWork, cutAfterWork);
    await expect(client.webhooks.set({ rotate: true })).rejects.toBeInstanceOf(SheafUnreachable);
    expect(service.requests).toHaveLength(1);
    // This service has no such route: its 404 is the answer to the second try.
    await expect(client.webhooks.set({ url: "https://hooks.test/x" })).rejects.toMatchObject({ status: 404 });
    expect(service.requests).toHaveLength(3);
  });

  test("accept a date as Retry-After", async () => {
    const date = new Date(Date.now() - 5_000).toUTCString();
    const headers = { "retry-after": date };
    service.failNext("GET", /list/, refuse(503, "ServiceUnavailable", "Later", { headers }));
    expect(await client.list()).toMatchObject({ totalSize: 0 });
  });

  test("do not wait for a Retry-After of more than half a minute", async () => {
    service.failNext("GET", /list/, busy(600));
    await expect(client.list()).rejects.toMatchObject({ status: 503, retryAfter: 600, message: "Too much to do" });
    expect(service.requests).toHaveLength(1);
  });

  test("end after a few tries", async () => {
    service.failNext("GET", /list/, ...Array.from({ length: 9 }, () => busy(0)));
    await expect(client.list()).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(4);
    const once = new SheafClient({ apiUrl: service.url, token: KEY, retries: 0 });
    await expect(once.list()).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(5);
  });

  test("wait for an idempotency key that is still at work; any other 409 is final", async () => {
    const { guid } = service.addJob();
    const headers = { "retry-after": "0" };
    service.failNext("POST", /process/, refuse(409, "Conflict", "still being worked on", { headers }));
    await client.process(guid);
    expect(service.requests).toHaveLength(2);
    service.failNext("POST", /process/, refuse(409, "Conflict", "A run is open"));
    await expect(client.process(guid)).rejects.toMatchObject({ status: 409, message: "A run is open" });
    expect(service.requests).toHaveLength(3);
  });

  test("leave out calls that may not run twice, and refusals that would repeat", async () => {
    const { guid } = service.addJob("COMPLETED");
    service.failNext("DELETE", /job/, cut);
    await expect(client.deleteJob(guid)).rejects.toBeInstanceOf(SheafUnreachable);
    service.failNext("GET", /list/, refuse(500, "InternalServerError", "A defect"));
    await expect(client.list()).rejects.toMatchObject({ status: 500 });
    expect(service.requests).toHaveLength(2);
  });
});

describe("SheafClient's wait for a service that restarts", () => {
  test("goes on for reconnectSeconds once the service has answered, and tells both ends", async () => {
    const told: string[] = [];
    const patient = new SheafClient({
      apiUrl: service.url,
      token: KEY,
      retries: 0,
      reconnectSeconds: 5,
      onRetry: (error, _seconds, reconnecting) => void told.push(`${error.message}, ${reconnecting}`),
      onReconnect: () => void told.push("back"),
    });
    await patient.list();
    service.failNext("GET", /list/, cut, refuse(502, "BadGateway", "No upstream"));
    expect(await patient.list()).toMatchObject({ totalSize: 0 });
    expect(told).toEqual([`No answer from ${service.url}: the connection was cut, true`, "No upstream, true", "back"]);
  });

  test("ends after reconnectSeconds, and does not begin at an address that never answered", async () => {
    // Less than the shortest first pause, so that there is one retry.
    const options = { apiUrl: service.url, token: KEY, retries: 0, reconnectSeconds: 0.1 };
    const stranger = new SheafClient(options);
    service.failNext("GET", /list/, cut);
    await expect(stranger.list()).rejects.toBeInstanceOf(SheafUnreachable);
    expect(service.requests).toHaveLength(1);
    const known = new SheafClient({ ...options, answeredBefore: true });
    service.failNext("GET", /list/, cut, cut, cut);
    await expect(known.list()).rejects.toBeInstanceOf(SheafUnreachable);
    expect(service.requests).toHaveLength(3);
  });
});

describe("SheafUnreachable", () => {
  test("is thrown when nobody listens", async () => {
    const gone = await new FakeService().start();
    await gone.stop();
    const error = await new SheafClient({ apiUrl: gone.url, token: KEY, retries: 1 }).list().catch((reason) => reason);
    expect(error).toBeInstanceOf(SheafUnreachable);
    expect(error).toMatchObject({ status: 0, apiUrl: gone.url, reason: "connection refused", timedOut: false });
    expect(error).toBeInstanceOf(SheafError);
  });

  test("is thrown for a timeout, without a retry", async () => {
    const impatient = new SheafClient({ apiUrl: service.url, token: KEY, timeoutMs: 100 });
    service.failNext("GET", /list/, () => true);
    await expect(impatient.list()).rejects.toMatchObject({ timedOut: true, reason: "no answer within 0.1 s" });
    expect(service.requests).toHaveLength(1);
  });

  test("gives way to the caller's signal, which ends a call or a pause between tries", async () => {
    const reason = new Error("enough");
    await expect(client.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.requests).toHaveLength(0);

    const during = new AbortController();
    service.failNext("GET", /list/, () => {
      during.abort(reason);
      return true;
    });
    await expect(client.list({}, { signal: during.signal })).rejects.toBe(reason);

    const pausing = new AbortController();
    service.failNext("GET", /list/, busy(20));
    setTimeout(() => pausing.abort(reason), 100);
    const begun = performance.now();
    await expect(client.list({}, { signal: pausing.signal })).rejects.toBe(reason);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe("SheafClient and redirects", () => {
  const redirect = (location: string) => refuse(307, "Redirect", "elsewhere", { headers: { location } });

  test("follows them for reads, and sends the key to no other origin", async () => {
    const other = await new FakeService().start();
    const { guid } = service.addJob("COMPLETED");
    other.failNext("GET", /blob/, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"big":true}');
      return true;
    });
    service.failNext("GET", /result/, redirect("/job/result/moved"));
    service.failNext("GET", /moved/, redirect(`${other.url}/blob?signature=1`));
    expect(await client.result(guid)).toMatchObject({ json: { big: true } });
    expect(service.requests.map((one) => one.headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    expect(other.requests).toHaveLength(1);
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    await other.stop();
  });

  test("does not follow them for work, and stops in a circle", async () => {
    service.failNext("POST", /upload/, redirect("https://elsewhere.test/document/upload"));
    await expect(client.upload(bytes)).rejects.toThrow(/redirects to https:\/\/elsewhere\.test\/document\/upload/);
    service.failNext("GET", /list/, ...Array.from({ length: 9 }, () => redirect("/job/list")));
    await expect(client.list()).rejects.toMatchObject({ status: 307 });
  });
});
