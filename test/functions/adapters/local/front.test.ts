/** The front builds the gateway's events, and answers whatever a client sends. */

import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { receiving, seen, started, stopFront } from "./front.support.ts";

afterEach(stopFront);

describe("createFront", () => {
  it("builds the gateway's events", async () => {
    const url = await started();
    await fetch(`${url}/document/a%20b/x/%C3%A9?q=1&q=2&r=%20z`, {
      method: "POST",
      body: '{"a":"é"}',
      headers: { "content-type": "application/json", "X-Own": "Value" },
    });
    expect(seen[0]).toMatchObject({
      version: "2.0",
      routeKey: "POST /document/{a}/x/{b}",
      rawPath: "/document/a%20b/x/%C3%A9",
      rawQueryString: "q=1&q=2&r=%20z",
      queryStringParameters: { q: "1,2", r: " z" },
      pathParameters: { a: "a b", b: "é" },
      headers: { "x-own": "Value" },
      requestContext: { requestId: "request-1", http: { method: "POST" }, timeEpoch: 1_700_000_000_000 },
      bytes: Buffer.from('{"a":"é"}'),
      isBase64Encoded: false,
    });
    await fetch(`${url}/document/a/x/b`, { method: "POST", body: new Uint8Array([255, 0, 1]) });
    expect(seen[1]).toMatchObject({ bytes: Buffer.from([255, 0, 1]) });
  });

  it("prefers a literal segment, and passes unknown routes to $default", async () => {
    const url = await started();
    const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
    expect(await text("/job/list")).toBe("GET /job/list");
    expect(await text("/job/other")).toBe("GET /job/{guid}");
    expect(await text("/job/")).toBe("$default");
    expect(await text("/job/a/b")).toBe("$default");
    expect(await text("/beside")).toBe("beside");
    expect((await fetch(`${url}/job/%E0%A4%A`)).status).toBe(400);
  });

  it.each([true, false])("answers a body over the limit with a refusal (chunked: %s)", async (chunked) => {
    const url = new URL(await started(receiving));
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        {
          port: url.port,
          method: "POST",
          path: "/document/a/x/b",
          headers: chunked ? {} : { "content-length": 5_000_000 },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on("error", reject);
      for (let sent = 0; sent < 5_000_000; sent += 100_000) request.write(Buffer.alloc(100_000));
      request.end();
    });
    expect(status).toBe(413);
  });

  it("accepts a body of exactly the limit, and survives clients that disconnect", async () => {
    const url = await started();
    const full = await fetch(`${url}/document/a/x/b`, { method: "POST", body: "a".repeat(1000) });
    expect(full.status).toBe(200);
    await new Promise<void>((resolve) => {
      const request = httpRequest({
        port: new URL(url).port,
        method: "POST",
        path: "/document/a/x/b",
        headers: { "content-length": 900 },
      });
      request.on("error", () => resolve());
      request.write("a");
      setTimeout(() => request.destroy(), 20);
    });
    expect((await fetch(`${url}/job/list`)).status).toBe(200);
  });

  it("answers 500 and continues when a handler throws", async () => {
    const url = await started(async () => {
      throw new Error("secret");
    });
    const failed = await fetch(`${url}/job/list`);
    expect(failed.status).toBe(500);
    expect(await failed.text()).toBe("");
  });
});
