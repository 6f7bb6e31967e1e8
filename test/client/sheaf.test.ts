import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Sheaf, SheafJobError } from "../../client/index.ts";
import { cut, cutAfterWork, FakeService, KEY, refuse } from "./fake-service.ts";

const service = new FakeService();
const ending = { ...service.ending };
let sheaf: Sheaf;

beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => {
  service.forget();
  service.ending = { ...ending };
  sheaf = new Sheaf({ apiKey: KEY, baseUrl: service.url });
});

const file = new File(["Invoice 7"], "a.txt", { type: "text/plain" });
const large = new File([new Uint8Array(4_000_001)], "large.pdf", { type: "application/pdf" });
const calls = (): string[] =>
  service.requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, "{guid}")}`);

describe("Sheaf", () => {
  test("refuses an address or a key that cannot be one", () => {
    expect(() => new Sheaf({ apiKey: KEY, baseUrl: "localhost:3000" })).toThrow(TypeError);
    expect(() => new Sheaf({ apiKey: "key\n", baseUrl: service.url })).toThrow(TypeError);
  });
});

describe("a service that restarts", () => {
  test("is waited for, and the work goes on", async () => {
    const own = await new FakeService().start();
    own.ending = { ...ending, workMs: 300 };
    const client = new Sheaf({ apiKey: KEY, baseUrl: own.url, retries: 0 });
    const started = await client.documents.start(file, { schema: { total: "number" } });
    const port = Number(new URL(own.url).port);
    const restarted = (async () => {
      await own.stop();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await own.start(port);
    })();
    expect((await started.result()).data).toMatchObject({ total: 12.5 });
    await restarted;
    const known = own.requests.length;
    await own.stop();
    const impatient = new Sheaf({ apiKey: KEY, baseUrl: own.url, retries: 0, reconnectSeconds: 0 });
    await expect(impatient.jobs.status(started.guid)).rejects.toMatchObject({ name: "SheafUnreachable", status: 0 });
    expect(own.requests).toHaveLength(known);
  });
});

describe("a browser's redirects", () => {
  test("are followed by the browser, which hides where they lead", async () => {
    const { guid } = service.addJob("COMPLETED");
    const asked: (string | undefined)[] = [];
    const browser = new Sheaf({
      apiKey: KEY,
      baseUrl: service.url,
      async fetch(input, init) {
        asked.push(init?.redirect);
        if (init?.redirect === "follow") return fetch(input, init);
        return { type: "opaqueredirect", status: 0, ok: false, headers: new Headers() } as Response;
      },
    });
    expect(await browser.jobs.status(guid)).toMatchObject({ guid });
    expect(asked).toEqual(["manual", "follow"]);
  });
});

describe("documents.process", () => {
  test("uploads, processes, waits and reads, with the command's members and none of the call's", async () => {
    const { data, guid, job } = await sheaf.documents.process(file, {
      schema: { total: "number" },
      prompt: "The total",
      timeoutSeconds: 60,
      onProgress: () => undefined,
      idempotencyKey: "order-7",
    });
    expect(data).toMatchObject({ total: 12.5 });
    expect(job.status).toBe("COMPLETED");
    expect(service.jobs.get(guid)).toMatchObject({
      command: { schema: { total: "number" }, prompt: "The total" },
      document: { name: "a.txt", type: "text/plain" },
    });
    expect(Object.keys(service.jobs.get(guid)?.command ?? {}).sort()).toEqual(["prompt", "schema"]);
    expect(service.requests[0]?.headers["idempotency-key"]).toBe("order-7");
    expect(calls()[0]).toBe("POST /document/upload-files");
  });

  test("does everything once when the connection breaks before, within and after each call", async () => {
    service.failNext("POST", /upload-files/, cut, cutAfterWork);
    service.failNext("GET", /status/, cut);
    service.failNext("GET", /result/, cut);
    await sheaf.documents.process(file, { schema: { total: "number" } });
    expect([...service.jobs.values()].map(({ runs }) => runs)).toEqual([1]);
  });

  test("sends a document above 4 MB to the file store, with one key of the caller's for both requests", async () => {
    service.failNext("POST", /upload-url/, cutAfterWork);
    service.failNext("PUT", /store/, cut);
    service.failNext("POST", /process/, cutAfterWork);
    const { guid } = await sheaf.documents.process(large, { schema: { total: "number" }, idempotencyKey: "order-8" });
    expect([...service.jobs.keys()]).toEqual([guid]);
    expect(service.jobs.get(guid)).toMatchObject({ runs: 1, document: { name: "large.pdf", type: "application/pdf" } });
    expect(service.jobs.get(guid)?.document.bytes).toHaveLength(4_000_001);
    const keys = service.requests.map(({ headers }) => headers["idempotency-key"]).filter((key) => key !== undefined);
    expect(keys).toEqual(["order-8", "order-8", "order-8.run", "order-8.run"]);
  });

  test("deletes a document above 4 MB whose run is refused, and keeps it when no answer came", async () => {
    service.failNext("POST", /process/, refuse(402, "PaymentRequired", "No tokens are left"));
    const refused = sheaf.documents.process(large, {});
    await expect(refused).rejects.toMatchObject({ status: 402, kind: "PaymentRequired", requestId: "req-7" });
    expect(service.jobs.size).toBe(0);
    service.failNext("POST", /process/, cut);
    const once = new Sheaf({ apiKey: KEY, baseUrl: service.url, retries: 0, reconnectSeconds: 0 });
    await expect(once.documents.process(large, {})).rejects.toMatchObject({ status: 0 });
    expect(service.jobs.size).toBe(1);
  });

  test("joins work on a document above 4 MB also when the earlier call's address for it has expired", async () => {
    const options = { prompt: "a", idempotencyKey: "order-10" };
    const { guid } = await sheaf.documents.process(large, options);
    service.failNext("PUT", /store/, refuse(403, "Forbidden", "The presigned address has expired"));
    expect(await sheaf.documents.process(large, options)).toMatchObject({ guid, data: { total: 12.5 } });
    expect(service.jobs.get(guid)?.runs).toBe(1);
    service.failNext("PUT", /store/, refuse(403, "Forbidden", "The address is not signed"));
    await expect(sheaf.documents.process(large, { prompt: "a" })).rejects.toMatchObject({ status: 403 });
  });

  test("leaves an earlier call's document above 4 MB under the same key, whatever its own run is refused for", async () => {
    const first = await sheaf.documents.process(large, { prompt: "a", idempotencyKey: "order-9" });
    const other = sheaf.documents.process(large, { prompt: "b", idempotencyKey: "order-9" });
    await expect(other).rejects.toMatchObject({ status: 409 });
    expect(service.jobs.get(first.guid)).toMatchObject({ status: "COMPLETED", command: { prompt: "a" } });
  });

  test("rejects with the job's own sentence", async () => {
    service.ending = { ...ending, status: "FAILED", error: "Processing failed: AI service unavailable" };
    const failed = await sheaf.documents.process(file, {}).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SheafJobError);
    expect(failed).toMatchObject({ message: "Processing failed: AI service unavailable", job: { status: "FAILED" } });
  });

  test("gives a shortfall's data with its job, and a text as it is", async () => {
    service.ending = {
      ...ending,
      status: "PARTIAL",
      error: "1 page was not read",
      result: { type: "text/plain", body: "Hi" },
    };
    expect(await sheaf.documents.process(file, {})).toMatchObject({
      data: "Hi",
      job: { status: "PARTIAL", error: "1 page was not read" },
    });
  });

  test("ends with the signal's reason while it waits, and sends nothing for what is no schema", async () => {
    service.ending = { ...ending, workMs: 5_000 };
    const reason = new Error("enough");
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 100);
    await expect(sheaf.documents.process(file, { signal: stop.signal })).rejects.toBe(reason);
    service.forget();
    await expect(sheaf.documents.process(file, { schema: [] })).rejects.toBeInstanceOf(TypeError);
    expect(service.requests).toEqual([]);
  });
});
